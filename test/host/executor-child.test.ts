// What a child is given at its start: its assignment, its tools, its place in the session folder.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const CHILD_TOOLS = ["read", "ls", "find", "grep", "parent_session"];

test("The first request of a child holds the assignment and nothing of the parent's transcript or system prompt.", async () => {
  await using pi = await startConsulting({
    project: { "notes.txt": "WORD-READ" },
    agentFiles: { "SYSTEM.md": "WORD-SYSTEM", "APPEND_SYSTEM.md": "WORD-APPENDED" },
  });
  pi.faux.exec.script([fauxCall("read", { path: "notes.txt" }), fauxSay("WORD-SAID")]);
  await pi.session.prompt("WORD-ASKED");
  pi.server.script("adv", [step.say("Do this.")]);

  const { details, toolCallId } = await pi.ask("Which one, A or B?", "B is cheaper.");

  const [request] = pi.server.requests("adv");
  expect(JSON.stringify(pi.faux.exec.requests[2])).toMatch(/(WORD-.*){5}/);
  expect(request?.raw).not.toMatch(/WORD-|coding assistant/);
  expect(request?.body.messages.map(({ role }) => role)).toEqual(["system", "user"]);
  expect(textOf(request?.body.messages[1]).split("\n")).toEqual([
    "# Your assignment",
    "",
    `- Origin: executor, asked ${details.asked}.`,
    `- Parent session ${pi.session.sessionId}, pinned at entry ${details.parentLeafId}. Read it through parent_session only.`,
    `- Triggering tool calls: ${toolCallId}.`,
    `- Project folder ${pi.home.project}.`,
    "",
    "## Context that the asker adds",
    "",
    "B is cheaper.",
    "",
    "## The question",
    "",
    "Which one, A or B?",
  ]);
});

test("The child has exactly its five read-only tools, and every other call is an unknown tool to it.", async () => {
  const others = ["bash", "edit", "write", "powershell", "angel", "deploy", "codemode", "mcp__db__drop"];
  await using pi = await startConsulting({
    factories: [deployTool],
    settings: { defaultTools: ["+find", "+powershell"] },
    project: { "a.txt": "untouched" },
  });
  const args = { command: "touch b.txt", path: "a.txt", content: "changed", question: "Why?", edits: [] };
  const before = readTree(pi.home.project);
  pi.server.script("adv", [step.calls(others.map((name) => step.call(name, args))), step.say("Well.")]);

  const active = pi.session.getActiveToolNames();
  const result = await pi.ask("Why?");

  const [first, second] = pi.server.requests("adv");
  expect(first?.body.tools?.map((tool) => tool.function.name)).toEqual(CHILD_TOOLS);
  expect(second?.body.messages.slice(-others.length).map(textOf)).toEqual(
    others.map((name) => `Tool ${name} not found`),
  );
  expect(textOf(result)).toBe("Well.");
  expect(active).toEqual(expect.arrayContaining(["bash", "edit", "write", "deploy", "angel"]));
  expect(pi.session.getActiveToolNames()).toEqual(active);
  expect(readTree(pi.home.project)).toEqual(before);
  expect(pi.home.children()).toHaveLength(1);
  expect(pi.surprises()).toEqual([]);
});

test("The child names its parent in its header, its consultation in its first entry and its subject in its name.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [step.say("Do this.")]);
  const question = `Why does\n${"the worker ".repeat(20)}hang?`;

  const { details, toolCallId } = await pi.ask(question);

  const parent = pi.home.parent();
  const [child] = pi.home.children();
  expect(child?.header).toMatchObject({ parentSession: parent.path, cwd: pi.home.project });
  expect(child?.entries[0]).toMatchObject({
    type: "custom",
    customType: "angel-consultation",
    data: {
      version: 1,
      consultationId: details.consultationId,
      origin: "executor",
      question,
      toolCallIds: [toolCallId],
      parentSessionId: parent.header.id,
      parentSessionFile: parent.path,
      parentLeafId: details.parentLeafId,
      model: "local/adv",
      thinking: { requested: "max", effective: "max" },
      extensions: [],
    },
  });
  expect(child?.entries.filter((entry) => entry.type === "session_info")).toMatchObject([
    { name: "Angel · executor · Why does the worker the worker the worker the…" },
  ]);
});

/** Every file of a folder with its text. */
function readTree(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const paths = files.map((file) => join(file.parentPath, file.name)).toSorted();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(path, "utf8")]));
}

/** A tool that only the parent has. */
const deployTool: InlineExtension = {
  name: "deploy",
  factory: (pi) =>
    pi.registerTool({
      name: "deploy",
      label: "Deploy",
      description: "Deploys.",
      parameters: Type.Object({}),
      execute: async () => ({ content: [{ type: "text", text: "deployed" }], details: undefined }),
    }),
};
