// Session files are parsed without validation, so what an entry holds may be anything.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { readContents } from "../../src/core/contents.ts";
import { buildSession } from "../support/session-builder.ts";

test.for([
  ["no content", null, { texts: [], withheldBlocks: 0 }],
  ["a text", "words", { texts: [{ part: "text", text: "words" }] }],
  ["an object", { a: 1 }, { texts: [] }],
  ["blocks that are no blocks", [null, 7, "x", []], { texts: [], withheldBlocks: 0 }],
  ["a block of an unknown type", [{ type: "hologram", text: "x" }], { texts: [], withheldBlocks: 1 }],
  ["a text without text", [{ type: "text", text: 5 }], { texts: [], withheldBlocks: 1 }],
  ["a call without a name", [{ type: "toolCall", id: "a" }], { calls: [], withheldBlocks: 1 }],
  [
    "a call without arguments",
    [{ type: "toolCall", id: "a", name: "b" }],
    { calls: [{ id: "a", name: "b", arguments: undefined }] },
  ],
] as const)("Content that Pi did not write is read as far as it goes: %s", ([, content, expected]) => {
  const entry = messageEntry({ role: "assistant", content, stopReason: "stop" });

  expect(readContents(entry, undefined)).toMatchObject(expected);
});

test("How a message ended is said when it did not end well.", () => {
  const faults = ["stop", "toolUse", "aborted", "length", "error"].map((stopReason) => {
    return readContents(messageEntry({ role: "assistant", content: [], stopReason }), undefined).fault;
  });

  expect(faults).toEqual([
    undefined,
    undefined,
    "was aborted",
    "was cut at the output limit",
    "ended with an error: no message",
  ]);
});

test("Nothing comes out of entries that are withheld.", () => {
  const session = buildSession();
  const ids = [
    session.system("SECRET"),
    session.shell("SECRET", "SECRET", { isPrivate: true }),
    session.manager.appendCustomMessageEntry("note", "SECRET", true),
    session.manager.appendCustomEntry("note", "SECRET"),
    session.manager.appendSessionInfo("SECRET"),
  ];

  const contents = ids.map((id) => readContents(session.entry(id), undefined));

  expect(JSON.stringify(contents)).not.toContain("SECRET");
});

function messageEntry(message: object): SessionEntry {
  return { type: "message", id: "e", parentId: null, timestamp: "", message } as SessionEntry;
}
