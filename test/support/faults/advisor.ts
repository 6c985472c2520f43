// The advisor of a faulty consultation, as a script that never runs out: what it answers hangs on how far the
// consultation has come, and not on how many requests that took.

import type { LoggedRequest } from "../model-server.ts";
import { isForSummary } from "../small-advisor.ts";
import type { Answer } from "../steps.ts";
import { say } from "../steps.ts";
import type { Stage } from "./stage.ts";

export const ADVICE = "ADVICE-OF-THE-STRUCK";
export const FRESH = "FRESH-ADVICE";

export interface FaultyAdvisor {
  /** Resolves when a request is struck for the first time. */
  readonly struck: Promise<void>;
  /** The present consultation is over: every later one goes well. */
  recover(): void;
  answer(request: LoggedRequest): Answer | Promise<Answer>;
}

/** @param strike answers a struck request; undefined lets it pass */
export function makeFaultyAdvisor(
  { lead, isStruck = () => true }: Stage,
  strike: (n: number) => Answer | Promise<Answer> | undefined,
): FaultyAdvisor {
  const struck = Promise.withResolvers<void>();
  let led = 0;
  let strikes = 0;
  let isRecovered = false;
  return {
    struck: struck.promise,
    recover: () => {
      isRecovered = true;
    },
    answer(request) {
      const usual = isForSummary(request) ? say("The story so far.") : say(isRecovered ? FRESH : ADVICE);
      if (isRecovered) return usual;
      const next = lead[led];
      if (next !== undefined && !isForSummary(request)) {
        led += 1;
        return next;
      }
      if (!isStruck(request)) return usual;
      strikes += 1;
      struck.resolve();
      return strike(strikes) ?? usual;
    },
  };
}
