// The parent goes on living; what parent_session shows does not move, and leaves the pinned branch for nothing.

import { expect, test } from "vitest";
import { openParentSession } from "../support/ask-parent.ts";
import { buildSession } from "../support/session-builder.ts";

const VIEWS = ["context", "branch", "lost"] as const;

test("Entries after the pin and off the branch are out of reach for every action.", async () => {
  const session = buildSession();
  const { manager } = session;
  const root = session.user("ON-BRANCH first");
  const other = session.operate("read", { path: "OFF-BRANCH.ts" }, "OFF-BRANCH text");
  manager.branch(root);
  const { callId } = session.operate("bash", { command: "ON-BRANCH" }, "result");
  const parent = openParentSession(manager, { triggers: [callId, "late"] });
  const before = await everyAnswer(parent.ask);
  session.user("AFTER-PIN");
  session.call([{ tool: "read", args: { path: "AFTER-PIN.ts" }, id: "late" }]);
  const late = session.result("late", "read", "AFTER-PIN text");
  manager.appendContextEdit(root, { content: "AFTER-PIN edit" });
  manager.appendCompaction("AFTER-PIN summary", null, 1);
  manager.branch(other.result);
  const away = session.say("OFF-BRANCH too");

  const answers = await everyAnswer(parent.ask);

  expect(answers).toEqual(before);
  const all = answers.join("\n");
  expect(all).toContain("ON-BRANCH first");
  expect(all).not.toContain("AFTER-PIN");
  expect(all).not.toContain("OFF-BRANCH");
  expect(all).toContain("late: not on the pinned branch");
  for (const id of [
    other.call,
    other.result,
    other.callId,
    late,
    "late",
    away,
    `${other.call}→${other.result}`,
  ]) {
    await expect(parent.ask({ action: "get", ids: [id] })).rejects.toThrow(/^No entry or tool call "/);
    await expect(parent.ask({ action: "list", after: id })).rejects.toThrow(/^"after" names "/);
  }
  for (const query of ["AFTER-PIN", "OFF-BRANCH"]) {
    expect(await parent.ask({ action: "search", query, view: "branch" })).toContain("none, 0 hits in all");
  }
});

test("Calls that were open at the pin stay open, whatever came back later.", async () => {
  const session = buildSession();
  const entry = session.call([
    { tool: "slow", args: { n: 1 }, id: "one" },
    { tool: "angel", args: { question: "Why?" }, id: "two" },
  ]);
  const parent = openParentSession(session.manager, { triggers: ["two"] });
  session.result("one", "slow", "LATE");

  const [overview, list, got] = [
    await parent.ask({ action: "overview" }),
    await parent.ask({ action: "list" }),
    await parent.ask({ action: "get", ids: [entry, "one"] }),
  ];

  expect(overview).toContain(`pinned at entry ${entry}`);
  expect(overview).toMatch(new RegExp(`two = \\[${entry}\\] .*angel, no result at the pin: Why\\?`));
  expect(overview).toContain("slow 1 (1 without a result), angel 1 (1 without a result)");
  expect(list).toMatch(/^\[\w+\] .*slow, no result at the pin: 1$/m);
  expect(got.match(/^=== .* call, .*, no result at the pin$/gm)).toHaveLength(2);
  expect([overview, list, got].join()).not.toContain("LATE");
});

test("A batch that is half done shows its finished calls by their ids, failed ones too.", async () => {
  const session = buildSession();
  session.call([
    { tool: "flaky", id: "flaky-1" },
    { tool: "slow", id: "slow-1" },
    { tool: "late", id: "late-1" },
  ]);
  session.result("flaky-1", "flaky", "SIB-FAILED", { isError: true });
  session.result("slow-1", "slow", "SIB-OK");
  const { ask } = openParentSession(session.manager, { triggers: ["flaky-1"] });

  const got = await ask({ action: "get", ids: ["flaky-1", "slow-1", "late-1"] });

  expect(got).toMatch(/flaky result.*error mark\nSIB-FAILED/);
  expect(got).toMatch(/slow result, [^,]*, 6B\nSIB-OK/);
  expect(got).toMatch(/=== \[\w+\] late call, .*, no result at the pin\n/);
});

async function everyAnswer(ask: (args: unknown) => Promise<string>): Promise<string[]> {
  const answers = [await ask({ action: "overview" })];
  for (const view of VIEWS) {
    answers.push(await ask({ action: "list", view }));
    answers.push(await ask({ action: "list", view, kinds: ["bookkeeping"] }));
    answers.push(await ask({ action: "files", view }));
    answers.push(await ask({ action: "search", view, query: "i" }));
  }
  return answers;
}
