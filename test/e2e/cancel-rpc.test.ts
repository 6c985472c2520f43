/** `abort` over RPC while the executor waits for Angel, with a provider that is strict about calls and results. */

import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holdSearches, isAlive } from "../support/held-search.ts";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import type { LoggedRequest, ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import type { PiEvent } from "../support/pi-event.ts";
import { lastAssistant, ofType, textOf } from "../support/pi-event.ts";
import type { Rpc } from "../support/rpc.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";
import { UNHANDLED, unhandledIn } from "../support/unhandled.ts";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("An abort over RPC frees the executor from an advisor that is silent, writing or searching.", async () => {
  await using home = await watchedHome();
  const search = holdSearches(join(home.agentDir, "bin"));
  await using pi = await startRpc(home);
  const silent = async () => {
    server.script("adv", [step.stall()]);
    return server.nextRequest("adv");
  };
  const writing = async () => {
    const from = pi.events.length;
    server.script("adv", [step.stall({ after: "Half a sent" })]);
    await pi.waitFor((event) => isWriting(event), "advisor that writes", from);
    return server.nextRequest("adv");
  };
  const searching = async () => {
    server.script("adv", [step.call("grep", { pattern: "needle" })]);
    await server.nextRequest("adv");
    const processId = await search.running();
    return { isOver: () => !isAlive(processId) };
  };

  const endings = [];
  for (const stage of [silent, writing, searching]) endings.push(await abortAt(stage, pi));

  const freed = {
    results: [{ isError: true, text: "The consultation was cancelled: the run was stopped." }],
    isOver: true,
    answer: "Going on.",
  };
  expect(endings).toEqual([freed, freed, freed]);
  expect(consulted(home)).toEqual({ cards: 0, halfSentences: 0 });
  expect(unhandledIn(home)).toBe("");
  expect([server.unexpected, server.violations, server.pending(), pi.junk]).toEqual([[], [], 0, []]);
});

test("An abort at any time after the call leaves one result and a Pi that lives.", async () => {
  await using home = await watchedHome();
  await using pi = await startRpc(home);

  for (const delayMs of [0, 10, 30, 100, 500, 1000]) {
    server.script("exec", [step.call("angel", { question: "Why?" })]);
    // Longer than the slowest machine takes to abort.
    server.script("adv", [step.drip("word ".repeat(2000), { pieces: 2000, pauseMs: 50 })]);
    const run = pi.prompt("go on");
    await pi.waitFor((event) => event.type === "tool_execution_start", "call", pi.events.length);
    await sleep(delayMs);
    await pi.send({ type: "abort" });
    const results = ofType(await run, "tool_execution_end").map(({ result }) => textOf(result));
    expect(results, `after ${delayMs} ms`).toEqual([
      expect.stringMatching(/was cancelled: the run was stopped\.$|^Operation aborted$/),
    ]);
  }
  server.script("exec", [step.say("Alive.")]);
  const last = await pi.prompt("still there?");

  expect(textOf(lastAssistant(last))).toBe("Alive.");
  await Promise.all(server.requests("adv").map(({ done }) => done));
  expect(server.requests("adv").filter(({ closedEarly }) => !closedEarly)).toEqual([]);
  expect(unhandledIn(home)).toBe("");
  expect([server.unexpected, server.violations]).toEqual([[], []]);
});

test("An abort in the first of several calls leaves a conversation that a strict provider accepts.", async () => {
  await using home = await watchedHome();
  await using pi = await startRpc(home);
  const consultation = step.call("angel", { question: "Why?" });
  server.script("exec", [step.calls([consultation, step.call("ls", {}), consultation]), step.say("On.")]);
  server.script("adv", [step.stall()]);

  const run = pi.prompt("go on");
  await server.nextRequest("adv");
  await pi.send({ type: "abort" });
  const ends = ofType(await run, "tool_execution_end").map(({ isError, result }) => [
    isError,
    textOf(result),
  ]);
  const answer = await pi.prompt("go on without it");

  expect(ends[0]).toEqual([true, "The consultation was cancelled: the run was stopped."]);
  // What was not begun is Pi's to answer for; the strict provider sees whether it did.
  expect(ends.every(([isError]) => isError)).toBe(true);
  expect(textOf(lastAssistant(answer))).toBe("On.");
  expect(server.requests("adv")).toHaveLength(1);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

function watchedHome(): Promise<Home> {
  return makeHome({ server, project: UNHANDLED.files, extensions: [UNHANDLED.path] });
}

async function abortAt(stage: () => Promise<LoggedRequest | { isOver(): boolean }>, pi: Rpc) {
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Going on.")]);
  const run = pi.prompt("go on");
  const open = await stage();
  await pi.send({ type: "abort" });
  // Nothing but the abort ever ends what is open.
  if ("done" in open) await open.done;
  const results = ofType(await run, "tool_execution_end");
  const answer = await pi.prompt("and now?");
  return {
    results: results.map(({ isError, result }) => ({ isError, text: textOf(result) })),
    isOver: "done" in open ? open.closedEarly : open.isOver(),
    answer: textOf(lastAssistant(answer)),
  };
}

function isWriting(event: PiEvent): boolean {
  return event.type === "tool_execution_update" && /writing/.test(textOf(event.partialResult));
}

/** What the parent's file holds of the consultations beside their results. */
function consulted(home: Home) {
  const { entries } = home.parent();
  return {
    cards: entries.filter((entry) => entry.type === "custom" && entry.customType === "angel-advice-card")
      .length,
    halfSentences: entries.filter((entry) => JSON.stringify(entry).includes("Half a sent")).length,
  };
}
