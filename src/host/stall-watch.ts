// The error origin: watches completed turns, and when an operation has stalled consults before the
// executor's next model call. Pi awaits turn_end before that call, so a stall found here still precedes it.

import type { ExtensionAPI, ExtensionContext, TurnEndEvent } from "@mariozechner/pi-coding-agent";
import type { Consultation } from "../core/consultation.ts";
import { subjectOf } from "../core/naming.ts";
import type { RecoveryMemory, Stall } from "../core/recovery.ts";
import { startRecoveryMemory } from "../core/recovery.ts";
import type { ProvenanceOf, TurnCall } from "../core/turn.ts";
import { attemptsOf } from "../core/turn.ts";
import { activityWords } from "../view/activity.ts";
import type { Board } from "./board.ts";
import type { Outbox } from "./delivery.ts";
import { deliver, undelivered } from "./delivery.ts";
import type { Engine } from "./engine.ts";
import type { Notify } from "./notices.ts";

export interface StallWatchParts {
  readonly engine: Pick<Engine, "consult" | "status">;
  readonly board: Board;
  readonly outbox: Outbox;
  readonly tell: Notify;
  readonly tools: Pick<ExtensionAPI, "getAllTools">;
  /** Whether Angel is on and usable; otherwise nothing is remembered. */
  readonly isWatching: (ctx: ExtensionContext) => Promise<boolean>;
  readonly newId: () => string;
  /** ISO 8601. */
  readonly clock: () => string;
}

export interface StallWatch {
  completed(event: TurnEndEvent, ctx: ExtensionContext): Promise<void>;
  /** A task boundary. */
  forget(): void;
  /** Resolves when nothing is consulted about or delivered any more. */
  settled(): Promise<void>;
  /** False while a turn without failures has nothing to tell. */
  isExpecting(): boolean;
}

export function watchStalls(parts: StallWatchParts): StallWatch {
  const memory = startRecoveryMemory();
  let last: Promise<void> = Promise.resolve();
  return {
    async completed(event, ctx) {
      // Pi's getter answers only while the run lives, so the run's signal is taken at once.
      const { signal } = ctx;
      const stalls = await observe(event, ctx, signal, parts, memory);
      if (stalls.length === 0) return;
      // A run has one turn at a time, and so one such consultation.
      last = consult(stalls, ctx, signal, parts);
      await last;
    },
    settled: () => last.catch(() => {}),
    forget: () => memory.clear(),
    isExpecting: () => !memory.isEmpty(),
  };
}

async function observe(
  { message, toolResults, toolResultEntryIds, outcome }: TurnEndEvent,
  ctx: ExtensionContext,
  signal: AbortSignal | undefined,
  parts: StallWatchParts,
  memory: RecoveryMemory,
): Promise<readonly Stall[]> {
  // An aborted batch looks like ordinary failures; only the signal tells.
  if (outcome !== "completed" || signal?.aborted || message.role !== "assistant") return [];
  // Calls of a message that was cut by the output limit were never run.
  if (message.stopReason === "length") return [];
  if (memory.isEmpty() && !toolResults.some((result) => result.isError)) return [];
  if (!(await parts.isWatching(ctx))) {
    memory.clear();
    return [];
  }
  const calls: TurnCall[] = message.content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
  const results = toolResults.map((result, n) => ({ ...result, entryId: toolResultEntryIds[n] ?? "" }));
  return memory.completed(attemptsOf(calls, results, provenance(parts.tools)));
}

async function consult(
  stalls: readonly Stall[],
  ctx: ExtensionContext,
  signal: AbortSignal | undefined,
  { engine, board, outbox, tell, newId, clock }: StallWatchParts,
): Promise<void> {
  const consultation: Consultation = {
    id: newId(),
    origin: "error",
    toolCallIds: stalls.flatMap(({ earlierCallId, presentCallId }) => [earlierCallId, presentCallId]),
    stalls,
    asked: clock(),
  };
  const line = board.open(
    ctx,
    `${subjectOf(consultation)} failed again`,
    "Esc stops the run, /angel cancel only Angel",
  );
  if (engine.status().running) line.say("waits for the consultation before it");
  try {
    const settled = await engine.consult({
      consultation,
      parent: ctx,
      signal,
      onProgress: (progress, sinceMs) =>
        line.show({ words: activityWords(progress), sinceMs, provisional: progress.provisional }),
    });
    try {
      deliver(outbox, consultation, settled, ctx);
    } catch (error) {
      // The run goes on without it.
      tell(undelivered(settled, error), "error", ctx);
    }
  } finally {
    line.close();
  }
}

function provenance(tools: Pick<ExtensionAPI, "getAllTools">): ProvenanceOf {
  return (name) => tools.getAllTools().find((tool) => tool.name === name)?.sourceInfo;
}
