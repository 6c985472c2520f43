/** A record as another version of Angel may have written it. */

import fc from "fast-check";
import { expect, test } from "vitest";
import { readRecord } from "../../src/core/read-record.ts";
import type { ConsultationRecord } from "../../src/core/record.ts";

const RECORD: ConsultationRecord = {
  version: 1,
  consultationId: "01ID",
  origin: "executor",
  outcome: "failed",
  reason: "the provider said no.",
  childSessionId: "child",
  childSessionFile: "/sessions/child.jsonl",
  model: "local/adv",
  thinking: { requested: "max", effective: "high" },
  asked: "2030-01-01T00:00:00.000Z",
  elapsedMs: 1234,
  usage: { state: "partial", input: 1, output: 2, cacheRead: 3, cacheWrite: 4, totalTokens: 10, cost: 0.5 },
  parentLeafId: "leaf",
};

test("A record comes back from a session file as it was written.", () => {
  const written = [
    RECORD,
    { ...RECORD, parentLeafId: null },
    { ...RECORD, usage: { state: "unavailable" } },
    {
      version: 1,
      consultationId: "01ID",
      origin: "companion",
      outcome: "advised",
      asked: "now",
      elapsedMs: 0,
      usage: { state: "unavailable" },
    },
  ];

  for (const record of written) expect(readRecord(JSON.parse(JSON.stringify(record)))).toEqual(record);
});

test("A record of a later version is read as far as it is understood.", () => {
  const later = {
    ...RECORD,
    version: 7,
    outcome: "advised",
    confidence: 0.9,
    usage: { state: "estimated", input: 5 },
    thinking: { requested: "max" },
  };

  const { thinking, ...rest } = RECORD;
  expect(thinking).toBeDefined();
  expect(readRecord(later)).toEqual({
    ...rest,
    version: 7,
    outcome: "advised",
    usage: { state: "unavailable" },
  });
});

test("A count that is missing or no number makes the usage unavailable, and a cost alone only itself.", () => {
  const { usage } = RECORD;
  const counts = ["input", "output", "cacheRead", "cacheWrite", "totalTokens"];

  for (const count of counts) {
    expect(readRecord({ ...RECORD, usage: { ...usage, [count]: "many" } })?.usage).toEqual({
      state: "unavailable",
    });
  }
  expect(readRecord({ ...RECORD, usage: { ...usage, cost: "some" } })?.usage).not.toHaveProperty("cost");
});

test("What is no record is none, whatever it is, and nothing in a session file breaks the reader.", () => {
  const outcomes = ["advised", "failed", "cancelled"];
  for (const value of [
    undefined,
    null,
    [],
    "record",
    5,
    {},
    { ...RECORD, outcome: "won" },
    { ...RECORD, consultationId: 1 },
  ]) {
    expect(readRecord(value)).toBeUndefined();
  }

  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(RECORD)), fc.jsonValue()), (parts) => {
      const record = readRecord({ ...RECORD, ...parts });
      if (record === undefined) return;
      expect(outcomes).toContain(record.outcome);
      expect(Number.isFinite(record.elapsedMs)).toBe(true);
      if (record.usage.state !== "unavailable") expect(Number.isFinite(record.usage.totalTokens)).toBe(true);
    }),
  );
});
