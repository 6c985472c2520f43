// Carries one consultation out: finds its advisor, lets companions speak, pins the parent, opens a child, lets it
// investigate, and charges the parent. What it learns on the way stands in the record, however it ends.

import { resolve } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Child, ChildHome } from "../advisor/child.ts";
import { openChild } from "../advisor/child.ts";
import { childEntry } from "../advisor/child-entry.ts";
import type { ChildSettings } from "../advisor/child-settings.ts";
import type { ProjectPlace } from "../advisor/configured-extensions.ts";
import { refusal } from "../advisor/guard.ts";
import type { Instructions } from "../advisor/instructions.ts";
import { investigate } from "../advisor/investigation.ts";
import { defineParentSession } from "../advisor/parent-session/tool.ts";
import { keepParentAhead } from "../advisor/recency.ts";
import { composeAssignment } from "../core/assignment.ts";
import type { Consultation } from "../core/consultation.ts";
import { abortReason } from "../core/desk.ts";
import type { ExtensionChoice } from "../core/extension-choice.ts";
import { childSessionName } from "../core/naming.ts";
import type { Outcome } from "../core/outcome.ts";
import { failed } from "../core/outcome.ts";
import type { Progress } from "../core/progress.ts";
import type { ChildExtension, ChildView } from "../core/seam.ts";
import { tallyUsage } from "../core/usage.ts";
import type { Companions } from "./companions.ts";
import type { Place } from "./place.ts";
import type { Prepared, Preparing } from "./preparation.ts";
import { prepare } from "./preparation.ts";
import type { Facts } from "./settlement.ts";
import { priceLookup, settleChild } from "./settlement.ts";

export interface Means extends Preparing {
  /** Which of the user's extensions a child loads; asked anew as settings may have changed. */
  readonly extensions: (place: ProjectPlace) => Promise<ExtensionChoice>;
  readonly instructions: Instructions;
  /** Pi's settings for the child. */
  readonly settings: ChildSettings;
}

export interface Assignment {
  readonly consultation: Consultation;
  readonly parent: ExtensionContext;
  /** The words of an origin that has no prompt of Angel's. */
  readonly instructions?: string;
  /** For this consultation only. */
  readonly brought?: readonly ChildExtension[];
}

export interface Watcher {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  readonly learn: (more: Partial<Facts>) => void;
}

export async function carryOut(
  task: Assignment,
  place: Place,
  watcher: Watcher,
  means: Means,
): Promise<Outcome> {
  const { signal, learn } = watcher;
  const { modelRegistry, sessionManager } = place;
  const prepared = await prepare(task.consultation, task.parent, place, watcher, means);
  if (prepared.kind !== "prepared") return prepared;
  const child = await open(task, prepared, place, signal, means);
  const { session } = child;
  means.companions.emit({
    type: "started",
    request: prepared.request,
    childSessionId: session.sessionId,
    ...(session.sessionFile ? { childSessionFile: session.sessionFile } : {}),
  });
  const stopTelling = tellProgress(child, prepared.request.consultationId, place, means.companions);
  try {
    const outcome = await investigate(session, {
      assignment: composeAssignment(prepared.consultation, prepared.snapshot),
      nudge: means.instructions.nudge,
      signal: AbortSignal.any([signal, child.fault]),
      onProgress: watcher.onProgress,
      onActivity: keepParentAhead(prepared.snapshot.sessionFile),
    });
    return child.fault.aborted && !signal.aborted ? failed(abortReason(child.fault)) : outcome;
  } finally {
    stopTelling();
    await child.close();
    learn(settleChild(session, priceLookup(modelRegistry), sessionManager));
  }
}

async function open(
  task: Assignment,
  { advisor, runtime, request, consultation, instructions: added, snapshot }: Prepared,
  place: Place,
  signal: AbortSignal,
  { extensions: chooseExtensions, instructions, companions, settings }: Means,
): Promise<Child> {
  const { cwd, isProjectTrusted, sessionManager } = place;
  const { extensions, warnings } = await chooseExtensions({ cwd, isProjectTrusted });
  const home: ChildHome = {
    cwd,
    isProjectTrusted,
    sessionDir: resolve(sessionManager.getSessionDir()),
    ...(snapshot.sessionFile ? { parentFile: snapshot.sessionFile } : {}),
  };
  const brought = [...companions.child(request, childView(home, companions)), ...(task.brought ?? [])];
  const filter = companions.filter();
  const ownWords =
    task.instructions === undefined
      ? instructions.systemPrompt(consultation.origin)
      : instructions.systemPromptWith(task.instructions);
  return openChild({
    advisor,
    runtime,
    assignment: composeAssignment(consultation, snapshot),
    systemPrompt: [ownWords, ...added].join("\n\n"),
    entry: childEntry(consultation, snapshot, advisor, extensions, brought),
    sessionName: childSessionName(consultation),
    tools: [
      defineParentSession(snapshot, {
        triggers: triggersOf(consultation),
        takesImages: advisor.model.input.includes("image"),
        ...(filter ? { filter } : {}),
      }),
    ],
    extensions,
    companions: brought,
    notes: warnings.map((warning) => `Settings: ${warning}`),
    signal,
    settings: settings({ cwd, isProjectTrusted }),
    home,
  });
}

/** Usage so far, for companions that count it; nothing is added up where nobody listens. */
function tellProgress(
  { session }: Child,
  consultationId: string,
  { modelRegistry }: Place,
  companions: Companions,
): () => void {
  if (!companions.areListening()) return () => {};
  let toolCount = 0;
  return session.subscribe((event) => {
    if (event.type === "tool_execution_start") toolCount += 1;
    if (event.type !== "message_end" || event.message.role !== "assistant") return;
    // Pi tells of a message just before it stands in the session, which is what usage is counted from.
    queueMicrotask(() => {
      const { report } = tallyUsage(session.sessionManager.getEntries(), priceLookup(modelRegistry));
      companions.emit({ type: "progress", consultationId, toolCount, usage: report });
    });
  });
}

function childView(
  { cwd, isProjectTrusted, sessionDir, parentFile }: ChildHome,
  companions: Companions,
): ChildView {
  const sessionFiles = parentFile === undefined ? [] : [parentFile];
  return {
    cwd,
    isProjectTrusted,
    sessionDir,
    refusesPath: async (path) => refusal(path, { cwd, sessionFiles }) ?? companions.refusesPath(path),
  };
}

/** A stall by the entries of its failures, which are never ambiguous; a call that has no result yet by its id. */
function triggersOf({ stalls, toolCallIds }: Consultation): readonly string[] {
  return (
    stalls?.flatMap(({ earlierEntryId, presentEntryId }) => [earlierEntryId, presentEntryId]) ?? toolCallIds
  );
}
