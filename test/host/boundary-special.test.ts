/** The child's file tools at what is no plain file: each call is answered, and nothing waits. */

import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChatMessage } from "../support/chat-request.ts";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { textOf } from "../support/pi-event.ts";
import { makePipes } from "../support/pipe.ts";
import * as step from "../support/steps.ts";

const REFUSED = expect.stringMatching(/ is neither a regular file nor a folder, so it is not read\.$/);
const FILE_TOOLS = ["read", "ls", "find", "grep"] as const;

test("Every file tool refuses a pipe, a device, a socket and a link to one, and opens none of them.", async () => {
  await using pi = await startConsulting({ project: { "a.txt": "a needle\n" } });
  const { project } = pi.home;
  makePipes(join(project, "pipe"));
  const socket = createServer().listen(join(project, "socket"));
  mkdirSync(join(project, "links"));
  symlinkSync("../pipe", join(project, "links", "to-pipe"));
  symlinkSync("to-pipe", join(project, "links", "to-link"));
  const paths = ["pipe", "socket", "links/to-link", `${project}/links/../pipe`, "/dev/zero", "/dev/null"];
  const calls = paths.flatMap((path) =>
    FILE_TOOLS.map((tool) => step.call(tool, { path, pattern: "needle" })),
  );

  const results = await callInChild(pi, calls);
  socket.close();

  expect(results).toEqual(calls.map(() => REFUSED));
});

test("A search of a folder passes over pipes, sockets and devices, and a list names them.", async () => {
  await using pi = await startConsulting({ project: { "odd/a.txt": "a needle\n" } });
  const odd = join(pi.home.project, "odd");
  makePipes(join(odd, "pipe"));
  const socket = createServer().listen(join(odd, "socket"));

  const [searched, found, listed, devices] = await callInChild(pi, [
    step.call("grep", { pattern: "needle", path: "odd" }),
    step.call("find", { pattern: "*", path: "odd" }),
    step.call("ls", { path: "odd" }),
    step.call("grep", { pattern: "no-such-needle-anywhere", path: "/dev" }),
  ]);
  socket.close();

  expect(searched).toBe("a.txt:1: a needle");
  expect(found?.split("\n").sort()).toEqual(["a.txt", "pipe", "socket"]);
  expect(listed).toBe("a.txt\npipe\nsocket");
  expect(devices).toBe("No matches found");
});

test("What is not there, leads in a circle or has no name of a file is answered by the tool.", async () => {
  await using pi = await startConsulting({ project: { "a.txt": "a needle\n", "my file": "blanks\n" } });
  const { project } = pi.home;
  symlinkSync("loop", join(project, "loop"));
  symlinkSync(project, join(project, "round"));

  const results = await callInChild(pi, [
    step.call("read", { path: "." }),
    step.call("read", { path: "loop" }),
    step.call("ls", { path: "loop" }),
    step.call("read", { path: "a.txt\u0000.md" }),
    step.call("grep", { pattern: "needle", path: "\u0000" }),
    step.call("read", { path: "/dev/tcp/127.0.0.1/22" }),
    step.call("read", { path: "file://host/a.txt" }),
    step.call("read", { path: "x".repeat(10_000) }),
    step.call("read", { path: 7 }),
    step.call("read", {}),
    step.call("read", { path: "round/round/round/@a.txt" }),
    step.call("read", { path: "@my\u00A0file" }),
    step.call("read", { path: `file://${project}/round/my%20file` }),
    step.call("ls", { path: "round/round", limit: 1 }),
  ]);

  for (const [index, result] of results.slice(0, 11).entries()) {
    expect(result, `${index}`).toMatch(
      /EISDIR|ELOOP|ENOENT|ENAMETOOLONG|ENOTDIR|null bytes|not found|host|Validation failed/,
    );
    expect(result.length, `${index}`).toBeLessThan(30_000);
  }
  expect(results.slice(11)).toEqual(["blanks\n", "blanks\n", expect.stringContaining(".git/")]);
});

/** macOS and Windows have no such folder. */
const HAS_PROC = existsSync("/proc/self/pagemap");

test.runIf(HAS_PROC)(
  "A file of the kernel's that has no end is refused, and its others are read.",
  async () => {
    await using pi = await startConsulting();
    pi.faux.exec.script([fauxSay("Understood.")]);
    await pi.session.prompt("hello");
    symlinkSync("/proc/self/pagemap", join(pi.home.project, "notes.md"));

    const [linked, direct, log, status, own, mine] = await callInChild(pi, [
      step.call("read", { path: "notes.md", limit: 5 }),
      step.call("grep", { pattern: "needle", path: "/proc/thread-self/../self/pagemap" }),
      step.call("read", { path: "/proc/kmsg" }),
      step.call("read", { path: "/proc/self/status", limit: 1 }),
      step.call("read", { path: `/proc/${process.pid}/root${pi.home.parent().path}` }),
      step.call("ls", { path: `/proc/self/root${pi.home.project}` }),
    ]);

    expect(linked).toBe('"notes.md" has no end, so it is not read.');
    expect(direct).toBe('"/proc/thread-self/../self/pagemap" has no end, so it is not read.');
    // Not every machine has it, or lets everybody know of it.
    expect(log).toMatch(/has no end, so it is not read\.$|ENOENT|EACCES|neither a regular file/);
    expect(status).toMatch(/^Name:/);
    expect(own).toContain("read the parent session through parent_session");
    expect(mine).toContain("notes.md");
  },
);

test("A part of a file is named in whole lines, so that no file is taken into memory as a whole.", async () => {
  await using pi = await startConsulting();
  const huge = join(pi.home.project, "huge");
  writeFileSync(huge, "needle\n");
  truncateSync(huge, 2 ** 40);

  const results = await callInChild(pi, [
    step.call("read", { path: "huge", limit: 1.5 }),
    step.call("read", { path: "huge", limit: -1 }),
    step.call("read", { path: "huge", offset: 0.5 }),
    step.call("read", { path: "huge", offset: "1e-3" }),
  ]);

  expect(results).toEqual([
    '"limit" must be a whole number of at least 0; found 1.5.',
    '"limit" must be a whole number of at least 0; found -1.',
    '"offset" must be a whole number; found 0.5.',
    '"offset" must be a whole number; found 0.001.',
  ]);
});

/** Lets the advisor make these calls, one a message; resolves with what each brought. */
async function callInChild(pi: Consulting, calls: readonly step.Answer[]): Promise<string[]> {
  pi.server.script("adv", [...calls, step.say("Seen.")]);
  const result = await pi.ask("Look at these?");
  expect(textOf(result)).toBe("Seen.");
  expect(pi.surprises()).toEqual([]);
  const asked: readonly ChatMessage[] = pi.server.requests("adv").at(-1)?.body.messages ?? [];
  const results = asked.filter(({ role }) => role === "tool").map(textOf);
  expect(results).toHaveLength(calls.length);
  return results;
}
