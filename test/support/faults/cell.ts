// One cell of the fault matrix: an origin, a stage, a fault, and the one right outcome.

import type { Origin } from "../origins.ts";
import type { Seen } from "./play-fault.ts";

export interface Cell {
  readonly origin: Origin;
  readonly stage: string;
  readonly fault: string;
  readonly right: Right;
  readonly play: () => Promise<Seen>;
}

/** What must become of it; of what the session cannot keep, people are told. */
export type Right =
  | { readonly outcome: "advised" }
  | { readonly outcome: "failed" | "cancelled" | "refused"; readonly reason: RegExp }
  | { readonly outcome: "told"; readonly reason: RegExp }
  /** Nothing starts. */
  | { readonly outcome: "none" };

/** What was not as it must be, in words; empty when all was. */
export function judge(seen: Seen, right: Right): string[] {
  const wrong = [
    ...judgeOutcome(seen, right),
    ...seen.stale,
    ...seen.surprises,
    ...seen.thrown.filter((words) => !isExpected(words)).map((words) => `thrown: ${words}`),
  ];
  const advice = right.outcome === "advised" ? 1 : 0;
  if (seen.advice !== advice) wrong.push(`the executor was sent the advice ${seen.advice} times`);
  if (seen.next !== 1) wrong.push(`the advice of the next consultation was sent ${seen.next} times`);
  return wrong;
}

/** What the fault itself throws, and Pi's own words for a message that it cannot store. */
function isExpected(words: string): boolean {
  return words.includes("LISTENER-FAULT") || /^send_message: (EISDIR|ENOSPC|ENOENT)/.test(words);
}

function judgeOutcome({ outcomes, told }: Seen, right: Right): string[] {
  const kept = outcomes.map((outcome) => `the session keeps "${outcome}"`);
  if (right.outcome === "none") return kept;
  if (right.outcome === "told") {
    const isTold = told.some((words) => right.reason.test(words));
    return isTold ? kept : [...kept, `people were told "${told.join("; ")}"`];
  }
  const [outcome, ...more] = outcomes;
  if (outcome === undefined) return ["there is no outcome"];
  return more.length === 0 && fits(outcome, right) ? [] : kept;
}

function fits(outcome: string, right: Exclude<Right, { outcome: "told" | "none" }>): boolean {
  if (right.outcome === "advised") return outcome === "advised";
  return outcome.startsWith(`${right.outcome}: `) && right.reason.test(outcome);
}
