// A provider that fails: its reason reaches the executor as an error, and nothing that could pass for advice.

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import type { Answer } from "../support/steps.ts";
import * as step from "../support/steps.ts";

/** Words of the advisor that must get nowhere. */
const HALF = "HALF-A-SENTENCE";

/** Pi asks three times more before it gives up on what may pass. */
const TRIES = 4;

interface Failure {
  readonly what: string;
  readonly answers: readonly Answer[];
  /** What the provider said, as the executor must find it. */
  readonly reason: RegExp;
}

const FAILURES: readonly Failure[] = [
  { what: "refused credentials", answers: [refuse(401, "bad key")], reason: /401.*bad key/ },
  { what: "a refused request", answers: [refuse(400, "too many tools")], reason: /400.*too many tools/ },
  { what: "an unknown model", answers: [refuse(404, "no such model")], reason: /404.*no such model/ },
  { what: "a server that stays broken", answers: repeat(refuse(500, "on fire")), reason: /500.*on fire/ },
  { what: "a rate limit that stays", answers: repeat(refuse(429, "slow down")), reason: /429.*slow down/ },
  { what: "a connection that breaks", answers: repeat(step.cut(HALF)), reason: /terminated|closed|ended/i },
  { what: "an answer without an end", answers: repeat(unended()), reason: /finish_reason|ended/i },
  { what: "a content filter", answers: [step.filtered(HALF)], reason: /content_filter/ },
  { what: "an answer that is no JSON", answers: [step.garbage()], reason: /JSON/ },
];

test("A provider's failure is an error result with its reason, and no advice appears anywhere.", async () => {
  await using pi = await startConsulting({ project: { "a.txt": "text" } });
  pi.server.script("adv", [
    step.sayThenCall("PRELIM", "read", { path: "a.txt" }),
    ...repeat(step.status(503, { body: { error: { message: "gone fishing" } } })),
  ]);

  const result = await pi.ask("Why?");

  const told = pi.faux.exec.requests[1]?.at(-1);
  expect(result.isError).toBe(true);
  expect(textOf(result)).toMatch(/^Angel gave no advice: 503.*gone fishing.*\.$/);
  expect(result.details).toMatchObject({
    outcome: "failed",
    reason: expect.stringContaining("gone fishing"),
    childSessionFile: pi.home.children()[0]?.path,
    model: "local/adv",
  });
  expect(told).toMatchObject({ role: "toolResult", isError: true, content: result.content });
  expect(pi.custom("angel-advice-card")).toEqual([]);
  expect(JSON.stringify(pi.home.parent())).not.toContain("PRELIM");
  expect(pi.server.requests("adv")).toHaveLength(1 + TRIES);
  expect(pi.surprises()).toEqual([]);
});

test.for(FAILURES)("$what is an error result with its reason and no advice", async (failure) => {
  await using pi = await startConsulting();
  pi.server.script("adv", failure.answers);

  const result = await pi.ask("Why?");

  expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
  expect(textOf(result)).toMatch(failure.reason);
  expect(textOf(result)).toMatch(/^Angel gave no advice: .*\.$/);
  expect(pi.custom("angel-advice-card")).toEqual([]);
  expect(JSON.stringify(pi.home.parent())).not.toContain(HALF);
  expect(JSON.stringify(pi.faux.exec.requests)).not.toContain(HALF);
  expect(pi.surprises()).toEqual([]);
});

test("A server that is not there is an error result with its reason.", async () => {
  await using pi = await startConsulting();
  await pi.server.close();

  const result = await pi.ask("Why?");

  expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
  expect(textOf(result)).toMatch(/^Angel gave no advice: .*connect.*\.$/i);
});

test("A provider that recovers within Pi's retries is no failure, and its broken-off words are no advice.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [refuse(500, "on fire"), step.cut(HALF), step.say("Do this.")]);

  const result = await pi.ask("Why?");

  expect(result).toMatchObject({ isError: false, content: [{ type: "text", text: "Do this." }] });
  expect(JSON.stringify(pi.home.parent())).not.toContain(HALF);
  expect(pi.home.children()).toHaveLength(1);
  expect(pi.surprises()).toEqual([]);
});

test("After a failure the next call is a new consultation, and it can be advised.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [refuse(401, "bad key"), step.say("Do this.")]);

  await pi.ask("Why?");
  const second = await pi.ask("Why?");

  expect(second).toMatchObject({ isError: false, content: [{ type: "text", text: "Do this." }] });
  expect(pi.home.children()).toHaveLength(2);
});

test("A reason of many pages is cut to one line.", async () => {
  await using pi = await startConsulting();
  const page = "<p>Bad gateway</p>\n".repeat(5_000);
  pi.server.script("adv", [step.status(400, { body: page })]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toMatch(/^Angel gave no advice: 400.*Bad gateway/);
  expect(textOf(result).split("\n")).toHaveLength(1);
  expect(textOf(result).length).toBeLessThan(700);
});

function repeat(answer: Answer): Answer[] {
  return Array.from({ length: TRIES }, () => answer);
}

function refuse(code: number, message: string): Answer {
  return step.status(code, { body: { error: { message, type: "scripted" } } });
}

/** A stream that closes in good order before the model has finished. */
function unended(): Answer {
  return new step.Answer([{ kind: "text", text: HALF }]);
}
