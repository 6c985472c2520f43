/** Cancelled before the advisor was asked anything. */

import { existsSync } from "node:fs";
import type { ExtensionAPI, InlineExtension } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { NO_EXTENSIONS } from "../../src/core/extension-choice.ts";
import { parseSettings } from "../../src/core/settings.ts";
import { defineAngelTool } from "../../src/host/angel-tool.ts";
import { assess } from "../../src/host/availability.ts";
import { startEngine } from "../../src/host/engine.ts";
import type { Consulting } from "../support/consulting.ts";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const CANCELLED = {
  isError: true,
  content: [{ text: "The consultation was cancelled: the run was stopped." }],
};

test("A signal that is already aborted makes no child and no request.", async () => {
  const reading = parseSettings({ model: "local/adv" });
  const engine = startEngine({
    availability: (view, signal) => assess(reading, view, { signal }),
    extensions: async () => NO_EXTENSIONS,
    now: () => 0,
  });
  const cards: unknown[] = [];
  const angel = defineAngelTool({
    engine,
    appendEntry: (_, card) => cards.push(card),
    tell: () => {},
    now: () => 0,
    newId: () => "01CANCELLED",
    clock: () => "2030-01-01T00:00:00.000Z",
  });
  // Pi turns down a call whose run is over before it begins; this tool of an extension does not.
  const relay: InlineExtension = {
    name: "relay",
    factory: (api) =>
      api.registerTool({
        ...angel,
        name: "relay",
        execute: (id, args, _signal, onUpdate, ctx) =>
          angel.execute(id, args, AbortSignal.abort(), onUpdate, ctx),
      }),
  };
  await using pi = await startConsulting({ factories: [relay] });
  pi.faux.exec.script([fauxCall("relay", { question: "Why?" }), fauxSay("Going on.")]);

  await pi.session.prompt("go on");

  const [result] = pi.session.state.messages.filter((message) => message.role === "toolResult");
  expect(result).toMatchObject(CANCELLED);
  expect(result?.details).not.toHaveProperty("childSessionId");
  expect(result?.details).toMatchObject({ outcome: "cancelled", usage: { state: "known", totalTokens: 0 } });
  expect(engine.status()).toEqual({ waiting: [] });
  expect(pi.server.requests("adv")).toEqual([]);
  expect(pi.home.children()).toEqual([]);
  expect([cards, pi.surprises()]).toEqual([[], []]);
});

test("An abort in any step between the call and the first request leaves no request open, and names no file that is not there.", async () => {
  await using pi = await startConsulting();

  const rounds = Array.from({ length: 40 }, (_, round) => round * 3);
  for (const steps of rounds) await abortAfter(steps, pi);

  const results = pi.results();
  const files = results.flatMap(({ details }) => details?.childSessionFile ?? []);
  const requests = pi.server.requests("adv");
  expect(results.map(({ isError }) => isError)).toEqual(rounds.map(() => true));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(pi.home.children().map(({ path }) => path)).toEqual(files);
  expect(requests.length).toBeLessThan(rounds.length);
  await Promise.all(requests.map(({ done }) => done));
  expect(requests.filter((request) => !request.closedEarly)).toEqual([]);
  expect(pi.custom("angel-advice-card")).toEqual([]);
  expect(pi.extensionErrors).toEqual([]);
});

test("While a provider renews its credentials an abort ends the consultation within a second, and the request is never sent.", async () => {
  const renewal = Promise.withResolvers<void>();
  const isRenewed = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const api = Promise.withResolvers<ExtensionAPI>();
  await using pi = await startConsulting({
    settings: { angel: { model: "slow/adv" } },
    agentFiles: {
      "auth.json": JSON.stringify({ slow: { type: "oauth", refresh: "r", access: "old", expires: 1 } }),
    },
    factories: [{ name: "api", factory: api.resolve }],
  });
  (await api.promise).registerProvider("slow", {
    ...CHAT,
    baseUrl: pi.server.url,
    oauth: {
      name: "Slow",
      login: () => Promise.reject(new Error("not asked")),
      async refreshToken(credentials) {
        asked.resolve();
        await renewal.promise;
        isRenewed.resolve();
        return { ...credentials, access: "new", expires: Date.now() + 3_600_000 };
      },
      getApiKey: ({ access }) => access,
    },
  });
  pi.faux.exec.script([angelCall("Why?")]);

  const run = pi.session.prompt("go on");
  await asked.promise;
  const started = performance.now();
  await pi.session.abort();
  const elapsedMs = performance.now() - started;
  await run;
  renewal.resolve();
  await isRenewed.promise;
  // Long enough for a request of the child that was left behind: the next one comes the same way.
  pi.server.script("adv", [step.say("Now it works.")]);
  const next = await pi.ask("Again?");

  expect(elapsedMs).toBeLessThan(1000);
  expect(pi.results()[0]).toMatchObject(CANCELLED);
  expect(textOf(next)).toBe("Now it works.");
  expect(pi.server.requests("adv").map(({ headers }) => headers.authorization)).toEqual(["Bearer new"]);
  expect(pi.surprises()).toEqual([]);
});

const CHAT = {
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

async function abortAfter(steps: number, pi: Consulting): Promise<void> {
  pi.faux.exec.script([angelCall("What now?")]);
  pi.server.script("adv", [step.gate(step.say("Too late."))]);
  const off = pi.session.subscribe(async (event) => {
    if (event.type !== "tool_execution_start") return;
    for (let count = 0; count < steps; count++) {
      if (count % 4 === 0) await new Promise((resolve) => setImmediate(resolve));
      else await Promise.resolve();
    }
    await pi.session.abort();
  });
  await pi.session.prompt("go on");
  off();
}
