import { fauxAssistantMessage } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import { adviceMessages, reports, requestTexts } from "../support/stall.ts";

/** A question whose advisor answers only when the test lets it. */
async function askAndHold(
  pi: InProcess,
  question: string,
): Promise<{ answered: Promise<void>; release: () => void }> {
  const arrived = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  pi.faux.adv.script([
    async () => {
      arrived.resolve();
      await held.promise;
      return fauxAssistantMessage("STALE-ADVICE");
    },
  ]);
  const answered = pi.session.prompt(`/angel ${question}`);
  await arrived.promise;
  return { answered, release: held.resolve };
}

test("Reload and tree navigation cancel a question that runs, and its late answer is withheld.", async () => {
  await using pi = await startSession({ bindings: { mode: "json" } });
  pi.faux.exec.script([fauxSay("hello"), fauxSay("after")]);
  await pi.session.prompt("hi");
  const first = pi.sessionManager
    .getEntries()
    .find((entry) => entry.type === "message" && entry.message.role === "user");
  const moves = [() => pi.session.reload(), () => pi.session.navigateTree(first?.id ?? "")];

  for (const move of moves) {
    const { answered, release } = await askAndHold(pi, "Is it so?");
    const moved = move();
    release();
    await moved;
    await answered;
  }
  await pi.session.prompt("go on");

  expect(adviceMessages(pi.sessionManager)).toEqual([]);
  expect(reports(pi.sessionManager)).toMatchObject([
    { sentence: expect.stringContaining("the session was closed"), record: { outcome: "cancelled" } },
    { sentence: expect.stringContaining("moved to another place"), record: { outcome: "cancelled" } },
  ]);
  expect(requestTexts(pi.faux.exec, 1).join("\n")).not.toContain("STALE-ADVICE");
  expect(pi.extensionErrors).toEqual([]);
});

test("The pin of a question does not move when the executor works meanwhile, and the advice lands once.", async () => {
  await using pi = await startSession({ bindings: { mode: "json" } });
  pi.faux.exec.script([fauxSay("hello"), fauxSay("LATER-WORK"), fauxSay("end")]);
  await pi.session.prompt("hi");
  const arrived = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  pi.faux.adv.script([
    async () => {
      arrived.resolve();
      await held.promise;
      return fauxCall("parent_session", { action: "search", query: "LATER-WORK", view: "branch" });
    },
    fauxSay("ADVICE-7f3"),
  ]);

  const answered = pi.session.prompt("/angel Is it so?");
  await arrived.promise;
  await pi.session.prompt("work on");
  held.resolve();
  await answered;
  await pi.session.prompt("thanks");

  expect(requestTexts(pi.faux.adv, 1).at(-1)).toContain("0 hits in all");
  expect(adviceMessages(pi.sessionManager)).toHaveLength(1);
  expect(requestTexts(pi.faux.exec, 2).filter((text) => text.includes("ADVICE-7f3"))).toHaveLength(1);
});

test("A failed question leaves a report and nothing in the executor's context.", async () => {
  await using pi = await startSession({ bindings: { mode: "json" } });
  pi.faux.exec.script([fauxSay("hello"), fauxSay("end")]);
  await pi.session.prompt("hi");
  pi.faux.adv.script([fauxAssistantMessage("", { stopReason: "error", errorMessage: "403 no such plan" })]);

  await pi.session.prompt("/angel Is it so?");
  await pi.session.prompt("go on");

  expect(reports(pi.sessionManager)).toMatchObject([
    { sentence: expect.stringContaining("403 no such plan"), record: { origin: "human", outcome: "failed" } },
  ]);
  expect(requestTexts(pi.faux.exec, 1).join("\n")).not.toContain("403");
});
