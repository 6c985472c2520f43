/** The executor's tool list across restarts, and what the user may say about it. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { runPi } from "../support/print.ts";
import * as step from "../support/steps.ts";

const ON = { model: "local/adv" };
const OFF = { model: "local/adv", pairs: [{ executor: "local/exec", advisor: "off" }] };

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("A tool that was withdrawn comes back in a later run of the same session, when Angel is usable again.", async () => {
  await using home = await makeHome({ server, settings: { angel: ON } });

  const offers = [await toolsOffered(home, [])];
  for (const angel of [OFF, OFF, ON, ON]) {
    setAngel(home, angel);
    offers.push(await toolsOffered(home, ["-c"]));
  }

  expect(offers.map((tools) => tools.includes("angel"))).toEqual([true, false, false, true, true]);
});

test("A tool list given for one run does not gain what was withdrawn before, and does not keep it from coming back.", async () => {
  await using home = await makeHome({ server, settings: { angel: ON } });

  await toolsOffered(home, []);
  setAngel(home, OFF);
  await toolsOffered(home, ["-c"]);
  setAngel(home, ON);
  const chosen = await toolsOffered(home, ["-c", "--tools", "read,ls"]);
  const afterwards = await toolsOffered(home, ["-c"]);

  expect(chosen).toEqual(["read", "ls"]);
  expect(afterwards).toContain("angel");
});

test.each<[string, readonly string[], boolean]>([
  ["--tools that names it", ["--tools", "read,angel"], true],
  ["--tools that does not", ["--tools", "read"], false],
  ["--exclude-tools angel", ["--exclude-tools", "angel"], false],
  ["--no-tools", ["--no-tools"], false],
])("The user's own choice stands: %s.", async (_, args, isThere) => {
  await using home = await makeHome({ server });

  const tools = await toolsOffered(home, args);

  expect(tools.includes("angel")).toBe(isThere);
});

async function toolsOffered(home: Home, args: readonly string[]): Promise<string[]> {
  server.script("exec", [step.say("Hello.")]);
  await runPi(home, [...args, "-p", "hello"]);
  return (
    server
      .requests("exec")
      .at(-1)
      ?.body.tools?.map((tool) => tool.function.name) ?? []
  );
}

function setAngel(home: Home, angel: object): void {
  const settings = { defaultProvider: "local", defaultModel: "exec", angel };
  writeFileSync(join(home.agentDir, "settings.json"), JSON.stringify(settings));
}
