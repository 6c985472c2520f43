// Providers that extensions bring: the child is served by them, with the keys of the moment, and takes none away.

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { ofType, textOf } from "../support/pi-event.ts";
import type { Rpc } from "../support/rpc.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("A provider that an extension registered serves the child, and serves the parent after it.", async () => {
  await using home = await dynamicHome(
    { DYN_KEY: "key-at-load" },
    { defaultProvider: "dyn", defaultModel: "boss" },
  );
  server.script("boss", [step.call("angel", { question: "Why?" }), step.say("Noted."), step.say("Here.")]);
  server.script("helper", [step.say("Do this.")]);
  await using pi = await startRpc(home);

  const before = await models(pi);
  const events = await pi.prompt("go on");
  await pi.prompt("are you there?");

  expect(adviceIn(events)).toEqual(["Do this."]);
  expect(keysOf("helper")).toEqual(["Bearer key-at-load"]);
  expect(keysOf("boss")).toEqual(Array(3).fill("Bearer key-at-load"));
  expect(before).toContain("dyn/helper");
  expect(await models(pi)).toEqual(before);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("A provider of an extension serves the parent also after a failed and a cancelled consultation.", async () => {
  await using home = await dynamicHome(
    { DYN_KEY: "key-at-load" },
    { defaultProvider: "dyn", defaultModel: "boss" },
  );
  const asking = step.call("angel", { question: "Why?" });
  server.script("boss", [asking, step.say("Alone."), asking, step.say("Here.")]);
  server.script("helper", [step.status(401), step.stall()]);
  await using pi = await startRpc(home);

  const before = await models(pi);
  await pi.prompt("go on");
  const run = pi.prompt("again");
  const stalled = await server.nextRequest("helper", 2);
  await pi.send({ type: "abort" });
  await run;
  await stalled.done;
  const events = await pi.prompt("are you there?");

  expect(stalled.closedEarly).toBe(true);
  expect(textOf(ofType(events, "message_end").at(-1)?.message)).toBe("Here.");
  expect(await models(pi)).toEqual(before);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("A provider that a command registers later serves the next consultation, and a new key the one after it.", async () => {
  await using home = await dynamicHome({});
  const asking = step.call("angel", { question: "Why?" });
  server.script("exec", [asking, step.say("One."), asking, step.say("Two.")]);
  server.script("helper", [step.say("With the first key."), step.say("With the second key.")]);
  await using pi = await startRpc(home);

  await pi.prompt("/dyn key-one");
  const first = await pi.prompt("go on");
  await pi.prompt("/dyn key-two");
  const second = await pi.prompt("go on");

  expect([adviceIn(first), adviceIn(second)]).toEqual([["With the first key."], ["With the second key."]]);
  expect(keysOf("helper")).toEqual(["Bearer key-one", "Bearer key-two"]);
  expect(pi.notices()).toEqual([]);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

function dynamicHome(env: Record<string, string>, settings: object = {}): Promise<Home> {
  return makeHome({
    server,
    project: { "dyn.ts": DYNAMIC_PROVIDER },
    extensions: ["dyn.ts"],
    env: { ...env, MODEL_URL: server.url },
    settings: { angel: { model: "dyn/helper" }, ...settings },
  });
}

async function models(pi: Rpc): Promise<string[]> {
  const { data } = await pi.send({ type: "get_available_models" });
  return data.models.map(({ provider, id }) => `${provider}/${id}`).toSorted();
}

function adviceIn(events: Rpc["events"]): string[] {
  return ofType(events, "tool_execution_end").map(({ result }) => textOf(result));
}

function keysOf(model: string): (string | undefined)[] {
  return server.requests(model).map(({ headers }) => headers.authorization);
}

/** An extension file: the provider "dyn", at load with the key of DYN_KEY, and anew with another key by `/dyn <key>`. */
const DYNAMIC_PROVIDER = `
const model = (id) => ({
  id,
  name: id,
  reasoning: false,
  input: ["text"],
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 },
  contextWindow: 200000,
  maxTokens: 16000,
});

export default async function (pi) {
  const register = (apiKey) =>
    pi.registerProvider("dyn", {
      baseUrl: process.env.MODEL_URL,
      api: "openai-completions",
      apiKey,
      models: [model("boss"), model("helper")],
    });
  await Promise.resolve();
  if (process.env.DYN_KEY) register(process.env.DYN_KEY);
  pi.registerCommand("dyn", {
    description: "Registers the provider with a key",
    handler: async (key) => {
      pi.unregisterProvider("dyn");
      register(key);
    },
  });
}
`;
