// One consultation as it is asked, before anybody has answered it.

import type { Stall } from "./recovery.ts";

/** The core knows these three; a companion may bring a word of its own. */
export type Origin = "executor" | "human" | "error" | (string & {});

export interface Consultation {
  /** ULID: unique, and sorts by the time of asking. */
  readonly id: string;
  readonly origin: Origin;
  /** Absent for the error origin, which asks no question in words. */
  readonly question?: string;
  /** What the asker adds to sharpen the question; absent when nothing was added. */
  readonly context?: string;
  /** The parent's tool calls that led here: the `angel` call, or the failures of a stall. Empty for a human question. */
  readonly toolCallIds: readonly string[];
  /** What failed again; only the error origin has it. */
  readonly stalls?: readonly Stall[];
  /** When it was asked, ISO 8601. */
  readonly asked: string;
}

/** A question holds at least one letter or digit. */
export function saysSomething(question: string): boolean {
  return /[\p{L}\p{N}]/u.test(question);
}
