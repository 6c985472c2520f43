/** The parent's file time, kept ahead of what its child writes. */

import { mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepParentAhead } from "../../src/advisor/recency.ts";

const NOON = Date.parse("2030-01-01T12:00:00.000Z");

let folder: string;
let parent: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "angel-recency-"));
  parent = join(folder, "parent.jsonl");
  writeFileSync(parent, "{}\n");
  utimesSync(parent, new Date(NOON - 5000), new Date(NOON - 5000));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test("The parent's file is ahead of whatever the child writes before the next touch.", () => {
  let now = NOON;
  const touch = keepParentAhead(parent, () => now);

  const leads = [];
  for (const elapsedMs of [0, 100, 249, 250, 300, 10_000]) {
    now = NOON + elapsedMs;
    touch();
    leads.push(statSync(parent).mtimeMs - now);
  }

  expect(leads).toEqual([1000, 900, 751, 1000, 950, 1000]);
  expect(statSync(parent).atimeMs).toBe(NOON - 5000);
});

test("A parent that is not saved, not there yet or gone is no obstacle.", () => {
  const missing = join(folder, "gone", "parent.jsonl");

  expect(() => keepParentAhead(undefined)()).not.toThrow();
  expect(() => keepParentAhead(missing)()).not.toThrow();
  expect(statSync(missing, { throwIfNoEntry: false })).toBeUndefined();
});
