import { setTimeout as pause } from "node:timers/promises";
import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import { startSession } from "../support/in-process.ts";
import { adviceMessages, reports, requestTexts } from "../support/stall.ts";

test("Advice that comes home after the session moved in its tree is withheld, however late Angel hears of the move.", async () => {
  const held = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using pi = await startSession({ bindings: { mode: "json" } });
  pi.faux.exec.script([fauxSay("one"), fauxSay("two"), fauxSay("three")]);
  await pi.session.prompt("first");
  await pi.session.prompt("second");
  pi.faux.adv.script([
    async () => {
      asked.resolve();
      await held.promise;
      return fauxAssistantMessage("STALE-ADVICE");
    },
  ]);
  const question = pi.session.prompt("/angel about the second");
  await asked.promise;
  const second = pi.sessionManager
    .getEntries()
    .findLast((entry) => entry.type === "message" && entry.message.role === "user");

  // What Pi does first in a move, before it tells anybody.
  pi.sessionManager.branch(second?.parentId ?? "");
  held.resolve();
  await question;
  await pi.session.prompt("go on");

  expect(adviceMessages(pi.sessionManager)).toEqual([]);
  expect(reports(pi.sessionManager)).toMatchObject([{ record: { outcome: "cancelled" } }]);
  expect(requestTexts(pi.faux.exec, 2).join("\n")).not.toContain("STALE-ADVICE");
});

test("the tool is there again after off, on and a move to where it was withdrawn", async () => {
  await using pi = await startSession({ bindings: { mode: "json" } });
  pi.faux.exec.script(["a", "b", "c", "d"].map(fauxSay));
  const hasTool = () => pi.session.getActiveToolNames().includes("angel");
  await pi.session.prompt("one");
  await pi.session.prompt("/angel off");
  await pi.session.prompt("two");
  const whileOff = pi.sessionManager.getLeafId() ?? "";
  await pi.session.prompt("/angel on");
  await pi.session.prompt("three");

  await pi.session.navigateTree(whileOff);

  expect(hasTool()).toBe(true);
  await pi.session.prompt("four");
  expect(hasTool()).toBe(true);
});

test("two failures under one call id are told apart", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension], bindings: { mode: "json" } });
  const again = () =>
    fauxAssistantMessage(fauxToolCall("flaky", { n: 1 }, { id: "call_0" }), { stopReason: "toolUse" });
  pi.faux.exec.script([again(), fauxCall("ls", {}), again(), fauxSay("done")]);
  pi.faux.adv.script([fauxCall("parent_session", { action: "overview" }), fauxSay("ADVICE")]);

  await pi.session.prompt("work");

  const overview = requestTexts(pi.faux.adv, 1).at(-1) ?? "";
  const led = overview.match(/^call_0 = \[(\S+)\]/gm) ?? [];
  expect(new Set(led).size).toBe(2);
  expect(overview).toContain("Between them: ");
});

test("an answer that comes in the middle of a turn stays announced until it is shown", async () => {
  const [asked, answer, streaming] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  await using pi = await startSession({ bindings: { mode: "json" } });
  pi.faux.adv.script([
    async () => {
      asked?.resolve();
      await answer?.promise;
      return fauxAssistantMessage("ADVICE-7f3");
    },
  ]);
  pi.faux.exec.script([
    async () => {
      answer?.resolve();
      await streaming?.promise;
      return fauxAssistantMessage("long text");
    },
  ]);

  let isAnswered = false;
  const question = pi.session.prompt("/angel Is it so?").then(() => {
    isAnswered = true;
  });
  await asked?.promise;
  const run = pi.session.prompt("work");
  // The child is gone once its file has the answer; only then is there something to be held back.
  while (!JSON.stringify(pi.home.children()).includes("ADVICE-7f3")) await pause(5);
  const inTheMiddle = { isAnswered, advice: adviceMessages(pi.sessionManager).length };
  streaming?.resolve();
  await Promise.all([run, question]);

  expect(inTheMiddle).toEqual({ isAnswered: false, advice: 0 });
  expect(adviceMessages(pi.sessionManager)).toHaveLength(1);
});
