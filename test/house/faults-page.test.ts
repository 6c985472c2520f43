import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { faultMatrix, faultPage } from "../support/faults/matrix.ts";

test("The published table of faults is the one that is played.", () => {
  const page = readFileSync(new URL("../../docs/faults.md", import.meta.url), "utf8");

  expect(page).toBe(faultPage(faultMatrix()));
});
