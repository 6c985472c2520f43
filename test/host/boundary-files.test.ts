/** The child's file tools at the places that they must not open, as the advisor meets them. */

import { symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import type { ChatMessage } from "../support/chat-request.ts";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { textOf } from "../support/pi-event.ts";
import { makePipes } from "../support/pipe.ts";
import * as step from "../support/steps.ts";

const SECRET = "the words of the user, which hold a needle";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("The guard refuses what is not a regular file or folder, and the session files of consultations.", async () => {
  await using pi = await startConsulting({ project: { "src/a.txt": "a needle in a file\n" } });
  await spoken(pi);
  pi.server.script("adv", [step.say("The first one.")]);
  await pi.ask("First?");
  makePipes(join(pi.home.project, "pipe.txt"));
  const parent = pi.home.parent().path;
  const [child] = pi.home.children();
  symlinkSync(parent, join(pi.home.project, "notes.md"));

  const results = await callInChild(pi, [
    step.call("read", { path: "pipe.txt" }),
    step.call("read", { path: parent }),
    step.call("read", { path: "notes.md" }),
    step.call("grep", { pattern: "needle", path: child?.path }),
    step.call("ls", { path: "." }),
    step.call("read", { path: "src/a.txt" }),
  ]);

  expect(results).toEqual([
    expect.stringContaining("neither a regular file nor a folder"),
    expect.stringContaining("is a session file; read the parent session through parent_session"),
    expect.stringContaining("is a session file; read the parent session through parent_session"),
    expect.stringContaining("is the session file of a consultation"),
    expect.stringContaining("pipe.txt"),
    expect.stringContaining("a needle in a file"),
  ]);
  expect(pi.server.requests("adv").at(-1)?.raw).not.toContain(SECRET);
});

test("A search of a folder shows nothing that stands in session files, and says what it left out.", async () => {
  await using pi = await startConsulting({ project: { "src/a.txt": "a needle in a file\n" } });
  await spoken(pi);
  pi.server.script("adv", [step.say("The first one has a needle.")]);
  await pi.ask("Where is the needle?");
  makePipes(join(pi.home.project, "pipe.txt"));
  const folder = dirname(pi.home.parent().path);
  writeFileSync(join(folder, "notes.txt"), "no session, and a needle\n");

  const [inProject, inSessions, above, around] = await callInChild(pi, [
    step.call("grep", { pattern: "needle" }),
    step.call("grep", { pattern: "needle", path: folder }),
    step.call("grep", { pattern: "needle", path: pi.home.root }),
    step.call("grep", { pattern: "needle", path: folder, context: 2, limit: 5 }),
  ]);

  expect(inProject).toBe("src/a.txt:1: a needle in a file");
  const left = inSessions?.split("\n").filter((line) => line !== "" && !line.startsWith("["));
  expect(left).toEqual(["notes.txt:1: no session, and a needle"]);
  expect(inSessions).toMatch(
    /\n\n\[\d+ lines from session files left out; read the parent session through parent_session\]$/,
  );
  expect(above).toContain("project/src/a.txt:1: a needle in a file");
  expect(above).toContain("lines from session files left out");
  expect(around).toContain("lines from session files left out");
  expect(pi.server.requests("adv").at(-1)?.raw).not.toContain(SECRET);
});

test("A search shows nothing of a parent whose file has a name of its own.", async () => {
  await using pi = await startConsulting({
    sessionManager: (home) => SessionManager.open(join(home.project, "talk.log"), undefined, home.project),
  });
  await spoken(pi);

  const [hits] = await callInChild(pi, [step.call("grep", { pattern: "needle|hay", context: 1 })]);

  expect(hits).toMatch(/^\[\d+ lines from session files left out; .*\]$/m);
  expect(hits).not.toContain("talk.log");
  expect(pi.server.requests("adv").at(-1)?.raw).not.toContain(SECRET);
});

test("Missing search programs cost the advisor an error result and nothing else.", async () => {
  await using pi = await startConsulting();
  vi.stubEnv("PATH", join(pi.home.root, "no-programs"));

  const results = await callInChild(pi, [
    step.call("grep", { pattern: "needle" }),
    step.call("find", { pattern: "*.ts" }),
    step.call("ls", {}),
  ]);

  expect(results).toEqual([
    expect.stringContaining("ripgrep (rg) is not available"),
    expect.stringContaining("fd is not available"),
    expect.not.stringContaining("not available"),
  ]);
  expect(pi.results().at(-1)).toMatchObject({ isError: false, details: { outcome: "advised" } });
});

/** Puts something into the parent that must not reach the advisor through a file. */
async function spoken(pi: Consulting): Promise<void> {
  pi.faux.exec.script([fauxSay("Understood.")]);
  await pi.session.prompt(SECRET);
}

/** Lets the advisor call these tools, one a message; resolves with what each brought. */
async function callInChild(pi: Consulting, calls: readonly step.Answer[]): Promise<string[]> {
  const from = pi.server.requests("adv").length;
  pi.server.script("adv", [...calls, step.say("Seen.")]);
  const result = await pi.ask("Look at these?");
  expect(textOf(result)).toBe("Seen.");
  const asked: readonly ChatMessage[] = pi.server.requests("adv").at(-1)?.body.messages ?? [];
  expect(pi.server.requests("adv")).toHaveLength(from + calls.length + 1);
  expect(pi.surprises()).toEqual([]);
  return asked.filter(({ role }) => role === "tool").map(textOf);
}
