/** Where a wrong setting is told in each of Pi's modes, and that Pi starts with any settings file. */

import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { runJson, runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const WRONG = { angel: { model: 5 } };
const SENTENCE =
  'Angel is unusable: The setting "angel.model" is 5; it must be a model as "provider/id" (global settings).';

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
  server.script("exec", [step.say("Hello.")]);
});

afterEach(async () => {
  await server.close();
});

test("In print and json mode a wrong setting is told on standard error, and the answer comes all the same.", async () => {
  await using home = await makeHome({ server, settings: WRONG });
  server.script("exec", [step.say("Hello.")]);

  const printed = await runPi(home, ["-p", "hello"]);
  const json = await runJson(home, ["hello"]);

  expect(printed).toEqual({ code: 0, signal: null, stdout: "Hello.\n", stderr: `${SENTENCE}\n` });
  expect(json).toMatchObject({ code: 0, junk: [], stderr: `${SENTENCE}\n` });
});

test("Over RPC and in the terminal a wrong setting is a notice.", async () => {
  await using home = await makeHome({ server, settings: WRONG });
  await using pi = await startRpc(home);
  await using tui = await startTui(home, { cols: 140 });

  await pi.prompt("hello");
  const screen = await tui.until("Angel is unusable");

  expect(pi.notices()).toEqual([SENTENCE]);
  expect(pi.stderr).toBe("");
  expect(screen.join(" ")).toContain('"angel.model" is 5');
});

test("A settings file that no longer parses is told with its place and left as it is.", async () => {
  const text = '{\n  "defaultProvider": "local",\n  "defaultModel": "exec",\n}\n';
  await using home = await makeHome({ server, agentFiles: { "settings.json": text } });
  const file = join(home.agentDir, "settings.json");

  const run = await runPi(home, ["--model", "local/exec", "-p", "hello"]);

  expect(run).toMatchObject({ code: 0, stdout: "Hello.\n" });
  expect(run.stderr).toContain(`Angel is unusable: The global settings file ${file} cannot be read: `);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(server.requests("exec")[0]?.raw).not.toContain('"angel"');
});

test("A folder in the place of the settings file is told too.", async () => {
  await using home = await makeHome({ server });
  const file = join(home.agentDir, "settings.json");
  rmSync(file);
  mkdirSync(file);

  const run = await runPi(home, ["--model", "local/exec", "-p", "hello"]);

  expect(run).toMatchObject({ code: 0, stdout: "Hello.\n" });
  expect(run.stderr).toMatch(
    /Angel is unusable: The global settings file .*settings\.json cannot be read: EISDIR/,
  );
});
