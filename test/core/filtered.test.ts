/** Filtering a whole branch: whatever else the process has to do goes on meanwhile. */

import { expect, test } from "vitest";
import { readBranch } from "../../src/core/branch.ts";
import { filterBranch } from "../../src/core/filtered.ts";
import { buildSession } from "../support/session-builder.ts";

function longBranch() {
  const built = buildSession();
  for (let n = 0; n < 50; n += 1) built.user(`${n} ${"word ".repeat(1000)}`);
  const { manager } = built;
  return readBranch(manager.getBranch(), manager.getLeafId());
}

const upper = async (text: string) => text.toUpperCase();
const pause = () => new Promise<void>((resume) => setImmediate(resume));

test("While a long session is filtered, everything else of the process has its turn.", async () => {
  const branch = longBranch();
  let turns = 0;
  const other = setImmediate(function again() {
    turns += 1;
    next = setImmediate(again);
  });
  let next = other;

  const filtered = await filterBranch(branch, "leaf", upper, pause, undefined);
  clearImmediate(next);

  expect(turns).toBeGreaterThanOrEqual(4);
  const [entry] = branch.entries;
  expect(entry && filtered.contentsOf(entry).texts[0]?.text).toMatch(/^0 WORD WORD/);
});

test("A cancellation ends the filtering of a long session on its way.", async () => {
  const stop = new AbortController();
  let seen = 0;
  const counting = async (text: string) => {
    seen += 1;
    return text;
  };
  setImmediate(() => stop.abort(new Error("stopped")));

  await expect(filterBranch(longBranch(), "leaf", counting, pause, stop.signal)).rejects.toThrow("stopped");
  expect(seen).toBeLessThan(50);
});
