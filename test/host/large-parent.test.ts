/** A real session of many entries, of one enormous entry, and a turn of many calls. */

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import { liveHeap } from "../support/heap.ts";
import type { Home } from "../support/home.ts";
import { textOf } from "../support/pi-event.ts";
import type { SessionBuilder } from "../support/session-builder.ts";
import { buildSession } from "../support/session-builder.ts";
import * as step from "../support/steps.ts";

/** What a page of parent_session may take, and the frame around it. */
const PAGE_BYTES = 60 * 1024;
const ENTRIES = 50_000;
const BATCH = 200;

test("A session of 50,000 entries is consulted about as any other: small requests, and memory in proportion to its size, which is let go afterwards.", {
  timeout: 120_000,
}, async () => {
  await using pi = await startConsulting({
    sessionManager: (home) =>
      openWritten(home, (session) => {
        for (let n = 0; session.manager.getEntryCount() < ENTRIES; n += 1)
          session.operate("bash", { command: `step ${n}` }, `${"output of the step\n".repeat(20)}done`);
      }),
  });
  const sessionBytes = sizeOf(pi.sessionManager);
  // What is loaded and compiled once is no matter of this session's size.
  pi.server.script("adv", [step.call("parent_session", { action: "overview" }), step.say("Wait.")]);
  await pi.ask("What?");
  const before = liveHeap();
  let during = before;
  pi.server.script("adv", [
    step.call("parent_session", { action: "overview" }),
    step.call("parent_session", { action: "search", query: "step 24990", view: "branch" }),
    () => {
      during = liveHeap();
      return step.say("Because.");
    },
  ]);

  const result = await pi.ask("Why?");
  const after = liveHeap();

  expect(textOf(result)).toBe("Because.");
  const [, overview, search] = pi.server.requests("adv").slice(2);
  expect(overview?.raw).toMatch(/500\d\d entries on the branch/);
  expect(search?.raw).toContain("Entries with hits 1-1 of 1");
  expect(search?.rawBytes).toBeLessThan(2 * PAGE_BYTES);
  // While the advisor works there is an index of small pieces over the entries that Pi holds anyway; 1.3 was measured.
  expect((during - before) / sessionBytes).toBeLessThan(2.5);
  expect((after - before) / sessionBytes).toBeLessThan(0.1);
  expect(pi.surprises()).toEqual([]);
});

test("An entry of 30 MB is searched and read in pages, and no copy of it is kept.", {
  timeout: 120_000,
}, async () => {
  const log = `${"0123456789abcdef".repeat(4)}\n`.repeat(480_000);
  await using pi = await startConsulting({
    sessionManager: (home) =>
      openWritten(home, (session) => {
        session.operate("bash", { command: "cat log" }, `${log}the needle is here`);
      }),
  });
  const sessionBytes = sizeOf(pi.sessionManager);
  // What is loaded and compiled once is no matter of this session's size.
  pi.server.script("adv", [step.call("parent_session", { action: "overview" }), step.say("Wait.")]);
  await pi.ask("What?");
  const before = liveHeap();
  let during = before;
  pi.server.script("adv", [
    step.call("parent_session", { action: "overview" }),
    step.call("parent_session", { action: "search", query: "needle", view: "branch" }),
    step.call("parent_session", { action: "get", ids: ["call_1"] }),
    () => {
      during = liveHeap();
      return step.say("Because.");
    },
  ]);

  const result = await pi.ask("Why?");
  const after = liveHeap();

  expect(textOf(result)).toBe("Because.");
  const requests = pi.server.requests("adv").slice(2);
  expect(requests[2]?.raw).toContain("the needle is here");
  expect(requests[3]?.raw).toContain("480001");
  expect(requests[3]?.rawBytes).toBeLessThan(3 * PAGE_BYTES);
  expect(statSync(pi.home.children()[0]?.path ?? "").size).toBeLessThan(3 * PAGE_BYTES);
  expect((during - before) / sessionBytes).toBeLessThan(0.3);
  expect((after - before) / sessionBytes).toBeLessThan(0.1);
  expect(pi.surprises()).toEqual([]);
});

test("A turn of 200 calls that all fail again is one consultation, told in a few lines.", async () => {
  await using pi = await startConsulting({ factories: [flakyTool().extension] });
  const batch = () =>
    fauxAssistantMessage(
      Array.from({ length: BATCH }, (_, n) => fauxToolCall("flaky", { n })),
      { stopReason: "toolUse" },
    );
  pi.faux.exec.script([batch(), batch(), fauxSay("Noted.")]);
  pi.server.script("adv", [step.call("parent_session", { action: "overview" }), step.say("Because.")]);

  await pi.session.prompt("go on");

  const [first, second] = pi.server.requests("adv");
  const entries = pi.sessionManager.getEntries();
  const advice = entries.flatMap((entry) => (entry.type === "custom_message" ? [entry] : []));
  expect(advice).toHaveLength(1);
  expect(textOf(advice[0])).toContain(`and ${BATCH - 8} more`);
  expect(textOf(advice[0]).length).toBeLessThan(3000);
  expect(first?.raw).toContain(`and ${BATCH - 20} more`);
  expect(textOf(first?.body.messages[1]).length).toBeLessThan(8000);
  expect(second?.rawBytes).toBeLessThan(2 * PAGE_BYTES);
  expect(pi.surprises()).toEqual([]);
});

test("A call of Angel at the end of 200 calls of one message sees the results of all of them.", async () => {
  const flaky = flakyTool();
  await using pi = await startConsulting({ factories: [flaky.extension] });
  flaky.outcomes.push(...Array<"ok">(BATCH - 1).fill("ok"));
  const others = Array.from({ length: BATCH - 1 }, (_, n) => fauxToolCall("flaky", { n }));
  pi.faux.exec.script([
    fauxAssistantMessage([...others, fauxToolCall("angel", { question: "Why?" })], { stopReason: "toolUse" }),
    fauxSay("Noted."),
  ]);
  pi.server.script("adv", [
    step.call("parent_session", { action: "search", query: "worked in", view: "branch" }),
    step.say("Because."),
  ]);

  await pi.session.prompt("go on");

  expect(pi.server.requests("adv")[1]?.raw).toContain(`of ${BATCH - 1}`);
  expect(pi.results().map(textOf)).toEqual(["Because."]);
  expect(pi.surprises()).toEqual([]);
});

/** A session with this history on disk, compacted behind it so that the executor is sent little. */
function openWritten({ project, sessionDir }: Home, live: (session: SessionBuilder) => void): SessionManager {
  const session = buildSession(SessionManager.inMemory(project));
  session.user("work");
  live(session);
  session.manager.appendCompaction("What was done.", session.user("go on"), 1);
  session.say("Yes.");
  const lines = [session.manager.getHeader(), ...session.manager.getEntries()];
  mkdirSync(sessionDir, { recursive: true });
  const file = join(sessionDir, "long.jsonl");
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return SessionManager.open(file);
}

function sizeOf(session: SessionManager): number {
  return statSync(session.getSessionFile() ?? "").size;
}
