import { expect, test } from "vitest";
import { soak } from "../support/soak.ts";

test("Consultations of every origin and outcome, one after the other in one process, leave no timer, handle or listener behind.", async () => {
  const { figures, surprises } = await soak(24, 8);

  const [warm, , last] = figures;
  expect(surprises).toEqual([]);
  expect(last?.children).toBe(24);
  expect(last?.resources).toBeLessThanOrEqual(warm?.resources ?? 0);
  expect(last?.listeners).toBe(warm?.listeners);
  expect(last?.openFiles).toBeLessThanOrEqual(warm?.openFiles ?? 0);
});
