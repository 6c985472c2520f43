/** What companions do to a request before the advisor exists: hold it back, add to it, choose who answers. */

import { expect, test } from "vitest";
import type { Companion } from "../../src/core/seam.ts";
import { mountCompanion, switchedOn } from "../support/companion.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { textOf } from "../support/pi-event.ts";
import { adviceMessages, reports } from "../support/stall.ts";
import * as step from "../support/steps.ts";

const REFUSES: Companion = { name: "probe", before: () => ({ refuse: "the day's budget is spent" }) };

test("A companion refuses a call of the executor: an error result with its sentence, no child, and its name in the record.", async () => {
  const { extension } = mountCompanion(REFUSES);
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });

  const result = await pi.ask("Why?");

  expect(result.isError).toBe(true);
  expect(textOf(result)).toBe("Angel gave no advice: the day's budget is spent.");
  expect(result.details).toMatchObject({ outcome: "failed", refusedBy: "probe", usage: { totalTokens: 0 } });
  expect(pi.home.children()).toEqual([]);
  expect(pi.server.requests("adv")).toEqual([]);
});

test("A companion refuses a question of the user and an automatic consultation: each is a report, and the executor goes on.", async () => {
  const flaky = flakyTool();
  const { extension } = mountCompanion(REFUSES);
  await using pi = await startConsulting({ settings: switchedOn(), factories: [flaky.extension, extension] });
  pi.faux.exec.script([fauxCall("flaky", {}), fauxCall("flaky", {}), fauxSay("Done.")]);

  await pi.session.prompt("go on");
  await pi.session.prompt("/angel and now?");

  const sentence = "Angel gave no advice: the day's budget is spent.";
  expect(reports(pi.sessionManager)).toMatchObject([
    { sentence, record: { origin: "error", refusedBy: "probe" } },
    { sentence, record: { origin: "human", refusedBy: "probe" } },
  ]);
  expect(adviceMessages(pi.sessionManager)).toEqual([]);
  expect(pi.server.requests("adv")).toEqual([]);
  expect(pi.surprises()).toEqual([]);
});

test("What companions add stands in the assignment and at the end of the instructions, and the record names them.", async () => {
  const first: Companion = {
    name: "probe",
    before: ({ question }) => ({ context: `Heard: ${question}`, instructions: "Answer in French." }),
  };
  const second: Companion = { name: "other", before: async () => ({ context: "And this too." }) };
  const silent: Companion = { name: "silent", before: () => undefined };
  const { extension } = mountCompanion(first, second, silent);
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });
  pi.server.script("adv", [step.say("Bien.")]);

  const { details } = await pi.ask("Why?", "the asker's own");

  const [system, assignment] = pi.server.requests("adv")[0]?.body.messages ?? [];
  expect(textOf(assignment)).toContain("the asker's own\n\nHeard: Why?\n\nAnd this too.");
  expect(textOf(system)).toContain("Answer in French.");
  expect(details).toMatchObject({ outcome: "advised", changedBy: ["probe", "other"] });
  expect(pi.surprises()).toEqual([]);
});

test("A companion's choice of the advisor goes before the settings, and an advisor that Pi does not know is said.", async () => {
  let model = "local/other";
  const chooses: Companion = { name: "probe", before: () => ({ advisor: { model, thinking: "off" } }) };
  const { extension } = mountCompanion(chooses);
  await using pi = await startConsulting({
    settings: switchedOn(),
    models: { other: {} },
    factories: [extension],
  });
  pi.server.script("other", [step.say("From the other.")]);

  const chosen = await pi.ask("Why?");
  model = "local/nobody";
  const unknown = await pi.ask("Why?");

  expect(chosen.details).toMatchObject({ model: "local/other", thinking: { requested: "off" } });
  expect(textOf(unknown)).toContain('a companion names "local/nobody", which Pi does not know');
});

test("A companion that chooses an advisor cannot undo an executor that is switched off.", async () => {
  const chooses: Companion = { name: "probe", before: () => ({ advisor: { model: "local/adv" } }) };
  const { extension } = mountCompanion(chooses);
  const pairs = [{ executor: "exec/*", advisor: "off" }];
  await using pi = await startConsulting({
    settings: { angel: { ...switchedOn().angel, pairs } },
    factories: [extension],
  });

  await pi.session.prompt("/angel why?");

  expect(reports(pi.sessionManager)).toMatchObject([
    { sentence: expect.stringContaining("switches it off for exec/exec") },
  ]);
});

test("A companion that throws before a consultation refuses it.", async () => {
  const throws: Companion = {
    name: "probe",
    before: () => {
      throw new Error("no ledger");
    },
  };
  const { extension } = mountCompanion(throws);
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe('Angel gave no advice: the companion "probe" failed: no ledger.');
  expect(pi.home.children()).toEqual([]);
});

test("A consultation is cancelled while a companion has not answered yet.", async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  const waits: Companion = {
    name: "probe",
    before: (_request, _ctx, signal) => {
      asked.resolve(signal);
      return new Promise(() => {});
    },
  };
  const { extension } = mountCompanion(waits);
  await using pi = await startConsulting({
    settings: switchedOn(),
    factories: [extension],
    bindings: hangNoticeBoard().bindings,
  });

  const asking = pi.session.prompt("/angel why?");
  const signal = await asked.promise;
  await pi.session.prompt("/angel cancel");
  await asking;

  expect(signal.aborted).toBe(true);
  expect(reports(pi.sessionManager)).toMatchObject([
    { sentence: "The consultation was cancelled: the user cancelled it with /angel cancel." },
  ]);
  expect(pi.server.requests("adv")).toEqual([]);
});
