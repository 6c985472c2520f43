// The engine: the one door through which every consultation goes, whoever asks. It waits at the desk,
// pins the parent, opens a child, lets it investigate, charges the parent, and settles once.

import { resolve } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { openChild } from "../advisor/child.ts";
import { childEntry } from "../advisor/child-entry.ts";
import type { ProjectPlace } from "../advisor/configured-extensions.ts";
import { loadInstructions } from "../advisor/instructions.ts";
import { investigate } from "../advisor/investigation.ts";
import { defineParentSession } from "../advisor/parent-session/tool.ts";
import { keepParentAhead } from "../advisor/recency.ts";
import { composeAssignment } from "../core/assignment.ts";
import type { Consultation } from "../core/consultation.ts";
import type { DeskView, Ticket } from "../core/desk.ts";
import { abortReason, openDesk } from "../core/desk.ts";
import type { ExtensionChoice } from "../core/extension-choice.ts";
import { childSessionName, subjectOf } from "../core/naming.ts";
import type { Outcome } from "../core/outcome.ts";
import { cancelled, failed } from "../core/outcome.ts";
import type { Progress } from "../core/progress.ts";
import { NO_PROGRESS } from "../core/progress.ts";
import type { ConsultationRecord } from "../core/record.ts";
import type { Snapshot } from "../core/snapshot.ts";
import { isOnBranch, pinSnapshot } from "../core/snapshot.ts";
import { NOTHING_SPENT } from "../core/usage.ts";
import type { Availability, ParentView } from "./availability.ts";
import type { Facts } from "./settlement.ts";
import { composeRecord, MOVED, priceLookup, settleChild } from "./settlement.ts";
import { throttle } from "./throttle.ts";

/** The parent as it is when the consultation starts; read at once, because Pi's own context goes stale. */
export type Parent = Pick<
  ExtensionContext,
  "cwd" | "sessionManager" | "model" | "modelRegistry" | "isProjectTrusted"
>;

export interface Request {
  readonly consultation: Consultation;
  readonly parent: Parent;
  /** Stops this consultation, waiting or running. */
  readonly signal: AbortSignal | undefined;
  /** Resolves at a safe boundary; absent: ready at once. */
  readonly ready?: Promise<void>;
  /** Called no more often than people can see. @param sinceMs when the consultation started, by the engine's clock */
  readonly onProgress: (progress: Progress, sinceMs: number) => void;
}

export interface Settled {
  readonly outcome: Outcome;
  readonly record: ConsultationRecord;
}

export interface Engine {
  /** Never rejects: whatever goes wrong is an outcome. */
  consult(request: Request): Promise<Settled>;
  cancel(reason: string, id?: string): readonly Ticket[];
  status(): DeskView;
}

export interface EngineParts {
  /** Asked anew when a consultation starts: settings, models and keys may have changed while it waited. */
  readonly availability: (parent: ParentView, signal: AbortSignal) => Promise<Availability>;
  /** Which of the user's extensions a child loads; asked anew for the same reason. */
  readonly extensions: (place: ProjectPlace) => Promise<ExtensionChoice>;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** Often enough to read along; each showing makes a terminal draw itself anew. */
const SHOW_EVERY_MS = 300;

type Show = (progress: Progress) => void;
type Learn = (more: Partial<Facts>) => void;

export function startEngine({ availability, extensions: chooseExtensions, now }: EngineParts): Engine {
  const desk = openDesk();
  const instructions = loadInstructions();

  const run = async (
    { consultation, parent }: Request,
    signal: AbortSignal,
    onProgress: Show,
    learn: Learn,
  ): Promise<Outcome> => {
    if (signal.aborted) return cancelled(abortReason(signal));
    // All that is taken from Pi's context is taken before the first wait, after which it may be stale.
    const { cwd, sessionManager, modelRegistry, model } = parent;
    const isProjectTrusted = parent.isProjectTrusted();
    const snapshot = withAbsoluteFile(pinSnapshot(sessionManager));
    learn({ parentLeafId: snapshot.leafId });

    const found = await availability({ model, modelRegistry, sessionManager }, signal);
    if (signal.aborted) return cancelled(abortReason(signal));
    if (found.kind === "unusable") return failed(found.reason);
    const { advisor, runtime } = found;
    learn({ model: advisor.name, thinking: advisor.thinking });

    const { extensions, warnings } = await chooseExtensions({ cwd, isProjectTrusted });
    const assignment = composeAssignment(consultation, snapshot);
    const child = await openChild({
      advisor,
      runtime,
      assignment,
      systemPrompt: instructions.systemPrompt(consultation.origin),
      entry: childEntry(consultation, snapshot, advisor, extensions),
      sessionName: childSessionName(consultation),
      tools: [
        defineParentSession(snapshot, {
          triggers: triggersOf(consultation),
          takesImages: advisor.model.input.includes("image"),
        }),
      ],
      extensions,
      notes: warnings.map((warning) => `Settings: ${warning}`),
      signal,
      home: {
        cwd,
        isProjectTrusted,
        sessionDir: resolve(sessionManager.getSessionDir()),
        ...(snapshot.sessionFile ? { parentFile: snapshot.sessionFile } : {}),
      },
    });
    try {
      return await investigate(child.session, {
        assignment,
        nudge: instructions.nudge,
        signal,
        onProgress,
        onActivity: keepParentAhead(snapshot.sessionFile),
      });
    } finally {
      await child.close();
      learn(settleChild(child.session, priceLookup(modelRegistry), sessionManager));
    }
  };

  const settle = async (
    request: Request,
    signal: AbortSignal,
    show: Show,
  ): Promise<{ outcome: Outcome; facts: Facts }> => {
    let facts: Facts = { usage: NOTHING_SPENT };
    const learn: Learn = (more) => {
      facts = { ...facts, ...more };
    };
    const outcome = await run(request, signal, show, learn).catch((error: unknown) =>
      failed(`the consultation could not be carried out: ${messageOf(error)}`),
    );
    // An answer that comes home after the cancellation, or to another place in the tree, is withheld.
    if (signal.aborted) return { outcome: cancelled(abortReason(signal)), facts };
    const { sessionManager } = request.parent;
    const hasMoved = facts.parentLeafId !== undefined && !isOnBranch(sessionManager, facts.parentLeafId);
    return { outcome: hasMoved ? cancelled(MOVED) : outcome, facts };
  };

  return {
    async consult(request) {
      const { consultation, signal, ready } = request;
      let started = now();
      const ticket = { id: consultation.id, origin: consultation.origin, subject: subjectOf(consultation) };
      const { outcome, facts } = await desk.visit(
        { ...ticket, signal, ...(ready ? { ready } : {}) },
        async (turn) => {
          // The time at the desk is not the consultation's own.
          started = now();
          const shown = throttle(
            (progress: Progress) => request.onProgress(progress, started),
            SHOW_EVERY_MS,
            { now, after },
          );
          shown.pass(NO_PROGRESS);
          return settle(request, turn, shown.pass).finally(shown.end);
        },
        (reason) => ({ outcome: cancelled(reason), facts: { usage: NOTHING_SPENT } }),
      );
      return { outcome, record: composeRecord(consultation, outcome, facts, Math.round(now() - started)) };
    },
    cancel: (reason, id) => desk.cancel(reason, id),
    status: () => desk.view(),
  };
}

/** A stall by the entries of its failures, which are never ambiguous; a call that has no result yet by its id. */
function triggersOf({ stalls, toolCallIds }: Consultation): readonly string[] {
  return (
    stalls?.flatMap(({ earlierEntryId, presentEntryId }) => [earlierEntryId, presentEntryId]) ?? toolCallIds
  );
}

/** Pi keeps a session folder as it was named, which may be relative; links have to hold from anywhere. */
function withAbsoluteFile(snapshot: Snapshot): Snapshot {
  const { sessionFile } = snapshot;
  return sessionFile === undefined ? snapshot : { ...snapshot, sessionFile: resolve(sessionFile) };
}

function after(delayMs: number, call: () => void): () => void {
  const timer = setTimeout(call, delayMs);
  return () => clearTimeout(timer);
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
