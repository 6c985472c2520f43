// How entries become items: which result answers which call, and what has a line of its own.

import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import type { Branch } from "../../src/core/branch.ts";
import { readBranch } from "../../src/core/branch.ts";
import type { SessionBuilder } from "../support/session-builder.ts";
import { buildSession } from "../support/session-builder.ts";

test("A call and its result are one item, found under both entries and the call id.", () => {
  const session = buildSession();
  const { call, result, callId } = session.operate("bash", { command: "ls" }, "text", { isError: true });

  const branch = read(session);

  expect(branch.items).toHaveLength(1);
  const [operation] = branch.items;
  expect(operation).toMatchObject({
    kind: "operation",
    place: 0,
    entryId: call,
    callId,
    tool: "bash",
    call: { id: callId, name: "bash", arguments: { command: "ls" } },
    result: { place: 1, entryId: result, isMarkedError: true },
  });
  expect(branch.itemsOf(call)).toEqual([operation]);
  expect(branch.itemsOf(result)).toEqual([operation]);
  expect(branch.operations(callId)).toEqual([operation]);
});

test("Results are paired by id within the last message that called so, in the order of its calls.", () => {
  const session = buildSession();
  session.call([{ tool: "a", id: "x" }]);
  session.call([
    { tool: "b", id: "x" },
    { tool: "c", id: "x" },
  ]);
  const first = session.result("x", "b", "1");
  const second = session.result("x", "c", "2");
  const third = session.result("x", "d", "3");

  const pairs = read(session).operations("x");

  expect(pairs.map(({ tool, call, result }) => [tool, call?.name, result?.entryId])).toEqual([
    ["a", "a", undefined],
    ["b", "b", first],
    ["c", "c", second],
    ["d", undefined, third],
  ]);
});

test("An assistant message has a line for its words or its end, and none when it only calls.", () => {
  const session = buildSession();
  session.call([{ tool: "bash" }]);
  session.call([{ tool: "bash" }], "words");
  session.say("", { thinking: "hm" });
  const cut = fauxAssistantMessage(fauxToolCall("bash", {}), { stopReason: "aborted" });
  session.manager.appendMessage(cut);

  const kinds = read(session).items.map(({ kind }) => kind);

  expect(kinds).toEqual(["operation", "assistant", "operation", "assistant", "assistant", "operation"]);
});

test("System messages and private shell runs have a place and a count, but no item.", () => {
  const session = buildSession();
  const system = session.system("words");
  const hidden = session.shell("ls", "text", { isPrivate: true });
  const open = session.shell("ls", "text");

  const branch = read(session);

  expect(branch.items.map(({ entryId }) => entryId)).toEqual([open]);
  expect([branch.placeOf(system), branch.placeOf(hidden), branch.placeOf("nowhere")]).toEqual([
    0,
    1,
    undefined,
  ]);
  expect([branch.itemsOf(system), branch.itemsOf("__proto__"), branch.operations("constructor")]).toEqual([
    [],
    [],
    [],
  ]);
  expect(Object.fromEntries(branch.counts)).toEqual({
    system_message: { inContext: 1, lost: 0 },
    private_shell_run: { inContext: 1, lost: 0 },
    shell: { inContext: 1, lost: 0 },
  });
});

function read({ manager }: SessionBuilder): Branch {
  return readBranch(manager.getBranch(), manager.getLeafId());
}
