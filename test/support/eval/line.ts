// A line of results as a finished run leaves it.

import type { Line } from "../../../scripts/eval/journal.ts";

type Scored = Extract<Line["result"], { kind: "scored" }>;

export const USAGE = {
  state: "known",
  input: 900,
  output: 100,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 1000,
  cost: 0.5,
} as const;

export function lineOf(overrides: Partial<Line> = {}): Line {
  return {
    version: 1,
    episode: "far-cause",
    arm: "angel",
    run: 1,
    executor: "local/exec:high",
    advisor: "local/adv:max",
    asking: "prompted",
    right: "repair",
    made: { pi: "1.6.0", episode: "0123456789ab", arm: "0.1.0" },
    started: "2026-12-01T12:00:00.000Z",
    elapsedMs: 4000,
    result: scored(),
    ...overrides,
  };
}

export function scored(overrides: Partial<Scored> = {}, score: Partial<Scored["score"]> = {}): Scored {
  return {
    kind: "scored",
    ended: "finished",
    score: {
      hasRecovered: true,
      repeatedCalls: 0,
      wrongAdvice: { given: [], followed: [] },
      claims: { cited: [], unsupported: [] },
      wrongClaims: [],
      ...score,
    },
    reported: {
      consultations: 1,
      executorCalls: 3,
      advisorCalls: 5,
      adviceCharacters: 400,
      sureWords: 1,
      unsureWords: 2,
      evidence: { touched: 2, of: 4 },
    },
    usage: { executor: USAGE, advisor: USAGE },
    sessions: "sessions/far-cause--angel--1",
    ...overrides,
  };
}
