import { expect, test } from "vitest";
import { ORIGINS } from "../support/origins.ts";
import { startRacing } from "../support/race/race.ts";

/** For each origin; with other seeds it plays other orders. */
const RACES = 100;
const FIRST_SEED = 1;

test("Whatever ends a consultation in the same tick and in whatever order, it settles once, nothing comes after that, and the next one works.", {
  timeout: 90_000,
}, async () => {
  for (const origin of ORIGINS) {
    await using racing = await startRacing(origin);

    for (let seed = FIRST_SEED; seed < FIRST_SEED + RACES; seed += 1)
      expect(await racing.race(seed)).toEqual([]);

    expect(await racing.inPeace()).toEqual([]);
    // Both sides of the settling were met, or the orders prove nothing.
    expect([...racing.outcomes.keys()].sort(), origin).toEqual(["advised", "cancelled"]);
  }
});
