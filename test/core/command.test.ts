import { expect, test } from "vitest";
import { completeCommand, parseCommand } from "../../src/core/command.ts";

test("A subcommand is the whole argument, and anything longer is a question.", () => {
  expect(parseCommand(" off ")).toEqual({ kind: "off" });
  expect(parseCommand("")).toEqual({ kind: "status" });
  expect(parseCommand("  \n")).toEqual({ kind: "status" });
  expect(parseCommand("cancel the migration?")).toEqual({ kind: "ask", question: "cancel the migration?" });
  expect(parseCommand("Status")).toEqual({ kind: "status" });
  expect(parseCommand("???")).toEqual({ kind: "unclear" });
});

test("completions offer the subcommands that are still possible", () => {
  expect(completeCommand("o")).toEqual(["on", "off"]);
  expect(completeCommand("")).toHaveLength(4);
  expect(completeCommand("on ")).toEqual([]);
  expect(completeCommand("status")).toEqual([]);
});
