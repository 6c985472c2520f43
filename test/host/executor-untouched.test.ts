// What a consultation leaves alone: the parent it was asked from.

import { readdirSync, readFileSync } from "node:fs";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import * as step from "../support/steps.ts";

test("A consultation leaves the parent's session, file and earlier bytes as they were and adds exactly one file.", async () => {
  await using pi = await startConsulting({ project: { "a.txt": "text" } });
  await work(pi);
  const before = stateOf(pi);
  const files = filesOf(pi);
  const bytes = readFileSync(pi.home.parent().path);
  pi.server.script("adv", [step.call("read", { path: "a.txt" }), step.say("Do this.")]);

  await pi.ask("Why?");

  const parent = pi.home.parent();
  const [child] = pi.home.children();
  expect(stateOf(pi)).toEqual(before);
  expect(readFileSync(parent.path).subarray(0, bytes.length).equals(bytes)).toBe(true);
  expect(filesOf(pi)).toEqual([...files, child?.path].toSorted());
  expect(child?.path).not.toBe(parent.path);
  expectOneChain(parent.entries);
  expect(pi.surprises()).toEqual([]);
});

test("A consultation on an old branch continues that branch and leaves the other one alone.", async () => {
  await using pi = await startConsulting({ project: { "a.txt": "text" } });
  await work(pi);
  const [old] = pi.sessionManager.getBranch().filter((entry) => entry.type === "message");
  pi.faux.exec.script([fauxSay("OTHER-BRANCH")]);
  await pi.session.prompt("go another way");
  const otherLeaf = pi.sessionManager.getLeafId();
  await pi.session.navigateTree(old?.id ?? "none");
  const other = pi.sessionManager.getBranch(otherLeaf ?? undefined);
  const before = stateOf(pi);
  pi.server.script("adv", [
    step.call("parent_session", { action: "search", query: "OTHER-BRANCH", view: "branch" }),
    step.say("Do this."),
  ]);

  const { details } = await pi.ask("Why?");

  const branch = pi.sessionManager.getBranch();
  expect(stateOf(pi)).toEqual(before);
  expect(pi.sessionManager.getBranch(otherLeaf ?? undefined)).toEqual(other);
  expect(branch.map(({ id }) => id)).toEqual(expect.arrayContaining([old?.id, details.parentLeafId]));
  expect(branch.map(({ id }) => id)).not.toContain(otherLeaf);
  expect(JSON.stringify(pi.server.requests("adv")[1]?.body.messages.at(-1))).not.toContain("go another way");
  expect(pi.home.children()).toHaveLength(1);
});

test("A parent in memory stays in memory, and its consultation leaves no file.", async () => {
  await using pi = await startConsulting({ sessionManager: (home) => SessionManager.inMemory(home.project) });
  const files = filesOf(pi);
  const before = stateOf(pi);
  pi.server.script("adv", [step.say("Do this.")]);

  const { details } = await pi.ask("Why?");

  expect(stateOf(pi)).toEqual(before);
  expect(filesOf(pi)).toEqual(files);
  expect(details.childSessionFile).toBeUndefined();
  expectOneChain(pi.sessionManager.getEntries());
});

test("The executor goes on with the model, the level, the tools and the providers that it had.", async () => {
  await using pi = await startConsulting();
  const before = setUpOf(pi);
  pi.server.script("adv", [
    step.say("Do this."),
    step.status(401),
    step.call("read", { path: "." }),
    step.say("ok"),
  ]);

  await pi.ask("One?");
  await pi.ask("Two?");
  await pi.ask("Three?");

  expect(pi.results().map(({ isError }) => isError)).toEqual([false, true, false]);
  expect(setUpOf(pi)).toEqual(before);
  expect(pi.surprises()).toEqual([]);
});

/** A turn with a tool call before the consultation. */
async function work(pi: Consulting): Promise<void> {
  pi.faux.exec.script([fauxCall("read", { path: "a.txt" }), fauxSay("Read it.")]);
  await pi.session.prompt("read it");
}

function stateOf({ session, sessionManager }: Consulting) {
  return {
    id: session.sessionId,
    file: session.sessionFile,
    header: sessionManager.getHeader(),
    name: sessionManager.getSessionName(),
    isSame: session.sessionManager === sessionManager,
  };
}

function setUpOf({ session }: Consulting) {
  const { modelRuntime } = session;
  return {
    model: session.model,
    level: session.thinkingLevel,
    tools: session.getActiveToolNames(),
    allTools: session.getAllTools().map(({ name }) => name),
    prompt: session.systemPrompt,
    models: modelRuntime.getModels().map(({ provider, id }) => `${provider}/${id}`),
    cwd: process.cwd(),
  };
}

function filesOf({ home }: Consulting): string[] {
  const found = readdirSync(home.root, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .toSorted();
}

function expectOneChain(entries: readonly { readonly id: string; readonly parentId: string | null }[]): void {
  expect(entries.map(({ parentId }) => parentId)).toEqual([
    null,
    ...entries.slice(0, -1).map(({ id }) => id),
  ]);
}
