/** The arithmetic of the benchmark, and that a goal that is missed is shown as missed. */

import { expect, test } from "vitest";
import type { Row } from "../../scripts/bench/figures.ts";
import { median, ratioOf, tableOf, verdictOf, withTable } from "../../scripts/bench/figures.ts";

test("A median is the middle one, or the middle of the two in the middle; of nothing there is none.", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 9, 5])).toBe(4.5);
  expect(median([])).toBeNaN();
});

test("A goal is met up to its bound, missed beyond it, and not measured without a figure; the table says which.", () => {
  const row = (found?: number): Row => ({
    what: "a thing",
    goal: "≤ 2 ×",
    most: 2,
    ...(found === undefined ? {} : { found }),
  });

  expect([row(2), row(2.01), row(), row(Number.NaN)].map(verdictOf)).toEqual([
    "met",
    "not met",
    "not measured",
    "not measured",
  ]);
  expect(tableOf([row(2.5), { ...row(0.012), unit: "KB", note: "in passing" }]).split("\n")).toEqual([
    "| what | goal | found |  | note |",
    "| --- | --- | --- | --- | --- |",
    "| a thing | ≤ 2 × | 2.50 × | not met |  |",
    "| a thing | ≤ 2 × | 0.0 KB | met | in passing |",
  ]);
});

test("A ratio to which noise left nothing on either side is no figure, and meets no goal.", () => {
  expect(ratioOf(3, 2)).toEqual({ found: 1.5 });
  expect(ratioOf(0, 2)).toEqual({ found: 0 });
  const lost = [ratioOf(3, -2), ratioOf(3, 0), ratioOf(-3, 2), ratioOf(-3, -2), ratioOf(Number.NaN, 2)];
  for (const ratio of lost) {
    expect(ratio.note).toMatch("lost in noise");
    expect(verdictOf({ what: "a thing", goal: "≤ 2 ×", most: 2, ...ratio })).toBe("not measured");
  }
});

test("The table goes between its marks and nowhere else.", () => {
  expect(withTable("a\n<!-- bench -->\nold\n<!-- /bench -->\nb\n", "| new |")).toBe(
    "a\n<!-- bench -->\n\n| new |\n\n<!-- /bench -->\nb\n",
  );
  expect(() => withTable("no marks", "| new |")).toThrow("The page has no place for the table");
});
