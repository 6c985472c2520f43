import { expect, test } from "vitest";
import { playMatrix } from "../support/faults/matrix.ts";

/** Some two hundred consultations. */
const LIMIT_MS = 300_000;

test("Whatever fault strikes an automatic consultation at whatever stage, there is one right outcome with its reason, nothing stale, and the next consultation works.", {
  timeout: LIMIT_MS,
}, async () => {
  expect(await playMatrix("error")).toEqual({});
});
