/** An advisor model that is not there, or not yet: what is said, and what the executor is offered. */

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import type { Consulting, ConsultingOptions } from "../support/consulting.ts";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const LATE = {
  api: "openai-completions",
  models: [
    {
      id: "adv",
      name: "adv",
      reasoning: false,
      input: ["text" as const],
      cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 },
      contextWindow: 200_000,
      maxTokens: 16_000,
    },
  ],
};

test("A model that is unknown or has no credentials is told once, and the tool is withdrawn until it is there.", async () => {
  const unknown = await openFor("late/adv");
  await using pi = unknown.pi;

  const atFirst = [await offered(pi), await offered(pi)];
  const told = [...unknown.notices];
  unknown.api.registerProvider("late", { ...LATE, baseUrl: pi.server.url, apiKey: "$LATE_KEY" });
  const withoutKey = [await offered(pi), await offered(pi)];
  const toldThen = unknown.notices.slice(told.length);
  await pi.session.modelRuntime.setRuntimeApiKey("late", "a key");
  const withKey = await offered(pi);
  pi.server.script("adv", [step.say("Here I am.")]);
  const result = await pi.ask("Where were you?");

  expect(atFirst).toEqual([false, false]);
  expect(told).toEqual([
    'error: Angel is unusable: angel.model names "late/adv", which Pi does not know; `pi --list-models` lists what it knows.',
  ]);
  expect(withoutKey).toEqual([false, false]);
  expect(toldThen).toEqual([
    "error: Angel is unusable: there are no credentials for late/adv; sign in with /login or set the key of late.",
  ]);
  expect(withKey).toBe(true);
  expect(textOf(result)).toBe("Here I am.");
  expect(unknown.notices).toHaveLength(2);
});

test("A model that an extension registers before the first prompt was never missing.", async () => {
  const { pi: opened, api, notices } = await openFor("late/adv");
  await using pi = opened;

  api.registerProvider("late", { ...LATE, baseUrl: pi.server.url, apiKey: "a key" });

  expect(await offered(pi)).toBe(true);
  expect(notices).toEqual([]);
});

test("A model that goes away in the middle of a run fails the call with the reason, and withdraws the tool afterwards.", async () => {
  const { pi: opened, api, notices } = await openFor("late/adv");
  await using pi = opened;
  api.registerProvider("late", { ...LATE, baseUrl: pi.server.url, apiKey: "a key" });
  pi.faux.exec.script([
    () => {
      api.unregisterProvider("late");
      return angelCall("Still there?");
    },
    fauxSay("Noted."),
  ]);

  await pi.session.prompt("go on");
  const afterwards = await offered(pi);

  expect(pi.results()).toMatchObject([{ isError: true, details: { outcome: "failed" } }]);
  expect(textOf(pi.results()[0])).toMatch(
    /^Angel gave no advice: angel\.model names "late\/adv", which Pi does not know/,
  );
  expect(pi.home.children()).toEqual([]);
  expect(afterwards).toBe(false);
  expect(notices).toHaveLength(1);
});

async function openFor(model: string, options: ConsultingOptions = {}) {
  const board = hangNoticeBoard();
  const captured = Promise.withResolvers<ExtensionAPI>();
  const pi = await startConsulting({
    settings: { angel: { model } },
    bindings: board.bindings,
    factories: [{ name: "captured", factory: captured.resolve }],
    ...options,
  });
  return { pi, notices: board.notices, api: await captured.promise };
}

/** Whether the executor could call Angel in this prompt. */
async function offered(pi: Consulting): Promise<boolean> {
  let tools: string[] = [];
  pi.faux.exec.script([
    () => {
      tools = pi.session.getActiveToolNames();
      return fauxSay("Hello.");
    },
  ]);
  await pi.session.prompt("hello");
  return tools.includes("angel");
}
