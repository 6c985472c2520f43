// A consultation record as a healthy consultation leaves it.

import type { ConsultationRecord } from "../../src/core/record.ts";

export function consultationRecord(overrides: Partial<ConsultationRecord> = {}): ConsultationRecord {
  return {
    version: 1,
    consultationId: "01JDZQ7Y3T8XK2M5N6P7Q8R9SA",
    origin: "executor",
    outcome: "advised",
    childSessionId: "01a22eb8-113c-713c-8bc8-463fc5d03313",
    childSessionFile: "/sessions/2026-11-30_01a22eb8.jsonl",
    model: "local/adv",
    thinking: { requested: "max", effective: "max" },
    asked: "2026-11-30T12:00:00.000Z",
    elapsedMs: 12_345,
    usage: {
      state: "known",
      input: 3000,
      output: 150,
      cacheRead: 600,
      cacheWrite: 0,
      totalTokens: 3750,
      cost: 0.00336,
    },
    parentLeafId: "ae274193",
    ...overrides,
  };
}
