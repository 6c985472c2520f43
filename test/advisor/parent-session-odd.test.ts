import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { openParentSession } from "../support/ask-parent.ts";

const HEADER = { type: "session", version: 3, id: "odd", timestamp: "2026-11-30T00:00:00.000Z", cwd: "/srv" };
const AT = { timestamp: "2026-11-30T00:00:00.000Z" };

/** Entries as a hand, another program or an old version may have left them in a file. */
const ODD: readonly object[] = [
  {
    type: "message",
    message: { role: "toolResult", toolCallId: "c", content: [{ type: "text", text: "orphan" }] },
  },
  { type: "message", message: { role: "toolResult", toolCallId: null, toolName: null, content: null } },
  { type: "message", message: { role: "user", content: null } },
  { type: "message", message: { role: "assistant", content: [{ type: "toolCall" }, null, 5, "x"] } },
  { type: "message", message: { role: "assistant" } },
  { type: "message", message: { role: "novelty", content: "?" } },
  { type: "message", message: { role: "bashExecution" } },
  { type: "custom_message" },
  { type: "custom_message", content: 5 },
  { type: "custom" },
  { type: "label" },
  { type: "thinking_level_change" },
  { type: "model_change" },
  { type: "context_edit" },
  { type: "usage" },
  { type: "session_info" },
  { type: "branch_summary" },
  { type: "compaction" },
  { type: "from_the_future", data: 1 },
  {},
];

test("Odd entries of a hand-edited session are answered with pages and sentences, never with a crash.", async () => {
  for (const [n, odd] of ODD.entries()) {
    const entries = [
      HEADER,
      { ...AT, type: "message", id: "first", parentId: null, message: { role: "user", content: "hello" } },
      { ...AT, ...odd, id: "odd", parentId: "first" },
      { ...AT, type: "message", id: "last", parentId: "odd", message: { role: "user", content: "bye" } },
    ];
    // The file format is what is tested, so the entries are not what the type promises.
    const manager = SessionManager.inMemory("/srv", undefined, entries as never);
    const { ask } = openParentSession(manager);

    for (const view of ["context", "branch", "lost"]) {
      for (const query of [
        { action: "overview" },
        { action: "list", view },
        { action: "list", view, kinds: ["bookkeeping"] },
        { action: "files", view },
        { action: "search", view, query: "o" },
        { action: "get", ids: ["odd", "last"] },
      ]) {
        const answer = await ask(query).catch((error: unknown) => String(error));
        expect(answer, `${n} ${JSON.stringify(query)}`).not.toMatch(/TypeError|undefined|Cannot read/);
      }
    }
  }
});
