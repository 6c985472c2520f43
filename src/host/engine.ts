// The engine: the one door through which every consultation goes, whoever asks. It waits at the desk,
// pins the parent, opens a child, lets it investigate, charges the parent, and settles once.

import { existsSync } from "node:fs";
import type { AgentSession, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { openChild } from "../advisor/child.ts";
import { childEntry } from "../advisor/child-entry.ts";
import { closeChild } from "../advisor/close-child.ts";
import { loadInstructions } from "../advisor/instructions.ts";
import { investigate } from "../advisor/investigation.ts";
import { defineParentSession } from "../advisor/parent-session/tool.ts";
import { keepParentAhead } from "../advisor/recency.ts";
import { composeAssignment } from "../core/assignment.ts";
import type { Consultation } from "../core/consultation.ts";
import type { DeskView, Ticket } from "../core/desk.ts";
import { abortReason, openDesk } from "../core/desk.ts";
import { childSessionName, subjectOf } from "../core/naming.ts";
import type { Outcome } from "../core/outcome.ts";
import { cancelled, failed } from "../core/outcome.ts";
import type { Progress } from "../core/progress.ts";
import type { ConsultationRecord } from "../core/record.ts";
import { RECORD_VERSION } from "../core/record.ts";
import { pinSnapshot } from "../core/snapshot.ts";
import type { UsageReport } from "../core/usage.ts";
import { tallyUsage } from "../core/usage.ts";
import { chargeParent } from "./accounting.ts";
import type { Availability } from "./availability.ts";

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
  readonly availability: (parent: Parent) => Promise<Availability>;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** What is known of a consultation by the time it settles. */
type Facts = Partial<
  Pick<ConsultationRecord, "model" | "thinking" | "parentLeafId" | "childSessionId" | "childSessionFile">
> & { readonly usage: UsageReport };

const NOTHING_SPENT: UsageReport = {
  state: "known",
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: 0,
};

export function startEngine({ availability, now }: EngineParts): Engine {
  const desk = openDesk();
  const instructions = loadInstructions();

  const run = async (request: Request, signal: AbortSignal): Promise<{ outcome: Outcome; facts: Facts }> => {
    const { consultation, parent, onProgress } = request;
    let facts: Facts = { usage: NOTHING_SPENT };
    const found = await availability(parent);
    if (found.kind === "unusable") return { outcome: failed(found.reason), facts };
    if (signal.aborted) return { outcome: cancelled(abortReason(signal)), facts };

    const { advisor, runtime } = found;
    const { sessionManager, modelRegistry } = parent;
    const snapshot = pinSnapshot(sessionManager);
    const assignment = composeAssignment(consultation, snapshot);
    facts = { ...facts, model: advisor.name, thinking: advisor.thinking, parentLeafId: snapshot.leafId };
    let session: AgentSession | undefined;
    let outcome: Outcome;
    try {
      session = await openChild({
        advisor,
        runtime,
        assignment,
        systemPrompt: instructions.systemPrompt(consultation.origin),
        entry: childEntry(consultation, snapshot, advisor),
        sessionName: childSessionName(consultation),
        tools: [
          defineParentSession(snapshot, {
            triggers: consultation.toolCallIds,
            takesImages: advisor.model.input.includes("image"),
          }),
        ],
        home: {
          cwd: parent.cwd,
          isProjectTrusted: parent.isProjectTrusted(),
          sessionDir: sessionManager.getSessionDir(),
          ...(snapshot.sessionFile ? { parentFile: snapshot.sessionFile } : {}),
        },
      });
      outcome = await investigate(session, {
        assignment,
        nudge: instructions.nudge,
        signal,
        onProgress,
        onActivity: keepParentAhead(snapshot.sessionFile),
      });
    } catch (error) {
      outcome = failed(`the consultation could not be carried out: ${messageOf(error)}`);
    }
    if (session) {
      await closeChild(session);
      const hasPrice = (provider: string, id: string) => {
        const cost = modelRegistry.find(provider, id)?.cost;
        return cost !== undefined && cost.input + cost.output > 0;
      };
      facts = { ...facts, ...settleChild(session, hasPrice, sessionManager) };
    }
    // An answer that comes home after the cancellation is withheld.
    if (signal.aborted && outcome.kind !== "cancelled") outcome = cancelled(abortReason(signal));
    return { outcome, facts };
  };

  return {
    async consult(request) {
      const { consultation, signal } = request;
      const started = now();
      const ticket = { id: consultation.id, origin: consultation.origin, subject: subjectOf(consultation) };
      const { outcome, facts } = await desk.visit(
        { ...ticket, signal },
        (turn) => run(request, turn),
        (reason) => ({ outcome: cancelled(reason), facts: { usage: NOTHING_SPENT } }),
      );
      return { outcome, record: composeRecord(consultation, outcome, facts, Math.round(now() - started)) };
    },
    cancel: (reason, id) => desk.cancel(reason, id),
    status: () => desk.view(),
  };
}

/** Charges the parent and says what is left of the child. */
function settleChild(
  session: AgentSession,
  hasPrice: (provider: string, model: string) => boolean,
  parentManager: object,
): Pick<Facts, "usage" | "childSessionId" | "childSessionFile"> {
  const { sessionId, sessionFile } = session;
  const entries = session.sessionManager.getEntries();
  const wasAsked = entries.some((entry) => entry.type === "message" && entry.message.role === "assistant");
  const { byModel, report } = tallyUsage(entries, hasPrice);
  try {
    chargeParent(parentManager, byModel, sessionId);
  } catch {
    // The parent's folder may be gone or full; its record still says what was spent.
  }
  return {
    usage: wasAsked ? report : NOTHING_SPENT,
    childSessionId: sessionId,
    ...(sessionFile && existsSync(sessionFile) ? { childSessionFile: sessionFile } : {}),
  };
}

function composeRecord(
  { id, origin, asked }: Consultation,
  outcome: Outcome,
  facts: Facts,
  elapsedMs: number,
): ConsultationRecord {
  return {
    version: RECORD_VERSION,
    consultationId: id,
    origin,
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
