// The desk: the one place where the consultations of a session wait, run and settle. One runs at a
// time. Among those that are ready the order of asking decides; one that is not ready holds nobody back.
// A companion's own may go ahead of what waits, or stay in the background and give way to anything else.

import type { Origin } from "./consultation.ts";

export interface Ticket {
  readonly id: string;
  readonly origin: Origin;
  /** What a human reads where it is listed: the first words of the question, or the failed operation. */
  readonly subject: string;
}

export interface DeskView {
  readonly running?: Ticket;
  readonly waiting: readonly Ticket[];
}

export interface Visit extends Ticket {
  /** Aborted by whoever asked (Esc, an RPC abort). */
  readonly signal?: AbortSignal | undefined;
  /** Resolves at a safe boundary; absent means ready at once. */
  readonly ready?: Promise<void>;
  /** ahead: before all that waits. background: behind it, and cancelled when anything else is asked. */
  readonly lane?: "ahead" | "background";
}

export interface Desk {
  /**
   * Runs `work` when it is this visit's turn and settles with its result. The signal given to `work` is
   * aborted by the visit's own signal and by `cancel`. A visit that is cancelled while it waits
   * never runs: it settles with `neverStarted(reason)`.
   */
  visit<T>(
    visit: Visit,
    work: (signal: AbortSignal) => Promise<T>,
    neverStarted: (reason: string) => T,
  ): Promise<T>;
  /** Cancels what runs and what waits, or only the one with `id`; returns what was cancelled. */
  cancel(reason: string, id?: string): readonly Ticket[];
  view(): DeskView;
}

interface Place {
  readonly ticket: Ticket;
  readonly lane: Visit["lane"];
  readonly controller: AbortController;
  isReady: boolean;
  readonly start: () => void;
}

export function openDesk(): Desk {
  const waiting: Place[] = [];
  let running: Place | undefined;

  const next = (): Place | undefined => {
    const ready = waiting.filter(({ isReady }) => isReady);
    const isQuiet = waiting.every(({ lane }) => lane === "background");
    return (
      ready.find(({ lane }) => lane === "ahead") ??
      ready.find(({ lane }) => lane !== "background") ??
      (isQuiet ? ready[0] : undefined)
    );
  };

  const callNext = () => {
    const place = running ? undefined : next();
    if (!place) return;
    waiting.splice(waiting.indexOf(place), 1);
    running = place;
    place.start();
  };

  return {
    visit(visit, work, neverStarted) {
      const { signal, ready, lane, ...ticket } = visit;
      return new Promise((resolve, reject) => {
        const controller = new AbortController();
        const place: Place = {
          ticket,
          lane,
          controller,
          isReady: !ready,
          start: () => {
            controller.signal.removeEventListener("abort", leave);
            void Promise.resolve()
              .then(() => work(controller.signal))
              .finally(() => {
                signal?.removeEventListener("abort", passOn);
                running = undefined;
                // Whoever asked delivers first, so that the next one finds the outcome in the parent.
                setImmediate(callNext);
              })
              .then(resolve, reject);
          },
        };
        const passOn = () => controller.abort(signal?.reason);
        const withdraw = () => {
          const at = waiting.indexOf(place);
          if (at >= 0) waiting.splice(at, 1);
          signal?.removeEventListener("abort", passOn);
          callNext();
        };
        const leave = () => {
          withdraw();
          resolve(neverStarted(abortReason(controller.signal)));
        };
        controller.signal.addEventListener("abort", leave, { once: true });
        if (signal?.aborted) return passOn();
        signal?.addEventListener("abort", passOn, { once: true });
        waiting.push(place);
        if (lane !== "background" && running?.lane === "background")
          running.controller.abort(new Cancellation(GAVE_WAY));
        ready?.then(
          () => {
            place.isReady = true;
            callNext();
          },
          (error: unknown) => {
            withdraw();
            reject(error);
          },
        );
        callNext();
      });
    },

    cancel(reason, id) {
      const meant = [...(running ? [running] : []), ...waiting].filter(
        (place) => !id || place.ticket.id === id,
      );
      for (const place of meant) place.controller.abort(new Cancellation(reason));
      return meant.map((place) => place.ticket);
    },

    view: () => ({
      ...(running ? { running: running.ticket } : {}),
      waiting: waiting.map((place) => place.ticket),
    }),
  };
}

const GAVE_WAY = "it ran in the background and gave way to another consultation.";

/** Carries the sentence that a cancelled consultation reports. */
export class Cancellation extends Error {}

/** The reason of an aborted signal in words; a host's own abort has none worth showing. */
export function abortReason(signal: AbortSignal): string {
  return signal.reason instanceof Cancellation ? signal.reason.message : "the run was stopped.";
}
