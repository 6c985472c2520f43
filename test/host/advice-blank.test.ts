// An advisor that ends without a word is asked once more, in the same child, and not a third time.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { ANGEL_FOLDER } from "../support/home.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const NUDGE = readFileSync(`${ANGEL_FOLDER}/prompts/nudge.md`, "utf8").trim();

const BLANK = [
  ["no text at all", step.empty()],
  ["blanks and line breaks", step.say("\n \t\r\n ")],
  ["a thought", step.think("Hm.")],
  ["a thought and blanks", step.think("Hm.", step.say("  \n"))],
] as const;

test("A blank answer gets one nudge in the same child, and a second one is a failure.", async () => {
  await using pi = await startConsulting({ project: { "a.txt": "text" } });
  pi.server.script("adv", [
    step.sayThenCall("PRELIM", "read", { path: "a.txt" }),
    step.empty(),
    step.say("\n \n"),
  ]);

  const result = await pi.ask("Why?");

  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe("Angel gave no advice: the advisor ended twice without an answer.");
  expect(result.details).toMatchObject({
    outcome: "failed",
    reason: "the advisor ended twice without an answer.",
  });
  expect(nudges(pi.server.requests("adv").map(({ body }) => body.messages))).toEqual([0, 0, 1]);
  expect(pi.home.children()).toHaveLength(1);
  expect(pi.custom("angel-advice-card")).toEqual([]);
  expect(pi.surprises()).toEqual([]);
});

test.for(BLANK)("After %s the nudge brings the advice.", async ([, blank]) => {
  await using pi = await startConsulting();
  pi.server.script("adv", [blank, step.say("Do this.")]);

  const result = await pi.ask("Why?");

  const [first, second] = pi.server.requests("adv").map(({ body }) => body.messages);
  expect(result).toMatchObject({ isError: false, content: [{ type: "text", text: "Do this." }] });
  expect(second?.slice(0, first?.length)).toEqual(first);
  expect(second?.at(-1)).toMatchObject({ role: "user" });
  expect(textOf(second?.at(-1))).toBe(NUDGE);
  expect(pi.home.children()).toHaveLength(1);
  expect(pi.surprises()).toEqual([]);
});

test("A nudged advisor may still look, and what it says before it looks is no advice.", async () => {
  await using pi = await startConsulting({ project: { "a.txt": "text" } });
  pi.server.script("adv", [
    step.empty(),
    step.sayThenCall("PRELIM", "read", { path: "a.txt" }),
    step.say("Do this."),
  ]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe("Do this.");
  expect(nudges(pi.server.requests("adv").map(({ body }) => body.messages))).toEqual([0, 1, 1]);
});

test("A nudge that fails is a failure with its own reason.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [step.empty(), step.status(401, { body: { error: { message: "bad key" } } })]);

  const result = await pi.ask("Why?");

  expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
  expect(textOf(result)).toContain("bad key");
});

/** How many nudges each request holds. */
function nudges(requests: readonly (readonly object[])[]): number[] {
  return requests.map((messages) => messages.filter((message) => textOf(message) === NUDGE).length);
}
