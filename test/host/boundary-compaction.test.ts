/** A child that outgrows its context window. */

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import {
  inSmallWindow,
  isForSummary,
  SMALL,
  SMALL_WINDOW,
  SUMMARY,
  tokensOf,
} from "../support/small-advisor.ts";
import * as step from "../support/steps.ts";

const QUESTION = "Which of the eight files\n  is *wrong*, and why?";

test("A child that compacts still has its assignment word for word.", async () => {
  const names = Array.from({ length: 8 }, (_, index) => `part-${index}.txt`);
  await using pi = await startConsulting({
    ...SMALL,
    project: Object.fromEntries(names.map((name) => [name, `a line of ${name}\n`.repeat(1200)])),
  });
  const answers = names.map((path) => step.call("read", { path }));
  const answer = () => answers.shift() ?? step.say("The third one.");
  pi.server.script("adv", Array(16).fill(inSmallWindow(answer)));

  const result = await pi.ask(QUESTION, "They were written by the same tool.");

  const [first, ...others] = pi.server.requests("adv").filter((request) => !isForSummary(request));
  const assignment = textOf(first?.body.messages[1]);
  const compacted = others.filter(({ raw }) => raw.includes(SUMMARY));
  expect(textOf(result)).toBe("The third one.");
  expect(assignment).toContain(QUESTION);
  expect(assignment).toContain(pi.session.sessionId);
  expect(compacted.length).toBeGreaterThan(5);
  for (const { body } of others) {
    expect(body.messages.filter((message) => textOf(message) === assignment)).toHaveLength(1);
    expect(textOf(body.messages[0])).toBe(textOf(first?.body.messages[0]));
  }
  // A summary comes before the assignment, which therefore still reads as what is to be done now.
  for (const { body } of compacted) {
    const texts = body.messages.map(textOf);
    expect(texts.indexOf(assignment)).toBe(texts.findIndex((text) => text.includes(SUMMARY)) + 1);
  }
  expect(pi.server.requests("adv").every((request) => tokensOf(request) < SMALL_WINDOW)).toBe(true);
  expect(pi.surprises()).toEqual([]);
});

test("A child whose context overflows for good fails with the reason.", async () => {
  await using pi = await startConsulting({
    ...SMALL,
    project: { "all.txt": "0123456789abcde\n".repeat(3100) },
  });
  const reads = [1, 2, 3].map(() => step.call("read", { path: "all.txt" }));
  // Each result fits; all of one message do not, and a message and its results are never taken apart.
  const answers = [step.calls(reads)];
  const answer = () => answers.shift() ?? step.say("Never reached.");
  pi.server.script("adv", Array(3).fill(inSmallWindow(answer)));

  const result = await pi.ask(QUESTION);
  const requests = pi.server.requests("adv");
  pi.server.script("adv", [step.say("This one fits.")]);
  const next = await pi.ask("A smaller question?");

  expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
  expect(textOf(result)).toMatch(/^Angel gave no advice: .*maximum context length is 16000 tokens/);
  expect(requests.map(isForSummary)).toContain(true);
  expect(requests.length).toBeLessThan(6);
  expect(textOf(next)).toBe("This one fits.");
  expect(pi.surprises()).toEqual([]);
});
