import { expect, test } from "vitest";
import { bootstrapMean, wilson } from "../../scripts/eval/interval.ts";

const rounded = ({ low, high }: { low: number; high: number }) => [low.toFixed(4), high.toFixed(4)];

test("Shares carry Wilson's interval.", () => {
  // Values that can be looked up in tables of the method.
  expect(rounded(wilson(0, 10))).toEqual(["0.0000", "0.2775"]);
  expect(rounded(wilson(5, 10))).toEqual(["0.2366", "0.7634"]);
  expect(rounded(wilson(10, 10))).toEqual(["0.7225", "1.0000"]);
  expect(rounded(wilson(81, 263))).toEqual(["0.2553", "0.3662"]);
  expect(wilson(0, 0)).toEqual({ low: 0, high: 1 });
});

test("The interval of a mean is the same every time and holds the mean.", () => {
  const groups = [[1, 2, 3], [4, 5], [9]];

  const first = bootstrapMean(groups);

  // With so many uneven groups two draws by chance would differ.
  const uneven = Array.from({ length: 15 }, (_, index) => [Math.sqrt(index), Math.exp(index / 7)]);
  expect(bootstrapMean(uneven)).toEqual(bootstrapMean(uneven));
  expect(first?.low).toBeGreaterThanOrEqual(2);
  expect(first?.low).toBeLessThan(4);
  expect(first?.high).toBeGreaterThan(4);
  expect(first?.high).toBeLessThanOrEqual(9);
});

test("Runs of one episode are drawn together, so more of them do not narrow the interval by themselves.", () => {
  const once = bootstrapMean([[0], [1], [0], [1]]);
  const often = bootstrapMean([Array(50).fill(0), Array(50).fill(1), Array(50).fill(0), Array(50).fill(1)]);

  expect(often).toEqual(once);
  expect(once).toEqual({ low: 0, high: 1 });
});

test("One episode has no interval of a mean.", () => {
  expect(bootstrapMean([[1, 2, 3], []])).toBeUndefined();
  expect(bootstrapMean([])).toBeUndefined();
});
