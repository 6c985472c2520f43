// The engine: the one door through which every consultation goes, whoever asks. It waits at the desk,
// is carried out, and settles once.

import { keepSettings } from "../advisor/child-settings.ts";
import { loadInstructions } from "../advisor/instructions.ts";
import type { Desk, DeskView, Ticket, Visit } from "../core/desk.ts";
import { abortReason, openDesk } from "../core/desk.ts";
import { subjectOf } from "../core/naming.ts";
import type { Outcome } from "../core/outcome.ts";
import { cancelled, failed } from "../core/outcome.ts";
import type { Progress } from "../core/progress.ts";
import { NO_PROGRESS } from "../core/progress.ts";
import type { ConsultationRecord } from "../core/record.ts";
import { isOnBranch } from "../core/snapshot.ts";
import { NOTHING_SPENT } from "../core/usage.ts";
import type { Assignment, Means } from "./carry-out.ts";
import type { Companions } from "./companions.ts";
import { gatherCompanions } from "./companions.ts";
import { readPlace } from "./place.ts";
import type { Facts } from "./settlement.ts";
import { composeRecord, MOVED } from "./settlement.ts";
import { throttle } from "./throttle.ts";

export interface Request extends Assignment {
  /** Stops this consultation, waiting or running. */
  readonly signal: AbortSignal | undefined;
  /** Resolves at a safe boundary; absent: ready at once. */
  readonly ready?: Promise<void>;
  readonly lane?: Visit["lane"];
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

export interface EngineParts extends Pick<Means, "availability" | "extensions"> {
  readonly companions?: Companions;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
}

/** Often enough to read along; each showing makes a terminal draw itself anew. */
const SHOW_EVERY_MS = 300;

export function startEngine({ now, companions = gatherCompanions(() => {}), ...parts }: EngineParts): Engine {
  const desk = openDesk();
  const means: Means = { ...parts, companions, instructions: loadInstructions(), settings: keepSettings() };

  // The advisor's room and parent_session are half of Angel, and a session that never asks needs none of it.
  let loading: Promise<Room> | undefined;
  const room = () => {
    loading ??= import("./carry-out.ts");
    return loading;
  };

  return {
    async consult(request) {
      const { consultation, signal, ready, lane } = request;
      const { id, origin } = consultation;
      let started = now();
      companions.emit({ type: "asked", consultationId: id, origin });
      const visit = {
        ...{ id, origin, subject: subjectOf(consultation), signal },
        ...(ready ? { ready } : {}),
        ...(lane ? { lane } : {}),
      };
      const settling = desk.visit(
        visit,
        async (turn) => {
          // The time at the desk is not the consultation's own.
          started = now();
          const shown = throttle(
            (progress: Progress) => request.onProgress(progress, started),
            SHOW_EVERY_MS,
            { now, after },
          );
          shown.pass(NO_PROGRESS);
          return settle(request, turn, shown.pass, means, room).finally(shown.end);
        },
        (reason) => ({ outcome: cancelled(reason), facts: { usage: NOTHING_SPENT } }),
      );
      if (waits(desk, id)) companions.emit({ type: "waiting", consultationId: id, origin });
      const { outcome, facts } = await settling;
      const own = companions.facts(id);
      const record = composeRecord(
        consultation,
        outcome,
        Object.keys(own).length > 0 ? { ...facts, companions: own } : facts,
        Math.round(now() - started),
      );
      const advice = outcome.kind === "advised" ? { advice: outcome.advice } : {};
      companions.emit({ type: "settled", record, ...advice });
      return { outcome, record };
    },
    cancel: (reason, id) => desk.cancel(reason, id),
    status: () => desk.view(),
  };
}

type Room = typeof import("./carry-out.ts");

async function settle(
  request: Request,
  signal: AbortSignal,
  show: (progress: Progress) => void,
  means: Means,
  room: () => Promise<Room>,
): Promise<{ outcome: Outcome; facts: Facts }> {
  let facts: Facts = { usage: NOTHING_SPENT };
  const learn = (more: Partial<Facts>) => {
    facts = { ...facts, ...more };
  };
  const start = async () => {
    if (signal.aborted) return cancelled(abortReason(signal));
    const place = readPlace(request.parent);
    learn({ parentLeafId: place.snapshot.leafId });
    const { carryOut } = await room();
    return carryOut(request, place, { signal, onProgress: show, learn }, means);
  };
  const outcome = await start().catch((error: unknown) =>
    failed(`the consultation could not be carried out: ${messageOf(error)}`),
  );
  // An answer that comes home after the cancellation, or to another place in the tree, is withheld.
  if (signal.aborted) return { outcome: cancelled(abortReason(signal)), facts };
  const { sessionManager } = request.parent;
  const hasMoved = facts.parentLeafId !== undefined && !isOnBranch(sessionManager, facts.parentLeafId);
  return { outcome: hasMoved ? cancelled(MOVED) : outcome, facts };
}

function waits(desk: Pick<Desk, "view">, id: string): boolean {
  return desk.view().waiting.some((ticket) => ticket.id === id);
}

function after(delayMs: number, call: () => void): () => void {
  const timer = setTimeout(call, delayMs);
  return () => clearTimeout(timer);
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
