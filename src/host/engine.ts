// The engine: the one door through which every consultation goes, whoever asks. It waits at the desk,
// pins the parent, opens a child, lets it investigate, charges the parent, and settles once.

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { AgentSession, ExtensionContext } from "@mariozechner/pi-coding-agent";
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
import type { ConsultationRecord } from "../core/record.ts";
import { RECORD_VERSION } from "../core/record.ts";
import type { Snapshot } from "../core/snapshot.ts";
import { isOnBranch, pinSnapshot } from "../core/snapshot.ts";
import type { PriceLookup, UsageReport } from "../core/usage.ts";
import { NOTHING_SPENT, tallyUsage } from "../core/usage.ts";
import { chargeParent } from "./accounting.ts";
import type { Availability, ParentView } from "./availability.ts";

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
  readonly onProgress: (progress: Progress) => void;
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

/** What is known of a consultation by the time it settles. */
type Facts = Partial<
  Pick<ConsultationRecord, "model" | "thinking" | "parentLeafId" | "childSessionId" | "childSessionFile">
> & { readonly usage: UsageReport };

const MOVED = "the session moved to another place in its tree.";

type Learn = (more: Partial<Facts>) => void;

export function startEngine({ availability, extensions: chooseExtensions, now }: EngineParts): Engine {
  const desk = openDesk();
  const instructions = loadInstructions();

  const run = async (request: Request, signal: AbortSignal, learn: Learn): Promise<Outcome> => {
    const { consultation, parent, onProgress } = request;
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
  ): Promise<{ outcome: Outcome; facts: Facts }> => {
    let facts: Facts = { usage: NOTHING_SPENT };
    const learn: Learn = (more) => {
      facts = { ...facts, ...more };
    };
    const outcome = await run(request, signal, learn).catch((error: unknown) =>
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
        (turn) => {
          // The time at the desk is not the consultation's own.
          started = now();
          return settle(request, turn);
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

/** Charges the parent and says what is left of the child. */
function settleChild(
  session: AgentSession,
  hasPrice: PriceLookup,
  parentManager: object,
): Pick<Facts, "usage" | "childSessionId" | "childSessionFile"> {
  const { sessionId, sessionFile } = session;
  const { byModel, report } = tallyUsage(session.sessionManager.getEntries(), hasPrice);
  try {
    chargeParent(parentManager, byModel, sessionId);
  } catch {
    // The parent's folder may be gone or full; its record still says what was spent.
  }
  return {
    usage: report,
    childSessionId: sessionId,
    ...(sessionFile && existsSync(sessionFile) ? { childSessionFile: sessionFile } : {}),
  };
}

function priceLookup(models: Pick<Parent["modelRegistry"], "find">): PriceLookup {
  return (provider, id) => {
    const cost = models.find(provider, id)?.cost;
    return cost !== undefined && cost.input + cost.output > 0;
  };
}

function composeRecord(
  consultation: Consultation,
  outcome: Outcome,
  facts: Facts,
  elapsedMs: number,
): ConsultationRecord {
  const { id, origin, asked } = consultation;
  return {
    version: RECORD_VERSION,
    consultationId: id,
    origin,
    subject: subjectOf(consultation),
    outcome: outcome.kind,
    ...(outcome.kind === "advised" ? {} : { reason: outcome.reason }),
    asked,
    elapsedMs,
    ...facts,
  };
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
