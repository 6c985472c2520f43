/** Which versions of Pi will do. */

import { expect, test } from "vitest";
import { hostProblem, OLDEST_PI } from "../../src/host/host-version.ts";

test("An older Pi gets one sentence that names the version it needs.", () => {
  const older = ["1.4.9", "1.4.0", "0.99.1", "0.86.1", "1.4", "1", "0.0.0"];
  const newEnough = [OLDEST_PI, "1.5.1", "1.6.0", "1.10.0", "2.0.0", "1.6.0-beta.1", "1.5.0+build.7"];

  expect(older.map(hostProblem)).toEqual(
    older.map((version) => `Angel needs Pi 1.5.0 or newer; this is Pi ${version}.`),
  );
  expect(newEnough.map(hostProblem)).toEqual(newEnough.map(() => undefined));
});

test.each([[undefined], [null], [1.6], [{}]])(
  "A host that says %j for a version is told what is missing.",
  (version) => {
    expect(hostProblem(version)).toBe("Angel needs Pi 1.5.0 or newer; this host does not say its version.");
  },
);
