// Calls of angel among other calls of one message: one after the other, each seeing what came before it.

import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

test("Two calls in one message are two consultations, one after the other, and the second sees the first one's result.", async () => {
  await using pi = await startConsulting();
  pi.faux.exec.script([
    batch([
      ["first", "angel", { question: "A?" }],
      ["second", "angel", { question: "B?" }],
    ]),
    fauxSay("Noted."),
  ]);
  const held = step.gate(step.say("ADVICE-ONE"));
  pi.server.script("adv", [held, look(["first"]), step.say("ADVICE-TWO")]);

  const run = pi.session.prompt("go on");
  const first = await pi.server.nextRequest("adv");
  const during = { requests: pi.server.requests("adv").length, children: pi.home.children().length };
  held.open();
  await run;

  const [, second, third] = pi.server.requests("adv");
  expect(during).toEqual({ requests: 1, children: 1 });
  expect(first.body.messages.map(textOf).at(-1)).toMatch(/## The question\n\nA\?$/);
  expect(second?.body.messages.map(textOf).at(-1)).toMatch(/## The question\n\nB\?$/);
  expect(textOf(third?.body.messages.at(-1))).toContain("ADVICE-ONE");
  expect(pi.results().map((result) => [result.toolCallId, textOf(result)])).toEqual([
    ["first", "ADVICE-ONE"],
    ["second", "ADVICE-TWO"],
  ]);
  expect(new Set(pi.results().map(({ details }) => details.childSessionId)).size).toBe(2);
  expect(pi.home.children()).toHaveLength(2);
  expect(pi.surprises()).toEqual([]);
});

test("A call sees the results of the calls before it in its message, failed ones too, and not those after it.", async () => {
  const order: string[] = [];
  await using pi = await startConsulting({ factories: [workshop(order)] });
  pi.faux.exec.script([
    batch([
      ["call-flaky", "flaky", {}],
      ["call-slow", "slow", {}],
      ["call-angel", "angel", { question: "Why?" }],
      ["call-late", "late", {}],
    ]),
    fauxSay("Noted."),
  ]);
  pi.server.script("adv", [
    () => {
      order.push("angel");
      return look(["call-flaky", "call-slow", "call-late"]);
    },
    step.say("Do this."),
  ]);

  await pi.session.prompt("go on");

  const seen = textOf(pi.server.requests("adv")[1]?.body.messages.at(-1));
  expect(order).toEqual(["flaky", "slow", "angel", "late"]);
  expect(seen).toContain("SIB-FAILED");
  expect(seen).toContain("SIB-OK");
  expect(seen).not.toContain("SIB-LATE");
  expect(pi.surprises()).toEqual([]);
});

function batch(calls: readonly [id: string, name: string, args: { question?: string }][]) {
  return fauxAssistantMessage(
    calls.map(([id, name, args]) => fauxToolCall(name, args, { id })),
    { stopReason: "toolUse" },
  );
}

function look(ids: readonly string[]) {
  return step.call("parent_session", { action: "get", ids });
}

/** Three tools that write down when they ran: one fails, one takes its time, one comes after angel. */
function workshop(order: string[]): InlineExtension {
  return {
    name: "workshop",
    factory: (pi) => {
      const tool = (name: string, work: () => Promise<string>) =>
        pi.registerTool({
          name,
          label: name,
          description: name,
          parameters: Type.Object({}),
          async execute() {
            const text = await work().finally(() => order.push(name));
            return { content: [{ type: "text", text }], details: undefined };
          },
        });
      tool("flaky", () => Promise.reject(new Error("SIB-FAILED")));
      tool("slow", async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return "SIB-OK";
      });
      tool("late", async () => "SIB-LATE");
    },
  };
}
