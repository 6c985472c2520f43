// What one call of the executor's tool leads to, and what it takes for a question.

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

test("A tool call of the executor leads to one child session, and its result is the advice and nothing else.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [
    step.sayThenCall("I look around.", "ls", { path: "." }),
    step.say("Turn it off.\n\nThen on."),
  ]);

  const result = await pi.ask("Why does it hang?");

  expect(result.content).toEqual([{ type: "text", text: "Turn it off.\n\nThen on." }]);
  expect(result.isError).toBe(false);
  expect(pi.home.children()).toMatchObject([
    { path: result.details.childSessionFile, header: { id: result.details.childSessionId } },
  ]);
  expect(pi.faux.exec.requests[1]?.at(-1)).toMatchObject({ role: "toolResult", content: result.content });
  expect(pi.surprises()).toEqual([]);
});

test("A call says in its record what was consulted, how and from where.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [step.say("Do this.")]);
  const before = Date.now();

  const { details, toolCallId } = await pi.ask("Why?");

  const calling = pi.sessionManager
    .getBranch()
    .find((entry) => entry.type === "message" && JSON.stringify(entry.message).includes(toolCallId));
  expect(details).toEqual({
    version: 1,
    consultationId: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    origin: "executor",
    subject: "Why?",
    outcome: "advised",
    model: "local/adv",
    thinking: { requested: "max", effective: "max" },
    parentLeafId: calling?.id,
    childSessionId: expect.any(String),
    childSessionFile: pi.home.children()[0]?.path,
    asked: expect.any(String),
    elapsedMs: expect.any(Number),
    usage: expect.objectContaining({ state: "known", totalTokens: 1250 }),
  });
  expect(Date.parse(details.asked)).toBeGreaterThanOrEqual(before);
});

test("A call without a real question is refused with a sentence and makes no child.", async () => {
  await using pi = await startConsulting();
  const blank = ["", " \n\t", "\u200b", "…?"];

  for (const question of blank) {
    const result = await pi.ask(question, "Some context, which asks nothing.");

    expect(result).toMatchObject({ isError: true, details: {} });
    expect(textOf(result)).toBe(
      "Angel needs a question: say in one or two sentences what has to be decided or explained.",
    );
  }
  expect(pi.home.children()).toEqual([]);
  expect(pi.custom("angel-advice-card")).toEqual([]);
  expect(pi.surprises()).toEqual([]);
});

test.for([{}, { question: null }, { question: ["Why?"] }, { context: "only this" }])(
  "A call with the arguments %j is refused and makes no child.",
  async (args) => {
    await using pi = await startConsulting();
    pi.faux.exec.script([fauxCall("angel", args), fauxSay("Noted.")]);

    await pi.session.prompt("go on");

    expect(pi.results()).toMatchObject([{ isError: true }]);
    expect(textOf(pi.results()[0])).toMatch(/^Angel needs a question: .*\.$/);
    expect(pi.home.children()).toEqual([]);
    expect(pi.surprises()).toEqual([]);
  },
);

test("A question of 200 KB reaches the advisor whole.", async () => {
  await using pi = await startConsulting();
  const line = "    at step (file:///srv/app/main.js:10:5) — naïve, 表, 👩‍👩‍👧\r\n";
  const question = `\n${line.repeat(3_000)}Why?\n`;
  const context = `${line.repeat(3_000)}And this.`;
  pi.server.script("adv", [step.say("Because.")]);

  await pi.ask(question, context);

  const [assignment] = pi.server.requests("adv")[0]?.body.messages.slice(1) ?? [];
  expect(Buffer.byteLength(question)).toBeGreaterThan(200_000);
  expect(textOf(assignment).endsWith(`## The question\n\n${question}`)).toBe(true);
  expect(textOf(assignment)).toContain(`\n\n${context}\n\n`);
  expect(pi.home.children()[0]?.entries[0]).toMatchObject({ data: { question } });
  expect(pi.surprises()).toEqual([]);
});
