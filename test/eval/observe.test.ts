import type { SessionEntry, SessionHeader } from "@mariozechner/pi-coding-agent";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { observe } from "../../scripts/eval/observe.ts";
import { buildSession } from "../support/session-builder.ts";

function headerOf(id: string): SessionHeader {
  return { type: "session", version: 3, id, timestamp: "2026-12-01T12:00:00.000Z", cwd: "/srv/shop" };
}

function file(id: string, entries: readonly SessionEntry[]) {
  return { path: `/sessions/${id}.jsonl`, header: headerOf(id), entries };
}

/** A session with a past of one call, and then what the test adds. */
function played(add: (session: ReturnType<typeof buildSession>) => void) {
  const session = buildSession(SessionManager.inMemory("/srv/shop"));
  session.user("Repair it.");
  session.operate("read", { path: "src/old.js" }, "old text");
  const leafId = session.say("I am stuck.");
  add(session);
  return { leafId, parent: file("parent", session.manager.getBranch()) };
}

function childSession() {
  const child = buildSession(SessionManager.inMemory("/srv/shop"));
  child.user("the assignment");
  child.operate("read", { path: "src/deep.js" }, "deep text");
  child.say("the advice");
  return file("child-1", child.manager.getBranch());
}

test("Only what comes after the prepared session is the run, and consultations are no calls of the executor's.", () => {
  const { parent, leafId } = played((session) => {
    session.user("Go on.");
    session.operate("angel", { question: "Why?" }, "the advice", { details: { childSessionId: "child-1" } });
    session.operate("bash", { command: "node --test" }, "1 failed", { isError: true });
    session.say("Not repaired.");
  });

  const observed = observe(parent, [childSession()], leafId);

  expect(observed.calls.map(({ tool, isError }) => [tool, isError])).toEqual([["bash", true]]);
  expect(observed.lastWords).toBe("Not repaired.");
  expect(observed.stopReason).toBe("stop");
  expect(observed.advisorCalls).toBe(1);
});

test("An investigating advisor saw what its own session holds, and any other one the transcript so far.", () => {
  const { parent, leafId } = played((session) => {
    session.operate("angel", { question: "Why?" }, "the advice", { details: { childSessionId: "child-1" } });
    session.operate("read", { path: "src/new.js" }, "new text");
    session.operate("advisor", { question: "And?" }, "more advice");
    session.operate("read", { path: "src/later.js" }, "later text");
  });

  const { advice } = observe(parent, [childSession()], leafId);

  const paths = advice.map(({ text, shown }) => [text, shown.map(({ args }) => args.path ?? "a question")]);
  expect(paths).toEqual([
    ["the advice", ["src/deep.js"]],
    ["more advice", ["src/old.js", "a question", "src/new.js"]],
  ]);
});

test("Advice that nobody asked for counts without its preface, and a failed consultation is none.", () => {
  const { parent, leafId } = played((session) => {
    session.operate("angel", { question: "Why?" }, "Angel failed: no credit.", { isError: true });
    const blocks = [
      { type: "text" as const, text: "Angel looked into it." },
      { type: "text" as const, text: "the advice" },
    ];
    session.manager.appendCustomMessageEntry("angel-advice", blocks, true, { childSessionId: "child-1" });
  });

  const { advice, usage } = observe(parent, [childSession()], leafId);

  expect(advice.map(({ text, shown }) => [text, shown.length])).toEqual([["the advice", 1]]);
  expect(usage.advisor).toEqual({ state: "unavailable" });
});
