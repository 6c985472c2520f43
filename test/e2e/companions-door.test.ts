// The companions' door in the real program: silent until it is asked for, and open to companions of anybody.

import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { HomeOptions } from "../support/home.ts";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { textOf } from "../support/pi-event.ts";
import { runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("While no companion is named, every request of parent and child is the same with the door and without it.", async () => {
  const settings = { angel: { model: "local/adv", companions: { nothing: false } } };

  const without = await requestsOf({ angel: false, extensions: [join(ANGEL_FOLDER, "src/index.ts")] });
  const withDoor = await requestsOf({});
  const withFalse = await requestsOf({ settings });

  expect(without).toHaveLength(4);
  expect(withDoor).toEqual(without);
  expect(withFalse).toEqual(without);
});

/** The bytes of all requests of a call and a question, without what differs from run to run. */
async function requestsOf(options: HomeOptions): Promise<readonly string[]> {
  await using home = await makeHome({ server, settings: { angel: { model: "local/adv" } }, ...options });
  const [exec, adv] = [server.requests("exec").length, server.requests("adv").length];
  server.script("exec", [step.call("angel", { question: "Why?" }, { id: "call" }), step.say("Noted.")]);
  server.script("adv", [step.say("Because."), step.say("So.")]);
  const first = await runPi(home, ["-p", "go on"]);
  const second = await runPi(home, ["-c", "-p", "/angel and now?"]);
  expect([first.code, second.code]).toEqual([0, 0]);
  return [...server.requests("exec").slice(exec), ...server.requests("adv").slice(adv)].map(({ raw }) =>
    raw
      .replaceAll(home.root, "HOME")
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "SESSION")
      .replace(/pinned at entry [0-9a-f]{8}/g, "pinned at entry ENTRY")
      .replace(/asked 20[0-9TZ:.-]+/g, "asked TIME"),
  );
}

const OWN_COMPANION = `
export default function (pi) {
  pi.on("session_start", async (_event, ctx) => {
    let engine;
    pi.events.emit("angel:engine", { version: 1, receive: (found) => { engine = found; } });
    engine.mount({
      name: "own",
      describe: () => "stands guard",
      before: ({ question }) => question === "No?" ? { refuse: "not that" } : { context: "Own words." },
      evidence: (text) => text.replaceAll("s3cret", "[gone]"),
    });
    await engine.refresh(ctx);
  });
}`;

test("An extension of the user's mounts a companion of its own on the engine of another entry.", async () => {
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", companions: { own: {} } } },
    agentFiles: { "extensions/own.js": OWN_COMPANION },
  });
  server.script("exec", [step.say("Hello."), step.call("angel", { question: "Why?" }), step.say("Noted.")]);
  server.script("adv", [step.call("parent_session", { action: "overview" }), step.say("Because.")]);
  await using pi = await startRpc(home);

  await pi.prompt("the word is s3cret");
  await pi.prompt("go on");
  await pi.prompt("/angel No?");
  await pi.prompt("/angel status");

  const sent = server.requests("adv").map(({ raw }) => raw);
  expect(sent).toHaveLength(2);
  expect(sent.join("\n")).not.toContain("s3cret");
  expect(sent[0]).toContain("Own words.");
  expect(sent[1]).toContain("the word is [gone]");
  expect(textOf(server.requests("exec").at(-1)?.body.messages.at(-1))).toBe("Because.");
  expect(pi.notices().join("\n")).toContain("Angel gave no advice: not that.");
  expect(pi.notices().join("\n")).toContain("Companion own: stands guard");
});

test("A name that no companion has makes Angel unusable from the first prompt on, in one sentence.", async () => {
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", companions: { sekrets: {} } } },
  });
  server.script("exec", [step.say("Hello.")]);

  const run = await runPi(home, ["-p", "hello"]);

  expect(run).toMatchObject({ code: 0, stdout: "Hello.\n" });
  expect(run.stderr).toMatch(
    /^Angel is unusable: "sekrets" is switched on in angel\.companions but is not running: [^\n]*\n$/,
  );
  expect(server.requests("exec")[0]?.body.tools?.map((tool) => tool.function.name)).not.toContain("angel");
});
