/** Where the child is kept, and what happens when it cannot be kept there. */

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import type { Home } from "../support/home.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

test("Without a saved parent the child lives in memory, no file is left, and the record says so.", async () => {
  await using pi = await startConsulting({ sessionManager: (home) => SessionManager.inMemory(home.project) });
  pi.server.script("adv", [step.call("parent_session", { action: "overview" }), step.say("Do this.")]);
  const before = filesBelow(pi.home);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe("Do this.");
  expect(pi.server.requests("adv")[1]?.raw).toContain(pi.session.sessionId);
  expect(result.details).toMatchObject({ outcome: "advised", usage: { state: "known" } });
  expect(result.details.childSessionId).toEqual(expect.any(String));
  expect(result.details).not.toHaveProperty("childSessionFile");
  expect(filesBelow(pi.home)).toEqual(before);
  expect(pi.surprises()).toEqual([]);
});

test("A session folder that cannot be written ends the consultation in one sentence, and Pi goes on.", async () => {
  await using pi = await startConsulting({ sessionManager: besideItsFolder });
  rmSync(childFolder(pi.home), { recursive: true });
  writeFileSync(childFolder(pi.home), "in the way");

  const result = await pi.ask("Why?");
  pi.faux.exec.script([fauxSay("Going on.")]);
  await pi.session.prompt("and now?");

  expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
  expect(textOf(result)).toMatch(
    /^Angel gave no advice: the advisor's session could not be kept: ENOTDIR[^\n]*\.$/,
  );
  expect(result.details).not.toHaveProperty("childSessionFile");
  expect(result.details.usage).toMatchObject({ totalTokens: 0 });
  expect(pi.server.requests("adv")).toEqual([]);
  expect(pi.session.getLastAssistantText()).toBe("Going on.");
  expect(pi.surprises()).toEqual([]);
});

test("A session folder that is gone is made again.", async () => {
  await using pi = await startConsulting({ sessionManager: besideItsFolder });
  rmSync(childFolder(pi.home), { recursive: true });
  pi.server.script("adv", [step.say("Do this.")]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe("Do this.");
  expect(readdirSync(childFolder(pi.home))).toHaveLength(1);
});

test("A session folder that goes away during a consultation ends it in one sentence, and Pi goes on.", async () => {
  await using pi = await startConsulting({ sessionManager: besideItsFolder });
  const held = step.gate(step.say("Never heard of.").usage({ in: 700, out: 7 }));
  pi.server.script("adv", [step.call("ls", {}).usage({ in: 1000, out: 100 }), held]);
  pi.faux.exec.script([angelCall("Why?"), fauxSay("Going on.")]);

  const run = pi.session.prompt("go on");
  await pi.server.nextRequest("adv", 2);
  rmSync(childFolder(pi.home), { recursive: true });
  held.open();
  await run;
  const [result] = pi.results();

  expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
  expect(textOf(result)).toMatch(
    /^Angel gave no advice: the advisor's session could not be kept: ENOENT[^\n]*\.$/,
  );
  expect(result?.details).not.toHaveProperty("childSessionFile");
  // What could not be written down is not known to have been spent, and not known to have been free.
  expect(result?.details.usage).toMatchObject({ state: "partial", totalTokens: 1100 });
  expect(existsSync(childFolder(pi.home))).toBe(false);
  expect(pi.session.getLastAssistantText()).toBe("Going on.");
  expect(pi.surprises()).toEqual([]);
});

/** A parent whose own file stays writable, whatever becomes of the folder for new sessions. */
function besideItsFolder(home: Home): SessionManager {
  const own = join(home.root, "own");
  mkdirSync(own);
  return SessionManager.open(join(own, "parent.jsonl"), childFolder(home), home.project);
}

function childFolder(home: Home): string {
  return join(home.root, "sessions-to-be");
}

function filesBelow(home: Home): string[] {
  return readdirSync(home.root, { recursive: true, encoding: "utf8" }).sort();
}
