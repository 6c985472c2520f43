import { expect, test } from "vitest";
import type { ProvenanceOf, TurnCall, TurnResult } from "../../src/core/turn.ts";
import { attemptsOf } from "../../src/core/turn.ts";

const BUILT_IN: ProvenanceOf = (tool) => ({ source: "builtin", path: `builtin:${tool}` });

function call(id: string, name: string, args: unknown = { a: 1 }): TurnCall {
  return { id, name, arguments: args };
}

function result(toolCallId: string, toolName: string, isError = true): TurnResult {
  return { toolCallId, toolName, isError, entryId: `entry of ${toolCallId}` };
}

test.each(["read", "edit", "write", "grep", "find", "ls"])("Pi's own %s makes no attempt", (tool) => {
  expect(attemptsOf([call("1", tool)], [result("1", tool)], BUILT_IN)).toEqual([]);
});

test.each<[string, ReturnType<ProvenanceOf>]>([
  ["an extension's override", { source: "local", path: "/extensions/read.ts" }],
  ["an SDK tool", { source: "sdk", path: "<sdk:read>" }],
  ["an MCP tool that is named so", { source: "builtin", path: "builtin:mcp" }],
  ["a tool without provenance", undefined],
])("%s under the name read is an attempt", (_what, provenance) => {
  expect(attemptsOf([call("1", "read")], [result("1", "read")], () => provenance)).toHaveLength(1);
});

test.each(["bash", "powershell", "codemode", "mcp__docs__search", "made_up"])("%s is an attempt", (tool) => {
  expect(attemptsOf([call("1", tool)], [result("1", tool)], BUILT_IN)).toHaveLength(1);
});

test("angel is no attempt whoever registered it", () => {
  expect(attemptsOf([call("1", "angel")], [result("1", "angel")], () => undefined)).toEqual([]);
});

test("a result without exactly one call is no attempt", () => {
  const calls = [call("1", "bash"), call("2", "bash", { a: 2 }), call("2", "bash", { a: 3 })];

  expect(attemptsOf(calls, [result("9", "bash")], BUILT_IN)).toEqual([]);
  expect(attemptsOf(calls, [result("2", "bash")], BUILT_IN)).toEqual([]);
  expect(attemptsOf(calls, [result("1", "other")], BUILT_IN)).toEqual([]);
});

test("attempts keep the order of the results and the mark of each", () => {
  const calls = [call("1", "bash"), call("2", "bash", { a: 2 })];

  const attempts = attemptsOf(calls, [result("1", "bash", false), result("2", "bash", true)], BUILT_IN);

  expect(attempts.map(({ callId, isFailure }) => [callId, isFailure])).toEqual([
    ["1", false],
    ["2", true],
  ]);
});
