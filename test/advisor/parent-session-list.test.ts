// The list: one line an operation, one line each other entry, oldest first, in pages.

import { expect, test } from "vitest";
import { openParentSession, withoutTimes } from "../support/ask-parent.ts";
import { buildSession } from "../support/session-builder.ts";

test("The list joins call and result, pages without gap or overlap and says what it left out.", async () => {
  const session = buildSession();
  const expected: RegExp[] = [];
  for (let n = 0; n < 130; n += 1) {
    const { call, result } = session.operate("bash", { command: `step ${n}` }, `done ${n}`);
    expected.push(new RegExp(`^\\[${call}→${result}\\] [\\d: -]*bash: step ${n} ⇒ done ${n}$`));
  }
  const user = session.user("Go on.");
  expected.push(new RegExp(`^\\[${user}\\] [\\d: -]*user: Go on\\.$`));
  session.manager.appendModelChange("local", "exec");
  const { ask } = openParentSession(session.manager);

  const usual = await ask({ action: "list" });
  const pages = [
    await ask({ action: "list", limit: 50 }),
    await ask({ action: "list", limit: 50, offset: 50 }),
    await ask({ action: "list", limit: 50, offset: 100 }),
  ];

  expect(usual).toMatch(/^Lines 1-100 of 131, view context,/);
  expect(usual).toContain("\n[31 more: the same call with offset 100.]\n");
  expect(usual).toMatch(/\n\[Not listed: 1 bookkeeping entry; kinds \["bookkeeping"\] lists them\.\]$/);
  expect(pages.map((page) => page.split(",")[0])).toEqual([
    "Lines 1-50 of 131",
    "Lines 51-100 of 131",
    "Lines 101-131 of 131",
  ]);
  expect(pages[1]).toContain("[31 more: the same call with offset 100.]");
  expect(pages[2]).not.toContain("more: the same call");
  const lines = pages.flatMap(itemLines);
  expect(lines).toHaveLength(131);
  for (const [index, line] of lines.entries()) expect(line).toMatch(expected[index] ?? /^nothing$/);
});

test("Parallel calls get their own results, and a call without one says so.", async () => {
  const session = buildSession();
  const call = session.call(
    [
      { tool: "bash", args: { command: "first" }, id: "one" },
      { tool: "bash", args: { command: "second" }, id: "two" },
      { tool: "bash", args: { command: "third" }, id: "three" },
    ],
    "All at once.",
  );
  const two = session.result("two", "bash", "second done");
  const one = session.result("one", "bash", "first went wrong", { isError: true });
  const { ask } = openParentSession(session.manager);

  const lines = itemLines(withoutTimes(await ask({ action: "list" })));

  expect(lines).toEqual([
    `[${call}] assistant: All at once.`,
    `[${call}→${one}] bash error: first ⇒ first went wrong`,
    `[${call}→${two}] bash: second ⇒ second done`,
    `[${call}] bash, no result at the pin: third`,
  ]);
});

test("A line shows a change as old and new, and nothing that the call says already.", async () => {
  const session = buildSession();
  session.operate(
    "edit",
    { path: "a.ts", edits: [{ oldText: "one\n  limit: 300,\nend", newText: "one\n  limit: 86400,\nend" }] },
    "Successfully replaced 1 block(s) in a.ts.",
  );
  session.operate("edit", { path: "b.ts", edits: [{ oldText: "x", newText: "y" }] }, "No match.", {
    isError: true,
  });
  session.operate("read", { path: "a.ts", offset: 3 }, "const a = 1;\n}");
  const { ask } = openParentSession(session.manager);

  const list = await ask({ action: "list" });

  expect(list).toContain("edit: a.ts, [-limit: 300,-]{+limit: 86400,+}\n");
  expect(list).not.toContain("Successfully");
  expect(list).toContain("edit error: b.ts, [-x-]{+y+} ⇒ No match.");
  expect(list).toMatch(/read 14B: a\.ts, offset: 3$/m);
});

test("The end of a long result is its last lines, without stack frames, with the message before an exit code.", async () => {
  const session = buildSession();
  const frames = Array.from({ length: 12 }, (_, n) => `    at frame${n} (file.js:${n}:1)`);
  const output = ["noise ".repeat(100), "TypeError: x is not a function", ...frames, "", "Node.js v24"];
  session.operate("bash", { command: "node a.js" }, `${output.join("\n")}\n\nCommand exited with code 1`, {
    isError: true,
  });
  const { ask } = openParentSession(session.manager);

  const list = await ask({ action: "list" });

  expect(list).toContain(
    "noise… … TypeError: x is not a function · Node.js v24 · Command exited with code 1",
  );
});

test("A last line that is too long is cut, not left out, and an exit code alone is never the end.", async () => {
  const session = buildSession();
  const long = `the reason: ${"because ".repeat(40)}`;
  session.operate("bash", { command: "make" }, `${long}\n\nCommand exited with code 2`, { isError: true });
  const { ask } = openParentSession(session.manager);

  const list = await ask({ action: "list" });

  expect(list).toMatch(/: make ⇒ the reason: (because ){10,}because… · Command exited with code 2$/m);
});

test("A line that repeats itself at the end of a result is shown once.", async () => {
  const session = buildSession();
  session.operate("bash", { command: "poll" }, `start\n${"waiting\n".repeat(9)}`);
  const { ask } = openParentSession(session.manager);

  const list = await ask({ action: "list" });

  expect(list).toMatch(/bash 78B: poll ⇒ start · waiting$/m);
});

test("A page of long lines ends before Pi's limit on tool output and says where to go on.", async () => {
  const session = buildSession();
  for (let n = 0; n < 100; n += 1) session.user(`${n} ${"🙂".repeat(300)}`);
  const { ask } = openParentSession(session.manager);

  const first = await ask({ action: "list" });
  const next = Number(/the same call with offset (\d+)\.\]/.exec(first)?.[1]);
  const second = await ask({ action: "list", offset: next });

  expect(Buffer.byteLength(first)).toBeLessThan(51 * 1024);
  expect(itemLines(first)).toHaveLength(next);
  expect([...itemLines(first), ...itemLines(second)]).toHaveLength(100);
});

test("The branch view says which lines the executor no longer has.", async () => {
  const session = buildSession();
  const lost = session.user("one");
  const kept = session.user("two");
  const summary = session.manager.appendCompaction("sum", kept, 1);
  const { ask } = openParentSession(session.manager);

  const lines = (await ask({ action: "list", view: "branch" })).split("\n").slice(1);

  expect(lines.map((line) => line.slice(0, 10))).toEqual([
    "--- lost t",
    `[${lost}]`,
    "--- in the",
    `[${kept}]`,
    `[${summary}]`,
  ]);
});

test("A message that was cut short has a line of its own, words or not.", async () => {
  const session = buildSession();
  session.say("Half a", { stopReason: "aborted" });
  session.say("", { stopReason: "error", errorMessage: "429 slow down" });
  const { ask } = openParentSession(session.manager);

  const list = await ask({ action: "list" });

  expect(list).toMatch(/assistant, was aborted: Half a\n/);
  expect(list).toMatch(/assistant, ended with an error: 429 slow down$/m);
});

/** The lines that stand for items. */
function itemLines(page: string): string[] {
  return page.split("\n").filter((line) => /^\[\S+\] /.test(line) && !/^\[\d+ more/.test(line));
}
