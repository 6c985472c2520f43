import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import { startSession } from "../support/in-process.ts";
import { adviceMessages, requestTexts } from "../support/stall.ts";

test("A first failure is remembered without consulting, and the same operation failing in a later turn brings one consultation before the executor's next request.", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  pi.faux.exec.script([
    fauxCall("flaky", { n: 1 }),
    fauxCall("ls", {}),
    fauxCall("flaky", { n: 1 }),
    fauxSay("done"),
  ]);
  pi.faux.adv.script([fauxSay("ADVICE")]);

  await pi.session.prompt("make it work");

  expect(pi.faux.adv.requests).toHaveLength(1);
  expect(requestTexts(pi.faux.exec, 2).join("\n")).not.toContain("ADVICE");
  expect(requestTexts(pi.faux.exec, 3).at(-1)).toContain("ADVICE");
  expect(adviceMessages(pi.sessionManager)).toHaveLength(1);
});

test("A success clears the operation, and a later failure is a new incident.", async () => {
  const flaky = flakyTool();
  flaky.outcomes.push("fail", "ok", "fail", "fail");
  await using pi = await startSession({ factories: [flaky.extension] });
  pi.faux.exec.script([1, 2, 3].map(() => fauxCall("flaky", { n: 1 })));
  pi.faux.exec.script([fauxSay("so far none"), fauxCall("flaky", { n: 1 }), fauxSay("done")]);
  pi.faux.adv.script([fauxSay("ADVICE")]);

  await pi.session.prompt("fail, work, fail");
  const afterThree = pi.home.children().length;
  // A second prompt would be human input and clear the memory; an extension's message does not.
  await pi.session.sendCustomMessage(
    { customType: "test", content: "go on", display: false },
    { triggerTurn: true },
  );

  expect(afterThree).toBe(0);
  expect(pi.faux.adv.requests).toHaveLength(1);
});

test("After one consultation the operation stays quiet until it succeeds or the task boundary changes, whatever the outcome of the consultation was.", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  pi.faux.exec.script([1, 2, 3, 4, 5].map(() => fauxCall("flaky", { n: 1 })));
  pi.faux.exec.script([fauxSay("done")]);
  pi.faux.adv.script([fauxAssistantMessage("", { stopReason: "error", errorMessage: "bad key" })]);

  await pi.session.prompt("fail five times");

  expect(pi.faux.adv.requests).toHaveLength(1);
  expect(adviceMessages(pi.sessionManager)).toEqual([]);

  flaky.outcomes.push("fail", "fail");
  pi.faux.exec.script([fauxCall("flaky", { n: 1 }), fauxCall("flaky", { n: 1 }), fauxSay("done")]);
  pi.faux.adv.script([fauxSay("ADVICE-2")]);
  await pi.session.prompt("a new task");

  expect(pi.faux.adv.requests).toHaveLength(2);
});

test("Failures of one operation within one turn are one attempt.", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  const twice = [fauxToolCall("flaky", { n: 1 }), fauxToolCall("flaky", { n: 1 })];
  pi.faux.exec.script([fauxAssistantMessage(twice, { stopReason: "toolUse" }), fauxSay("done")]);

  await pi.session.prompt("twice at once");

  expect(pi.home.children()).toHaveLength(0);
});

test("Several stalled operations in one batch are one consultation that names them all.", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  const batch = (round: string) =>
    fauxAssistantMessage(
      [1, 2].map((n) => fauxToolCall("flaky", { n }, { id: `${round}-${n}` })),
      { stopReason: "toolUse" },
    );
  pi.faux.exec.script([batch("first"), batch("second"), fauxSay("done")]);
  pi.faux.adv.script([fauxSay("ADVICE")]);

  await pi.session.prompt("two stalls");

  expect(pi.faux.adv.requests).toHaveLength(1);
  const assignment = requestTexts(pi.faux.adv, 0).join("\n");
  for (const id of ["first-1", "first-2", "second-1", "second-2"]) expect(assignment).toContain(id);
});

test("There is no quota: sixty distinct stalls are sixty consultations.", { timeout: 120_000 }, async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  const stalls = Array.from({ length: 60 }, (_, n) => n);
  pi.faux.exec.script(stalls.flatMap((n) => [fauxCall("flaky", { n }), fauxCall("flaky", { n })]));
  pi.faux.exec.script([fauxSay("done")]);
  pi.faux.adv.script(stalls.map((n) => fauxSay(`ADVICE-${n}.`)));

  await pi.session.prompt("sixty stalls");

  expect(pi.faux.adv.requests).toHaveLength(60);
  expect(adviceMessages(pi.sessionManager)).toHaveLength(60);
});

test("All results of the stalling batch are in the child's snapshot by their call ids.", async () => {
  const flaky = flakyTool();
  flaky.outcomes.push("fail", "fail", "ok");
  await using pi = await startSession({ factories: [flaky.extension] });
  const batch = fauxAssistantMessage(
    [fauxToolCall("flaky", { n: 1 }, { id: "again" }), fauxToolCall("flaky", { n: 2 }, { id: "sibling" })],
    { stopReason: "toolUse" },
  );
  pi.faux.exec.script([
    fauxAssistantMessage(fauxToolCall("flaky", { n: 1 }, { id: "earlier" }), { stopReason: "toolUse" }),
    batch,
    fauxSay("done"),
  ]);
  pi.faux.adv.script([
    fauxCall("parent_session", { action: "get", ids: ["earlier", "again", "sibling"] }),
    fauxSay("ADVICE"),
  ]);

  await pi.session.prompt("with a sibling");

  const seen = requestTexts(pi.faux.adv, 1).at(-1);
  expect(seen).toContain("flaky failed in earlier");
  expect(seen).toContain("flaky failed in again");
  expect(seen).toContain("flaky worked in sibling");
});
