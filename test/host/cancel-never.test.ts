/** What nobody cancels goes on: Angel has no deadline of its own, and waits for nothing but the answer. */

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

test("An advisor that is slow and silent in between is waited for, longer than any limit that Angel has for stopping one.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [step.drip(["Slow", " but", " sure."], { pauseMs: 900 })]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe("Slow but sure.");
  expect(result.details).toMatchObject({ outcome: "advised" });
  expect(result.details.elapsedMs).toBeGreaterThan(2500);
});

test("An answer that is complete is delivered within a second, although its connection stays open.", async () => {
  await using pi = await startConsulting();
  const complete = step.say("Done talking.");
  const neverClosed = new step.Answer([...complete.acts, { kind: "silence" }]);
  pi.server.script("adv", [neverClosed]);

  const asked = pi.ask("Why?");
  const request = await pi.server.nextRequest("adv");
  const result = await asked;

  expect(textOf(result)).toBe("Done talking.");
  expect(Date.now() - request.receivedAt).toBeLessThan(1000);
});
