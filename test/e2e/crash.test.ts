import { expect, test } from "vitest";
import { crash } from "../support/crash/crashes.ts";
import { STRUCK } from "../support/crash/moment.ts";
import { ORIGINS } from "../support/origins.ts";

/** Printed when something is wrong: `npm run crash 12 <seed>` plays the same again. */
const SEED = 7;

test("A Pi that is killed at any moment of a consultation of any origin goes on with pi -c: every file loads, no call lacks its result, and the advice is there once or not at all.", async () => {
  const crashes = await crash({ crashes: 12, seed: SEED });

  expect(
    crashes.filter(({ wrong }) => wrong.length > 0),
    `seed ${SEED}`,
  ).toEqual([]);
  expect(crashes).toHaveLength(12);
  // Every event and every origin was struck, or the list above says little.
  expect(new Set(crashes.map(({ struck }) => struck))).toEqual(new Set(STRUCK));
  expect(new Set(crashes.map(({ origin }) => origin))).toEqual(new Set(ORIGINS));
});
