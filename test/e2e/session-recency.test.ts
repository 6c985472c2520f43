/** `pi -c` after a consultation: it opens the file that was written last, and that is to be the parent's. */

import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import type { Exit } from "../support/pi-process.ts";
import { runPi } from "../support/print.ts";
import type { Rpc } from "../support/rpc.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const FIRST_WORDS = "the very first words of the parent";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("The parent is reopened by pi -c after a consultation and after a kill in the middle of one.", async () => {
  await using finished = await makeHome({ server });
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Done.")]);
  server.script("adv", [step.call("ls", {}), step.say("Because.")]);
  await using killed = await makeHome({ server });

  await runPi(finished, ["-p", FIRST_WORDS]);
  const afterwards = await continued(finished);
  await using pi = await startRpc(killed);
  await whileWriting(pi);
  // So long that what was done for the parent at the beginning no longer helps.
  await sleep(1500);
  await pi.kill("SIGKILL");
  const afterKill = await continued(killed);

  expect([afterwards, afterKill]).toEqual([
    { isParent: true, sessions: 2 },
    { isParent: true, sessions: 2 },
  ]);
  expect([server.unexpected, server.violations]).toEqual([[], []]);
});

test.each([
  ["has just asked", whenAsked],
  ["has just read", whileReading],
])("A kill while the advisor %s leaves the parent in front of the child.", async (_, stage) => {
  await using home = await makeHome({ server });
  await using pi = await startRpc(home);

  await stage(pi);
  await pi.kill("SIGKILL");

  expect(home.children()).toHaveLength(1);
  expect(mostRecent(home)).toBe(home.parent().path);
});

test.each<[string, (pi: Rpc) => Promise<Exit>]>([
  ["stdin is closed", (pi) => pi.stop()],
  ["SIGTERM", (pi) => pi.kill("SIGTERM")],
  ["SIGHUP", (pi) => pi.kill("SIGHUP")],
])("Pi leaves in the middle of a consultation on %s, and leaves the parent in front.", async (_, leave) => {
  await using home = await makeHome({ server });
  await using pi = await startRpc(home);

  const request = await whileWriting(pi);
  const exit = await leave(pi);
  await request.done;

  // A Pi that stays is killed in the end.
  expect(exit.signal).toBeNull();
  expect(request.closedEarly).toBe(true);
  expect(home.children()).toHaveLength(1);
  expect(mostRecent(home)).toBe(home.parent().path);
});

test("Leaving the terminal in the middle of a consultation leaves the parent in front of the child.", async () => {
  await using home = await makeHome({ server });
  server.script("exec", [step.call("angel", { question: "Why?" })]);
  server.script("adv", [step.stall({ after: "Half a sent" })]);
  await using tui = await startTui(home);

  await tui.type(FIRST_WORDS);
  await tui.press("Enter");
  await tui.until("writing");
  await tui.press("C-d");
  const code = await tui.untilExit();

  expect(code).toBe(0);
  expect(home.children()).toHaveLength(1);
  expect(mostRecent(home)).toBe(home.parent().path);
});

/** Its request has just arrived. */
async function whenAsked(pi: Rpc) {
  return consult(pi, step.stall());
}

async function whileWriting(pi: Rpc) {
  const request = await consult(pi, step.drip("word ".repeat(4000), { pieces: 4000, pauseMs: 20 }));
  await pi.waitFor((event) => event.type === "tool_execution_update", "advisor at work");
  return request;
}

/** In a request that follows a tool call, which the child has just written down. */
async function whileReading(pi: Rpc) {
  const n = server.requests("adv").length;
  await consult(pi, step.call("ls", {}), step.stall());
  return server.nextRequest("adv", n + 2);
}

async function consult(pi: Rpc, ...answers: readonly step.Answer[]) {
  const n = server.requests("adv").length;
  server.script("exec", [step.call("angel", { question: "Why?" })]);
  server.script("adv", answers);
  void pi.prompt(FIRST_WORDS).catch(() => {});
  return server.nextRequest("adv", n + 1);
}

/** The session that Pi itself would go on with. */
function mostRecent(home: Home): string | undefined {
  return SessionManager.continueRecent(home.project, dirname(home.parent().path)).getSessionFile();
}

async function continued(home: Home) {
  const n = server.requests("exec").length;
  server.script("exec", [step.say("Hello again.")]);
  await runPi(home, ["-c", "-p", "hi"]);
  const request = server.requests("exec")[n];
  return { isParent: request?.raw.includes(FIRST_WORDS) ?? false, sessions: home.sessions().length };
}
