// The human origin: `/angel <question>`. Idle it runs at once; while the executor works it waits for the next
// safe boundary. It never causes a request of the executor.

import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import type { Consultation } from "../core/consultation.ts";
import { Cancellation } from "../core/desk.ts";
import { subjectOf } from "../core/naming.ts";
import { activityWords } from "../view/activity.ts";
import type { Board } from "./board.ts";
import { undelivered } from "./delivery.ts";
import type { Engine, Settled } from "./engine.ts";
import type { Notify } from "./notices.ts";

export interface HumanQuestions {
  /** Resolves when the consultation has settled and has been delivered; never rejects. */
  ask(question: string, ctx: ExtensionCommandContext): Promise<void>;
  isWaiting(): boolean;
  /** A safe boundary inside a run: what waits for it runs now, and the run waits. */
  atBoundary(signal: AbortSignal | undefined): Promise<void>;
  /** Resolves when nothing is being asked or delivered any more. */
  settled(): Promise<void>;
}

export interface HumanQuestionParts {
  readonly engine: Pick<Engine, "consult" | "status">;
  readonly board: Board;
  readonly tell: Notify;
  readonly deliver: (consultation: Consultation, settled: Settled, ctx: ExtensionCommandContext) => Settled;
  /** Listens for the user's interrupt key while a question is open; returns the end of listening. */
  readonly listen: (ctx: ExtensionCommandContext, interrupt: () => void) => () => void;
  /** Resolves when the executor's present turn has ended. */
  readonly turnOver: () => Promise<void>;
  /** Called when a question starts to wait for the end of a turn. */
  readonly onWaiting: () => void;
  readonly newId: () => string;
  /** ISO 8601. */
  readonly clock: () => string;
}

interface Waiting {
  readonly start: () => void;
  readonly controller: AbortController;
  readonly done: Promise<unknown>;
}

export function takeHumanQuestions(parts: HumanQuestionParts): HumanQuestions {
  const waiting = new Set<Waiting>();
  const open = new Set<Promise<unknown>>();

  const consult = async (question: string, ctx: ExtensionCommandContext): Promise<void> => {
    const { engine, board, deliver, onWaiting } = parts;
    const consultation: Consultation = {
      id: parts.newId(),
      origin: "human",
      question,
      toolCallIds: [],
      asked: parts.clock(),
    };
    const controller = new AbortController();
    const boundary = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const isIdle = ctx.isIdle();
    const wait: Waiting = { start: boundary.resolve, controller, done: done.promise };
    const isNext = isIdle && engine.status().running === undefined;
    // During a run Esc belongs to the run, and before another consultation to that one.
    const key = ctx.mode === "tui" && isNext ? "Esc when idle or " : "";
    const hint = `${key}/angel cancel stops it`;
    const line = board.open(ctx, subjectOf(consultation), hint);
    const stopListening = parts.listen(ctx, () =>
      controller.abort(new Cancellation("the user pressed Esc.")),
    );
    if (isIdle) boundary.resolve();
    else {
      waiting.add(wait);
      onWaiting();
      line.say(ctx.signal ? "waits for the end of this turn" : "waits until the session is idle");
      // The run may end without another turn; a session that is replaced meanwhile cancels the question first.
      ctx.waitForIdle().then(boundary.resolve, () => {});
    }
    if (isIdle && !isNext) line.say("waits for the consultation before it");
    try {
      const settled = await engine.consult({
        consultation,
        parent: ctx,
        signal: controller.signal,
        ...(isIdle ? {} : { ready: boundary.promise }),
        onProgress: (progress, sinceMs) =>
          line.show({ words: activityWords(progress), sinceMs, provisional: progress.provisional }),
      });
      let delivered: Settled;
      try {
        delivered = deliver(consultation, settled, ctx);
      } catch (error) {
        // The session's file may be gone, and somebody waits for an answer.
        parts.tell(undelivered(settled, error), "error", ctx);
        return;
      }
      // Pi keeps a message that comes in the middle of a turn until the turn has ended.
      if (isIdle && delivered.outcome.kind === "advised" && !ctx.isIdle()) {
        line.say("answered, shown at the end of this turn");
        await parts.turnOver();
      }
    } finally {
      stopListening();
      waiting.delete(wait);
      line.close();
      done.resolve();
    }
  };

  return {
    ask(question, ctx) {
      const asked = consult(question, ctx);
      open.add(asked);
      void asked.then(() => open.delete(asked));
      return asked;
    },
    isWaiting: () => waiting.size > 0,
    async atBoundary(signal) {
      const now = [...waiting];
      waiting.clear();
      const stop = () => {
        for (const { controller } of now) controller.abort(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
      for (const { start } of now) start();
      await Promise.all(now.map(({ done }) => done));
      signal?.removeEventListener("abort", stop);
    },
    async settled() {
      await Promise.all(open);
    },
  };
}
