/** What consultations cost: in the parent's file, in the child's own and in the record. */

import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import type { Consulting } from "../support/consulting.ts";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import type { SessionFile } from "../support/session-files.ts";
import * as step from "../support/steps.ts";

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

test("What the child spent stands in the parent once per model, with the child's id beside it.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [
    step.call("ls", {}).usage({ in: 1000, out: 100 }),
    step.say("First.").usage({ in: 2000, out: 50, cached: 1500 }),
    step.say("Second.").usage({ in: 10, out: 1 }),
  ]);

  const { details: first } = await pi.ask("Why?");
  const { details: second } = await pi.ask("And then?");

  const [one, two] = pi.home.children();
  expect(charges(pi)).toEqual([
    { model: "local/adv", note: one?.header.id, tokens: [3000, 150, 1500, 0, 4650], total: 0.00345 },
    { model: "local/adv", note: two?.header.id, tokens: [10, 1, 0, 0, 11], total: 0.000012 },
  ]);
  expect(first.usage).toMatchObject({ state: "known", input: 3000, output: 150, totalTokens: 4650 });
  expect(first.usage).toHaveProperty("cost", 0.00345);
  expect(second.usage).toMatchObject({ state: "known", input: 10, output: 1, totalTokens: 11 });
  expect([sumOf(one), sumOf(two)]).toEqual([4650, 11]);
  expect(pi.results().map((result) => result.usage)).toEqual([undefined, undefined]);
  expect(pi.surprises()).toEqual([]);
});

test("Two consultations of one message are charged apart.", async () => {
  await using pi = await startConsulting();
  const calls = ["One?", "Two?"].map((question) => fauxToolCall("angel", { question }));
  pi.faux.exec.script([fauxAssistantMessage(calls, { stopReason: "toolUse" }), fauxSay("Noted.")]);
  pi.server.script("adv", [
    step.say("First.").usage({ in: 1000, out: 100 }),
    step.say("Second.").usage({ in: 10, out: 1 }),
  ]);

  await pi.session.prompt("go on");

  const ids = pi.home.children().map(({ header }) => header.id);
  expect(charges(pi).map(({ note, tokens }) => [note, tokens.at(-1)])).toEqual([
    [ids[0], 1100],
    [ids[1], 11],
  ]);
});

test("Usage that a provider does not report is unavailable, and never zero.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [step.say("For nothing?").noUsage()]);
  pi.server.script("adv", [
    step.call("ls", {}).usage({ in: 1000, out: 100 }),
    step.say("In part.").noUsage(),
  ]);

  const { details: silent } = await pi.ask("Why?");
  const { details: half } = await pi.ask("And then?");

  expect(silent.usage).toEqual({ state: "unavailable" });
  expect(half.usage).toMatchObject({ state: "partial", input: 1000, output: 100 });
  expect(charges(pi).map(({ tokens }) => tokens)).toEqual([[1000, 100, 0, 0, 1100]]);
});

test("A model without a price has its cost unavailable.", async () => {
  await using pi = await startConsulting({ models: { adv: { cost: FREE } } });
  pi.server.script("adv", [step.say("Priceless.").usage({ in: 1000, out: 100 })]);

  const { details } = await pi.ask("Why?");

  expect(details.usage).toMatchObject({ state: "known", totalTokens: 1100 });
  expect(details.usage).not.toHaveProperty("cost");
});

test("A failed consultation is charged with what its successful calls consumed.", async () => {
  await using pi = await startConsulting({ settings: { retry: { enabled: false } } });
  pi.server.script("adv", [step.call("ls", {}).usage({ in: 1000, out: 100 }), step.status(401)]);
  pi.server.script("adv", [step.call("ls", {}).usage({ in: 500, out: 50 }), step.cut("Half a sent")]);
  pi.server.script("adv", [step.limit("Too lo").usage({ in: 20, out: 2 })]);
  pi.server.script("adv", [step.status(401)]);

  const failures = [];
  for (const question of ["one?", "two?", "three?", "four?"]) failures.push(await pi.ask(question));

  expect(failures.map(({ isError }) => isError)).toEqual([true, true, true, true]);
  expect(failures.map(({ details }) => details.usage)).toMatchObject([
    // A request that was refused consumed nothing; one that broke off half way is not accounted for.
    { state: "known", totalTokens: 1100 },
    { state: "partial", totalTokens: 550 },
    { state: "known", totalTokens: 22 },
    { state: "known", totalTokens: 0, cost: 0 },
  ]);
  expect(charges(pi).map(({ tokens }) => tokens.at(-1))).toEqual([1100, 550, 22]);
});

test("A cancelled consultation is charged with what was reported, and says that it is not all.", async () => {
  await using pi = await startConsulting();
  const held = step.gate(step.say("Too late."));
  pi.server.script("adv", [step.call("ls", {}).usage({ in: 1000, out: 100 }), held]);
  pi.faux.exec.script([angelCall("Why?")]);

  const run = pi.session.prompt("go on");
  await pi.server.nextRequest("adv", 2);
  await pi.session.abort();
  await run;

  expect(pi.results()[0]?.details.usage).toMatchObject({ state: "partial", totalTokens: 1100 });
  expect(charges(pi)).toMatchObject([{ tokens: [1000, 100, 0, 0, 1100] }]);
});

/** The usage entries that Angel wrote into the parent, which holds none of anybody else. */
function charges(pi: Consulting) {
  return pi.home.parent().entries.flatMap((entry) => {
    if (entry.type !== "usage") return [];
    const { input, output, cacheRead, cacheWrite, totalTokens, cost } = entry.usage;
    expect(entry.kind).toBe("angel");
    return [
      {
        model: `${entry.provider}/${entry.model}`,
        note: entry.note,
        tokens: [input, output, cacheRead, cacheWrite, totalTokens],
        total: Number(cost.total.toFixed(9)),
      },
    ];
  });
}

function sumOf(child: SessionFile | undefined): number {
  const messages = child?.entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : [])) ?? [];
  return messages.reduce(
    (sum, message) => sum + (message.role === "assistant" ? message.usage.totalTokens : 0),
    0,
  );
}
