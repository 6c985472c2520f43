/** The session is reloaded, or moves in its tree, at every moment of an answer's way home. */

import { fauxAssistantMessage } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { isRecord } from "../../src/core/is-record.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import { adviceMessages, reports, requestTexts } from "../support/stall.ts";

type Move = (pi: InProcess) => Promise<unknown>;

const MOVES: Readonly<Record<"reload" | "tree", Move>> = {
  reload: (pi) => pi.session.reload(),
  tree: (pi) => pi.session.navigateTree(firstQuestion(pi)),
};

/** So many moments, a microtask apart, cover the answer's whole way home: stream, judge, charge, deliver. */
const MOMENTS = 110;

test("Reload and a move in the tree at any moment of an answer's way home leave one outcome, and advice only where it was asked.", {
  timeout: 120_000,
}, async () => {
  for (const [name, move] of Object.entries(MOVES)) {
    await using pi = await startSession({ bindings: { mode: "json" } });
    pi.faux.exec.script([fauxSay("hello"), fauxSay("after")]);
    await pi.session.prompt("hi");
    const place = pi.sessionManager.getLeafId() ?? "";

    for (let round = 0; round < MOMENTS; round += 1) {
      await pi.session.navigateTree(place);
      await answerInto(pi, round, move);
    }
    await pi.session.prompt("go on");

    const advice = adviceMessages(pi.sessionManager);
    const ids = [...advice.map(({ details }) => details), ...reports(pi.sessionManager)].map(consultationId);
    expect(ids, name).toHaveLength(MOMENTS);
    expect(new Set(ids).size, name).toBe(MOMENTS);
    for (const { id, details } of advice) {
      const branch = pi.sessionManager.getBranch(id).map((entry) => entry.id);
      expect(branch, name).toContain(isRecord(details) ? details.parentLeafId : undefined);
    }
    // Both sides of the settling were met, or the moments prove nothing.
    expect(advice.length).toBeGreaterThan(0);
    expect(advice.length).toBeLessThan(MOMENTS);
    const sent = requestTexts(pi.faux.exec, 1).filter((text) => text.includes("ADVICE-"));
    expect(sent, name).toHaveLength(name === "tree" ? 0 : 1);
    expect(pi.extensionErrors).toEqual([]);
  }
});

test("A host that reloads or moves during a consultation of the executor or error origin is refused by Pi, and the advice is delivered once.", async () => {
  for (const origin of ["executor", "error"] as const) {
    const flaky = flakyTool();
    await using pi = await startSession({ factories: [flaky.extension], bindings: { mode: "json" } });
    pi.faux.exec.script([fauxSay("hello")]);
    await pi.session.prompt("hi");
    pi.faux.exec.script(
      origin === "executor"
        ? [fauxCall("angel", { question: "Why?" })]
        : [fauxCall("flaky", {}), fauxCall("flaky", {})],
    );
    pi.faux.exec.script([fauxSay("end")]);
    const held = holdAdvice(pi, "ADVICE-7f3");

    const run = pi.session.prompt("work");
    await held.asked;
    const refusals = await Promise.all(Object.values(MOVES).map((move) => refusalOf(move(pi))));
    held.release();
    await run;

    expect(refusals).toEqual([expect.stringContaining("Wait for"), expect.stringContaining("Wait for")]);
    const last = requestTexts(pi.faux.exec, pi.faux.exec.requests.length - 1);
    expect(last.filter((text) => text.includes("ADVICE-7f3"))).toHaveLength(1);
    expect(pi.session.getLastAssistantText()).toBe("end");
    expect(pi.extensionErrors).toEqual([]);
  }
});

test("a question that waits outlives a reload and a move that Pi refuses, and is answered once", async () => {
  await using pi = await startSession({ bindings: { mode: "json" } });
  pi.faux.exec.script([fauxSay("hello")]);
  await pi.session.prompt("hi");
  const working = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  pi.faux.exec.script([
    async () => {
      working.resolve();
      await finish.promise;
      return fauxSay("finished");
    },
    fauxSay("end"),
  ]);
  pi.faux.adv.script([fauxAssistantMessage("ADVICE-7f3")]);

  const run = pi.session.prompt("work");
  await working.promise;
  const question = pi.session.prompt("/angel Is it so?");
  const refusals = await Promise.all(Object.values(MOVES).map((move) => refusalOf(move(pi))));
  const askedTooEarly = pi.faux.adv.requests.length;
  finish.resolve();
  await Promise.all([run, question]);
  await pi.session.prompt("thanks");

  expect(refusals).toEqual([expect.stringContaining("Wait for"), expect.stringContaining("Wait for")]);
  expect(askedTooEarly).toBe(0);
  expect(adviceMessages(pi.sessionManager)).toHaveLength(1);
  expect(requestTexts(pi.faux.exec, 2).filter((text) => text.includes("ADVICE-7f3"))).toHaveLength(1);
});

/** One question, whose session is moved so many moments after its advisor has answered. */
async function answerInto(pi: InProcess, round: number, move: Move): Promise<void> {
  const answered = Promise.withResolvers<void>();
  pi.faux.adv.script([
    () => {
      answered.resolve();
      return fauxAssistantMessage(`ADVICE-${round}.`);
    },
  ]);
  const question = pi.session.prompt(`/angel round ${round}`);
  await answered.promise;
  for (let n = 0; n < round; n += 1) await undefined;
  await move(pi);
  await question;
}

function holdAdvice(pi: InProcess, text: string) {
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  pi.faux.adv.script([
    async () => {
      asked.resolve();
      await held.promise;
      return fauxAssistantMessage(text);
    },
  ]);
  return { asked: asked.promise, release: held.resolve };
}

function refusalOf(move: Promise<unknown>): Promise<string> {
  return move.then(
    () => "not refused",
    (error: unknown) => String(error),
  );
}

function firstQuestion({ sessionManager }: InProcess): string {
  const isUser = (entry: { readonly type: string; readonly message?: unknown }) =>
    entry.type === "message" && isRecord(entry.message) && entry.message.role === "user";
  return sessionManager.getEntries().find(isUser)?.id ?? "none";
}

/** Of a report or of the record beside a message. */
function consultationId(holder: unknown): unknown {
  const record = isRecord(holder) && isRecord(holder.record) ? holder.record : holder;
  return isRecord(record) ? record.consultationId : undefined;
}
