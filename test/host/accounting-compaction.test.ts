/** A child that compacts spends more than its messages show. */

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { inSmallWindow, isForSummary, SMALL, tokensOf } from "../support/small-advisor.ts";
import * as step from "../support/steps.ts";

test("Compactions of the child are part of what it spent.", async () => {
  await using pi = await startConsulting({
    ...SMALL,
    project: { "log.txt": "a line of the log\n".repeat(2000) },
  });
  const answers = [step.call("read", { path: "log.txt" }), step.call("read", { path: "log.txt" })];
  const answer = () => answers.shift() ?? step.say("Look at the log.");
  pi.server.script("adv", Array(4).fill(inSmallWindow(answer)));

  const { details } = await pi.ask("What does the log say?");

  const requests = pi.server.requests("adv");
  const summaries = requests.filter(isForSummary);
  const input = requests.reduce((sum, request) => sum + tokensOf(request), 0);
  // One for the log that was read; none after the answer, which nobody would read.
  expect(summaries).toHaveLength(1);
  expect(details.usage).toMatchObject({ state: "known", input, output: 10 * requests.length });
  expect(pi.home.parent().entries.filter((entry) => entry.type === "usage")).toMatchObject([
    { kind: "angel", model: "adv", usage: { input, output: 10 * requests.length } },
  ]);
  expect(pi.surprises()).toEqual([]);
});
