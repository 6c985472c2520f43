// A session file may have lost entries. What cannot be reached is said, never silently left out.

import { expect, test } from "vitest";
import { pinSnapshot } from "../../src/core/snapshot.ts";
import { openParentSession } from "../support/ask-parent.ts";
import { openFixture } from "../support/fixture-session.ts";
import { buildSession } from "../support/session-builder.ts";

const BROKEN =
  /The chain of entries is broken: entry gone0000 is missing, and what came before it cannot be reached\./;

test("A broken chain of entries is reported.", async () => {
  const { ask } = openParentSession(openFixture("broken-chain.jsonl"));

  const overview = await ask({ action: "overview" });
  const branch = await ask({ action: "list", view: "branch" });
  const context = await ask({ action: "list" });

  expect(overview).toMatch(BROKEN);
  expect(branch).toMatch(BROKEN);
  expect(context).not.toMatch(BROKEN);
  expect(overview).toContain("3 entries on the branch = 3 in context");
  expect(branch).toContain("AFTER-BREAK");
  expect([overview, branch, context].join()).not.toContain("BEFORE-BREAK");
});

test("Two compactions, an abandoned branch, a branch summary and a break are one honest view.", async () => {
  const { ask } = openParentSession(openFixture("compacted-twice.jsonl"));

  const overview = await ask({ action: "overview" });
  const context = await ask({ action: "list", limit: 1000 });
  const branch = await ask({ action: "list", view: "branch" });
  const abandoned = await ask({ action: "search", query: "ABANDONED", view: "branch" });

  expect(overview).toMatch(BROKEN);
  const ids = (page: string) => [...page.matchAll(/^\[(\w+)\] /gm)].map(([, id]) => id);
  expect(ids(context)).toEqual("e15 e16 e17 c2 b1 e18 e19 e20".split(" "));
  expect(ids(branch)).toEqual(
    "e2 e3 e4 e5 e6 e7 e8 e9 e10 c1 e11 e12 e13 e14 e15 e16 e17 c2 b1 e18 e19 e20".split(" "),
  );
  expect(overview).toMatch(/\[c1\] .*superseded, /);
  expect(overview).toMatch(/\[c2\] .*in force, /);
  expect(overview).toMatch(/\[b1\] .*of a branch that was left, /);
  expect(abandoned).toContain("none, 0 hits in all");
  await expect(ask({ action: "get", ids: ["x1"] })).rejects.toThrow('No entry or tool call "x1"');
});

test("A pinned entry that the session no longer has is a broken chain too.", async () => {
  const session = buildSession();
  const leaf = session.user("hello");
  const snapshot = pinSnapshot(session.manager);
  session.manager.newSession();

  const { missingId, entries } = snapshot.branch();

  expect([missingId, entries]).toEqual([leaf, []]);
});

test("A whole chain and an empty session are not reported as broken.", async () => {
  const session = buildSession();
  const empty = await openParentSession(session.manager).ask({ action: "overview" });
  session.user("hello");
  const whole = await openParentSession(session.manager).ask({ action: "overview" });

  expect(empty + whole).not.toContain("broken");
});
