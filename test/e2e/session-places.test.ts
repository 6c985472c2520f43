/** Where child sessions are kept, and that people find them under their parent wherever that is. */

import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readRecord } from "../../src/core/read-record.ts";
import type { Home, HomeOptions } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { lastAssistant, ofType, textOf } from "../support/pi-event.ts";
import { runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import type { SessionFile } from "../support/session-files.ts";
import * as step from "../support/steps.ts";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test.each<[string, HomeOptions, readonly string[]]>([
  ["as Pi does by itself", {}, []],
  ["by --session-dir", { sessionDir: "project/kept" }, ["--session-dir", "kept"]],
  [
    "by PI_CODING_AGENT_SESSION_DIR",
    { sessionDir: "project/kept", env: { PI_CODING_AGENT_SESSION_DIR: "kept" } },
    [],
  ],
  ["by the setting sessionDir", { sessionDir: "project/kept", settings: { sessionDir: "kept" } }, []],
])("Sessions kept %s: the child lies beside its parent and is listed under it.", async (_, options, args) => {
  await using home = await makeHome({
    server,
    ...options,
    settings: { angel: { model: "local/adv" }, ...options.settings },
  });

  await consultOnce(home, args);

  await expectLinked(home, home.parent(), home.children());
  expect(home.children()).toHaveLength(1);
  expect(dirname(home.parent().path).startsWith(home.sessionDir)).toBe(true);
});

test("A child stays linked after a restart, a new name for its parent and another working folder.", async () => {
  await using home = await makeHome({ server });
  const elsewhere = join(home.root, "elsewhere");
  mkdirSync(elsewhere);

  await consultOnce(home, []);
  const parent = home.parent().path;
  await using pi = await startRpc(home, { args: ["-c"] });
  await pi.send({ type: "set_session_name", name: "A better name" });
  await pi.stop();
  await consultOnce(home, ["-c"]);
  await consultOnce({ ...home, project: elsewhere }, ["--session", parent]);

  const listed = await SessionManager.list(home.project, dirname(parent));
  expect(home.children()).toHaveLength(3);
  await expectLinked(home, home.parent(), home.children());
  expect(listed.find(({ path }) => path === parent)?.name).toBe("A better name");
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("Without a session, over the command line, nothing is left on disk.", async () => {
  await using home = await makeHome({ server });

  const run = await consultOnce(home, ["--no-session"]);

  expect(run).toMatchObject({ code: 0, stdout: "Done.\n", stderr: "" });
  expect(home.sessions()).toEqual([]);
});

test("When the session folder is deleted during a consultation Pi says so and goes on in a new session.", async () => {
  await using home = await makeHome({ server });
  const held = step.gate(step.say("Too late."));
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Still here.")]);
  server.script("adv", [held]);
  await using pi = await startRpc(home);

  const run = pi.prompt("go on");
  await server.nextRequest("adv");
  rmSync(dirname(home.parent().path), { recursive: true });
  held.open();
  const results = ofType(await run, "tool_execution_end");
  await pi.send({ type: "new_session" });
  const next = await pi.prompt("and now?");

  expect(results).toMatchObject([{ isError: true }]);
  expect(textOf(results[0]?.result)).toMatch(
    /^Angel gave no advice: the advisor's session could not be kept: ENOENT[^\n]*\.$/,
  );
  expect(textOf(lastAssistant(next))).toBe("Still here.");
});

async function consultOnce(home: Home, args: readonly string[]) {
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Done.")]);
  server.script("adv", [step.say("Because.")]);
  return runPi(home, [...args, "-p", "go on"]);
}

async function expectLinked(home: Home, parent: SessionFile, children: readonly SessionFile[]) {
  const listed = await SessionManager.list(home.project, dirname(parent.path));
  const rows = parent.entries.flatMap((entry) => {
    const message = entry.type === "message" ? entry.message : undefined;
    return message?.role === "toolResult" ? [readRecord(message.details)] : [];
  });
  for (const [index, child] of children.entries()) {
    expect(child.header.parentSession).toBe(parent.path);
    expect(dirname(child.path)).toBe(dirname(parent.path));
    expect(listed.find(({ path }) => path === child.path)?.parentSessionPath).toBe(parent.path);
    const [consultation] = child.entries;
    expect(consultation).toMatchObject({
      customType: "angel-consultation",
      data: { origin: "executor", parentSessionId: parent.header.id, parentSessionFile: parent.path },
    });
    const row = rows[index];
    expect(row).toMatchObject({ childSessionId: child.header.id, childSessionFile: child.path });
    expect(consultation).toHaveProperty("data.parentLeafId", row?.parentLeafId);
    expect(parent.entries.map(({ id }) => id)).toContain(row?.parentLeafId);
  }
}
