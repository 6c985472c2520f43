/** What companions are told, and what they tell people. */

import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import type { Companion, EngineEvent } from "../../src/core/seam.ts";
import { mountCompanion, switchedOn } from "../support/companion.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

test("A companion hears each consultation in order, with the usage so far, and gets frozen copies.", async () => {
  const events: EngineEvent[] = [];
  const { extension } = mountCompanion({ name: "probe", on: (event) => void events.push(event) });
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });
  pi.server.script("adv", [
    step.call("ls", {}).usage({ in: 100, out: 10 }),
    step.say("Because.").usage({ in: 200, out: 20 }),
  ]);

  const { details } = await pi.ask("Why?");

  expect(events.map(({ type }) => type)).toEqual(["asked", "started", "progress", "progress", "settled"]);
  expect(events).toMatchObject([
    { consultationId: details.consultationId, origin: "executor" },
    {
      request: { question: "Why?", advisor: { model: "local/adv" } },
      childSessionId: details.childSessionId,
    },
    { toolCount: 0, usage: { state: "known", input: 100, output: 10 } },
    { toolCount: 1, usage: { state: "known", input: 300, output: 30 } },
    { record: details, advice: "Because." },
  ]);
  expect(events.every(isFrozen)).toBe(true);
});

test("A consultation that waits and one that is refused are told as such.", async () => {
  const events: EngineEvent[] = [];
  let isOpen = true;
  const { extension, engine, ctx } = mountCompanion({
    name: "probe",
    before: () => (isOpen ? undefined : { refuse: "closed" }),
    on: (event) => void events.push(event),
  });
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });
  const first = step.gate(step.say("One."));
  pi.server.script("adv", [first]);
  const ask = (question: string) =>
    engine().consult({
      ...{ origin: "review", question, instructions: "Review.", ctx: ctx() },
      ...{ lane: "now", deliver: "return" },
    });

  const one = ask("One?");
  await pi.server.nextRequest("adv");
  isOpen = false;
  const two = ask("Two?");
  first.open();
  await Promise.all([one, two]);

  expect(events.map(({ type }) => type).filter((type) => type !== "progress")).toEqual([
    ...["asked", "started", "asked", "waiting", "settled", "refused", "settled"],
  ]);
  expect(events.at(-2)).toMatchObject({ by: "probe", reason: "closed.", request: { question: "Two?" } });
});

test("What a listener throws is told to the user once and changes no consultation.", async () => {
  const board = hangNoticeBoard();
  const throws: Companion = {
    name: "probe",
    on: () => {
      throw new Error("cannot listen");
    },
  };
  const { extension } = mountCompanion(throws);
  await using pi = await startConsulting({
    settings: switchedOn(),
    factories: [extension],
    bindings: board.bindings,
  });
  pi.server.script("adv", [step.say("Because.")]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe("Because.");
  expect(board.notices).toEqual(['warning: Angel: the companion "probe" failed: cannot listen.']);
});

test("A companion has a line in the status and facts in the record, and one that fails at either says so there.", async () => {
  const board = hangNoticeBoard();
  const tells: Companion = {
    name: "probe",
    describe: () => "3 things counted",
    record: () => ({ counted: 3, nested: { no: 1 } as unknown as string }),
  };
  const plain: Companion = { name: "plain" };
  const fails: Companion = {
    name: "fails",
    describe: () => {
      throw new Error("no words");
    },
    record: () => {
      throw new Error("no facts");
    },
  };
  const { extension } = mountCompanion(tells, plain, fails);
  await using pi = await startConsulting({
    settings: switchedOn(),
    factories: [extension],
    bindings: board.bindings,
  });
  pi.server.script("adv", [step.say("Because.")]);

  const { details } = await pi.ask("Why?");
  await pi.session.prompt("/angel status");

  expect(details.companions).toEqual({ probe: { counted: 3 } });
  const status = board.notices.at(-1);
  expect(status).toContain("Companion probe: 3 things counted");
  expect(status).toContain("Companion plain runs.");
  expect(status).toContain('Companion fails: the companion "fails" failed: no words.');
});

test("A companion switches Angel on and off as the command does.", async () => {
  const { extension, engine, ctx } = mountCompanion({ name: "probe" });
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });
  const hasTool = () => pi.session.getActiveToolNames().includes("angel");

  await engine().setControl(false, ctx());
  const off = { hasTool: hasTool(), status: await engine().status(ctx()) };
  await engine().setControl(true, ctx());

  expect(off).toMatchObject({ hasTool: false, status: { control: "off" } });
  expect(hasTool()).toBe(true);
});

test("An engine is found in one version only, and other calls on its channel are passed over.", async () => {
  let found = 0;
  const asks = (call: unknown): InlineExtension => ({
    name: "asks",
    factory: (pi) => {
      pi.on("session_start", () => pi.events.emit("angel:engine", call));
    },
  });
  const receive = () => {
    found += 1;
  };
  const calls = [{ version: 2, receive }, { version: 1 }, undefined, "engine", { version: 1, receive }];
  await using pi = await startConsulting({ factories: calls.map(asks) });
  pi.faux.exec.script([fauxSay("Hello.")]);

  await pi.session.prompt("hello");

  expect(found).toBe(1);
  expect(pi.surprises()).toEqual([]);
});

function isFrozen(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.isFrozen(value) && Object.values(value).every(isFrozen);
}
