// Plays a consultation that is struck, and the next one, and says what was seen.

import type { ConsultingOptions } from "../consulting.ts";
import type { Origin } from "../origins.ts";
import type { FaultyAdvisor } from "./advisor.ts";
import { ADVICE, FRESH } from "./advisor.ts";
import type { Occasion } from "./occasion.ts";
import { startOccasion } from "./occasion.ts";
import { HALF } from "./stage.ts";

export interface Seen {
  /** What became of the struck consultation, as the session keeps it. */
  readonly outcomes: readonly string[];
  /** What people were told of it besides, errors of Pi's own included. */
  readonly told: readonly string[];
  /** How often the executor was sent its advice. */
  readonly advice: number;
  /** Where words stand that should have got nowhere. */
  readonly stale: readonly string[];
  /** How often the executor was sent the advice of the next consultation. */
  readonly next: number;
  /** Calls without results on the wire, requests without a step, rejections nobody took. */
  readonly surprises: readonly string[];
  /** What handlers of extensions threw. */
  readonly thrown: readonly string[];
}

export interface Play {
  readonly origin: Origin;
  readonly advisor: FaultyAdvisor;
  readonly options?: ConsultingOptions;
  /** Before Angel is asked. */
  readonly prepare?: (occasion: Occasion) => void;
  /** While it is asked. */
  readonly act?: (occasion: Occasion) => Promise<unknown>;
  /** Puts right what has been broken, before the next consultation. */
  readonly repair?: (occasion: Occasion) => unknown;
}

export async function playFault({ origin, advisor, options, prepare, act, repair }: Play): Promise<Seen> {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  try {
    await using occasion = await startOccasion(origin, advisor, options);
    const { pi, board } = occasion;
    prepare?.(occasion);
    const asked = occasion.ask();
    await act?.(occasion);
    const refused = await asked;
    // Nothing of the advisor's is left open.
    await Promise.all(pi.server.requests("adv").map(({ done }) => done));
    await repair?.(occasion);
    const outcomes = occasion.outcomes();
    const told = [...board.notices.filter((notice) => !notice.startsWith("info:")), ...refused];
    advisor.recover();
    const sent = await occasion.goOn();
    await occasion.ask();
    const last = await occasion.goOn();
    const isAdvised = timesIn(sent, ADVICE) > 0;
    return {
      outcomes,
      told,
      advice: timesIn(sent, ADVICE),
      stale: [
        ...placesOf(HALF, last, occasion.entries()),
        ...(isAdvised ? [] : placesOf(ADVICE, last, occasion.entries())),
      ],
      next: timesIn(last, FRESH),
      surprises: [
        ...pi.server.unexpected,
        ...pi.server.violations,
        ...unhandled.map((reason) => `unhandled: ${reason}`),
      ],
      thrown: pi.extensionErrors.map(({ event, error }) => `${event}: ${error}`),
    };
  } finally {
    process.off("unhandledRejection", note);
  }
}

function placesOf(words: string, sent: string, kept: string): string[] {
  return [
    ...(sent.includes(words) ? [`sent: ${words}`] : []),
    ...(kept.includes(words) ? [`kept: ${words}`] : []),
  ];
}

function timesIn(text: string, words: string): number {
  return text.split(words).length - 1;
}
