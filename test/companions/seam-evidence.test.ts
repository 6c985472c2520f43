/** What a companion filters of the parent session, wherever parent_session shows it. */

import { expect, test } from "vitest";
import type { Companion, EvidencePlace } from "../../src/core/seam.ts";
import { mountCompanion, switchedOn } from "../support/companion.ts";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const SECRET = "hunter2-hunter2-hunter2";

/** A parent that holds the secret in the user's words, a call's arguments, a result's long line and an answer. */
async function secretParent(companion: Companion): Promise<Consulting> {
  const flaky = flakyTool();
  const pi = await startConsulting({
    settings: switchedOn(),
    factories: [flaky.extension, mountCompanion(companion).extension],
  });
  pi.faux.exec.script([
    fauxCall("flaky", { n: 1, [`key ${SECRET}`]: { deep: [`x${SECRET}y`] } }),
    fauxSay(`${"long ".repeat(60)}${SECRET}${" tail".repeat(60)}`),
  ]);
  await pi.session.prompt(`my password is ${SECRET}`);
  return pi;
}

/** What the advisor was shown by its calls, whole. */
async function shown(pi: Consulting, calls: readonly Parameters<typeof step.call>[1][]): Promise<string> {
  pi.server.script("adv", [...calls.map((args) => step.call("parent_session", args)), step.say("Seen.")]);
  await pi.ask("Why?");
  return JSON.stringify(pi.server.requests("adv").map(({ body }) => body));
}

test("A companion's filter comes before search, list, overview, get and every cut, for arguments and their names too.", async () => {
  const places: EvidencePlace[] = [];
  await using pi = await secretParent({
    name: "probe",
    evidence: async (text, where) => {
      places.push(where);
      return text.replaceAll(SECRET, "[gone]");
    },
  });
  const ids = pi.sessionManager.getBranch().map(({ id }) => id);

  const seen = await shown(pi, [
    { action: "overview" },
    { action: "list" },
    { action: "search", query: "password" },
    { action: "search", query: SECRET.slice(0, 10) },
    { action: "get", ids },
  ]);

  expect(seen).not.toContain(SECRET.slice(0, 12));
  expect(seen).toContain("my password is [gone]");
  expect(seen).toContain("x[gone]y");
  expect(places).toContainEqual(expect.objectContaining({ tool: "parent_session", part: "text" }));
  expect(places.map(({ part }) => part)).toContain("arguments");
});

test("Search finds nothing that a companion took away.", async () => {
  await using pi = await secretParent({ name: "probe", evidence: (text) => text.replaceAll(SECRET, "") });

  const seen = await shown(pi, [{ action: "search", query: "hunter2" }]);

  expect(seen).toContain("0 hits in all");
});

test("A filter that throws, rejects or gives no text yields a sentence in place of the text, which does not come out.", async () => {
  const faults: Companion["evidence"][] = [
    (text) => {
      throw new Error(`cannot filter ${text}`);
    },
    async (text) => Promise.reject(new Error(`cannot filter ${text}`)),
    () => undefined as unknown as string,
  ];
  for (const evidence of faults) {
    await using pi = await secretParent({ name: "probe", ...(evidence ? { evidence } : {}) });
    const ids = pi.sessionManager.getBranch().map(({ id }) => id);

    const seen = await shown(pi, [{ action: "overview" }, { action: "get", ids }]);

    expect(seen).not.toContain("hunter2");
    expect(seen).toContain('[withheld: the companion \\\\\\"probe\\\\\\" could not filter this text]');
  }
});

test("Of several filters each gets what the one before it left.", async () => {
  const flaky = flakyTool();
  const first: Companion = { name: "probe", evidence: (text) => text.replaceAll("apple", "berry") };
  const second: Companion = { name: "second", evidence: (text) => text.replaceAll("berry", "plum") };
  await using pi = await startConsulting({
    settings: switchedOn(),
    factories: [flaky.extension, mountCompanion(first, second).extension],
  });
  pi.faux.exec.script([fauxSay("An apple.")]);
  await pi.session.prompt("One apple?");

  const seen = await shown(pi, [{ action: "overview" }]);

  expect(seen).toContain("One plum?");
  expect(seen).not.toMatch(/apple|berry/);
});

test("A filter that never returns holds no cancellation up.", async () => {
  const asked = Promise.withResolvers<void>();
  await using pi = await secretParent({
    name: "probe",
    evidence: () => {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  pi.server.script("adv", [step.call("parent_session", { action: "overview" })]);
  pi.faux.exec.script([fauxCall("angel", { question: "Why?" })]);

  const running = pi.session.prompt("go on");
  await asked.promise;
  await pi.session.abort();
  await running;

  expect(pi.results().map((result) => textOf(result))).toEqual([
    "The consultation was cancelled: the run was stopped.",
  ]);
});
