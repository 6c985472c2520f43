/** Ways around the guard to what sessions hold, as an advisor that wants to know may try them. */

import { copyFileSync, existsSync, linkSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import type { ChatMessage } from "../support/chat-request.ts";
import type { Consulting, ConsultingOptions } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { textOf } from "../support/pi-event.ts";
import { readSessionFiles } from "../support/session-files.ts";
import * as step from "../support/steps.ts";

/** In a private shell run, so that no tool at all may bring it. */
const SECRET = "SECRET-7c1f";

test("No pattern, glob, context, limit or name of a file brings a word of a session out of a search.", async () => {
  await using pi = await startWithSecret({ project: { "src/a.txt": `no secret: ${SECRET.slice(0, 6)}\n` } });
  const parent = pi.home.parent().path;
  const folder = dirname(parent);
  linkSync(parent, join(pi.home.project, "src", "notes.md"));
  copyFileSync(parent, join(folder, "backup.bak"));
  const searches = [
    { pattern: "SECRET" },
    { pattern: "secret", ignoreCase: true, context: 3 },
    { pattern: "SECRET-7c1f", literal: true, path: "src" },
    { pattern: ".*SECRET.*", glob: "*.md" },
    { pattern: "SECRET", path: folder },
    { pattern: "SECRET", path: folder, glob: "*.bak", limit: 1 },
    { pattern: '^\\{"type"', path: folder, glob: "*.jsonl", context: 5 },
    { pattern: "SECRET", path: pi.home.root, context: 1, limit: 1000 },
    { pattern: "SECRET", path: relative(pi.home.project, folder) },
    { pattern: "SECRET", path: `/proc/self/root${folder}` },
    { pattern: "SECRET", path: "@~/agent" },
  ];

  const results = await callInChild(
    pi,
    searches.map((search) => step.call("grep", search)),
  );

  for (const [index, result] of results.entries()) {
    const lines = result.split("\n").filter((line) => line !== "" && !line.startsWith("["));
    expect(lines.join("\n"), `${index}`).toMatch(/^((project\/)?(src\/)?a\.txt:1: no secret: SECRET)?$/);
    expect(result, `${index}`).toMatch(/lines? from session files left out; read the parent session/);
  }
  expect(results[0]).toContain("src/a.txt:1: ");
  expectKept(pi);
});

test("A search whose result is too long for one answer leaves nothing of a session in the child's file.", async () => {
  await using pi = await startWithSecret();
  const filler = `${SECRET} ${"x".repeat(400)}`;
  for (let n = 0; n < 150; n += 1)
    await pi.session.executeBash(`echo '${filler}'`, undefined, { excludeFromContext: true });

  const [searched] = await callInChild(pi, [
    step.call("grep", { pattern: "SECRET", path: dirname(pi.home.parent().path), limit: 1000 }),
  ]);

  expect(searched).toContain("50.0KB limit reached");
  expect(searched).toContain("lines from session files left out");
  expectKept(pi);
});

test.for([
  ["in a folder with a line break in its name", "of\nold"],
  ["in a folder whose name begins with two dots", "..sessions"],
  ["in a folder whose name looks like a result", "x.jsonl:1: y"],
  ["in a folder of the project", ".sessions"],
] as const)("A search shows nothing of sessions that are kept %s.", async ([, name]) => {
  await using pi = await startWithSecret({
    project: { "a.txt": "SECRET garden\n" },
    sessionManager: (home) => {
      const folder = join(home.project, name);
      mkdirSync(folder);
      return SessionManager.create(home.project, folder);
    },
  });

  const [searched, around] = await callInChild(pi, [
    step.call("grep", { pattern: "SECRET" }),
    step.call("grep", { pattern: "SECRET", context: 2, path: "." }),
  ]);

  expect(searched).toContain("a.txt:1: SECRET garden");
  expect(searched).toContain("from session files left out");
  expect(around).toContain("a.txt:1: SECRET garden");
  expectKept(pi);
});

test("Sessions are refused through every folder that leads to them, and found and listed by name.", async () => {
  await using pi = await startWithSecret();
  pi.server.script("adv", [step.say("The first.")]);
  await pi.ask("First?");
  const parent = pi.home.parent().path;
  const [child] = pi.home.children();
  const up = relative(pi.home.project, parent);
  const places = [
    ...[
      parent,
      `@${parent}`,
      up,
      `./src/../${up}`,
      `file://${parent}`,
      child?.path ?? "",
      parent.replaceAll("/", "//"),
    ],
    ...(existsSync("/proc/self/cwd")
      ? [`/proc/self/root${parent}`, `/proc/${process.pid}/root${parent}`]
      : []),
  ];
  const calls = places.flatMap((path) => [
    step.call("read", { path, offset: 2, limit: 1 }),
    step.call("grep", { path, pattern: "SECRET|message" }),
  ]);

  const results = await callInChild(pi, [
    ...calls,
    step.call("find", { path: pi.home.agentDir, pattern: "*.jsonl" }),
    step.call("ls", { path: dirname(parent) }),
  ]);

  for (const [index, result] of results.slice(0, calls.length).entries())
    expect(result, JSON.stringify(calls[index])).toMatch(/is (a|the) session file/);
  for (const names of results.slice(calls.length)) expect(names.split("\n").length).toBeGreaterThan(2);
  expectKept(pi);
});

test("The advisor may read what the executor may, Pi's own settings and keys included, and nothing of it comes into the parent by that.", async () => {
  await using pi = await startWithSecret({
    agentFiles: { "auth.json": '{"other":{"type":"api_key","key":"KEY-9"}}' },
  });

  const results = await callInChild(pi, [
    step.call("read", { path: join(pi.home.agentDir, "auth.json") }),
    step.call("read", { path: "~/agent/settings.json" }),
  ]);

  expect(results).toEqual([expect.stringContaining("KEY-9"), expect.stringContaining('"angel"')]);
  expect(readFileSync(pi.home.parent().path, "utf8")).not.toContain("KEY-9");
});

async function startWithSecret(options: ConsultingOptions = {}): Promise<Consulting> {
  const pi = await startConsulting(options);
  pi.faux.exec.script([fauxSay("Understood.")]);
  await pi.session.prompt("hello");
  await pi.session.executeBash(`echo ${SECRET}`, undefined, { excludeFromContext: true });
  return pi;
}

/** Neither the advisor's provider nor the child's file ever had it. */
function expectKept(pi: Consulting): void {
  const sessions = readSessionFiles([pi.sessionManager.getSessionDir()]);
  const [parents, children] = [
    sessions.filter(({ header }) => header.parentSession === undefined),
    sessions.filter(({ header }) => header.parentSession !== undefined),
  ];
  expect(JSON.stringify(parents)).toContain(SECRET);
  expect(children.length).toBeGreaterThan(0);
  for (const { path } of children) expect(withoutPatterns(readFileSync(path, "utf8"))).not.toContain(SECRET);
  for (const { raw } of pi.server.requests("adv")) expect(withoutPatterns(raw)).not.toContain(SECRET);
}

/** The advisor's own words are no leak. */
function withoutPatterns(text: string): string {
  return text.replace(/\\*"pattern\\*":\\*"[^"]*"/g, "");
}

async function callInChild(pi: Consulting, calls: readonly step.Answer[]): Promise<string[]> {
  pi.server.script("adv", [...calls, step.say("Seen.")]);
  const result = await pi.ask("Look at these?");
  expect(textOf(result)).toBe("Seen.");
  const asked: readonly ChatMessage[] = pi.server.requests("adv").at(-1)?.body.messages ?? [];
  const results = asked.filter(({ role }) => role === "tool").map(textOf);
  expect(results).toHaveLength(calls.length);
  return results;
}
