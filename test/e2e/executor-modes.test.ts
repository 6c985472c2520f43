// The executor's tool in each of Pi's modes, with the real program.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { ofType, textOf } from "../support/pi-event.ts";
import { runJson, runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const ADVICE = "Turn it off and on.";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("The tool can be called in every mode: RPC, json, print and the terminal.", async () => {
  await using home = await makeHome({ server });
  const modes = { rpc: overRpc, json: asJson, print: inPrint, terminal: inTerminal };

  for (const [mode, ask] of Object.entries(modes)) {
    const before = server.requests("exec").length;
    scriptConsultation(ADVICE, `Noted in ${mode}.`);
    await ask(home, `Noted in ${mode}.`);

    const [, told] = server.requests("exec").slice(before);
    expect(told?.body.messages.at(-1), mode).toMatchObject({ role: "tool", content: ADVICE });
  }

  expect(home.children()).toHaveLength(4);
  expect(new Set(home.children().map(({ header }) => header.parentSession)).size).toBe(4);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("In json mode every line is a record, and one message that a model sees carries the advice.", async () => {
  await using home = await makeHome({ server });
  scriptConsultation(ADVICE, "Noted.");

  const run = await runJson(home, ["go on"]);

  const carriers = ofType(run.events, "message_end").filter(({ message }) => textOf(message) === ADVICE);
  expect(run).toMatchObject({ code: 0, signal: null, junk: [], stderr: "" });
  expect(carriers.map(({ message }) => message.role)).toEqual(["toolResult"]);
});

test("In print mode a failed consultation leaves the executor's answer to be printed.", async () => {
  await using home = await makeHome({ server });
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("I went on alone.")]);
  server.script("adv", [step.status(401, { body: { error: { message: "bad key" } } })]);

  const run = await runPi(home, ["-p", "go on"]);

  expect(run).toEqual({ code: 0, signal: null, stdout: "I went on alone.\n", stderr: "" });
  expect(textOf(server.requests("exec")[1]?.body.messages.at(-1))).toContain("bad key");
});

async function overRpc(home: Home, answer: string): Promise<void> {
  await using pi = await startRpc(home);
  const events = await pi.prompt("go on");
  expect(ofType(events, "tool_execution_end")).toMatchObject([
    { toolName: "angel", isError: false, result: { content: [{ text: ADVICE }] } },
  ]);
  expect(textOf(ofType(events, "message_end").at(-1)?.message)).toBe(answer);
  expect([pi.junk, pi.notices()]).toEqual([[], []]);
  expect(await pi.stop()).toEqual({ code: 0, signal: null });
}

async function asJson(home: Home, answer: string): Promise<void> {
  const run = await runJson(home, ["go on"]);
  expect(textOf(ofType(run.events, "message_end").at(-1)?.message)).toBe(answer);
  expect(run).toMatchObject({ code: 0, signal: null, junk: [] });
}

async function inPrint(home: Home, answer: string): Promise<void> {
  const run = await runPi(home, ["-p", "go on"]);
  expect(run).toEqual({ code: 0, signal: null, stdout: `${answer}\n`, stderr: "" });
}

async function inTerminal(home: Home, answer: string): Promise<void> {
  await using tui = await startTui(home);
  await tui.type("go on");
  await tui.press("Enter");
  const screen = await tui.until(answer);
  expect(screen.join("\n")).toContain(ADVICE);
  await tui.press("C-d");
  expect(await tui.untilExit()).toBe(0);
}

function scriptConsultation(advice: string, answer: string): void {
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say(answer)]);
  server.script("adv", [step.say(advice)]);
}
