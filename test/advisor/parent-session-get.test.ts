// Get returns exact content, each piece once, whichever ids ask for it.

import { expect, test } from "vitest";
import { openParentSession } from "../support/ask-parent.ts";
import { buildSession } from "../support/session-builder.ts";

test("Get returns exact content once per piece, with edits as old and new text.", async () => {
  const session = buildSession();
  const text = 'Zeile 1\r\n\ttab  \n\n"quoted" \\n 🙂\u0007\n';
  const user = session.user(text);
  const edits = [
    { oldText: 'const a = "x";\n', newText: 'const a = "y";\n' },
    { oldText: "two", newText: "" },
  ];
  const { call, result, callId } = session.operate("edit", { path: "a.ts", edits }, "Replaced 2 blocks.", {
    isError: true,
  });
  const { ask } = openParentSession(session.manager);

  const got = await ask({ action: "get", ids: [user, callId, result, call, user, `${call}→${result}`] });

  expect(got.replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")).toBe(
    [
      `=== [${user}] user, TIME, 35B`,
      text,
      "",
      `=== [${call}] edit call, TIME, result in ${result}`,
      "path: a.ts",
      "--- old text, edit 1 of 2",
      'const a = "x";\n',
      "+++ new text, edit 1 of 2",
      'const a = "y";\n',
      "--- old text, edit 2 of 2",
      "two",
      "+++ new text, edit 2 of 2",
      "",
      "",
      `=== [${result}] edit result, TIME, 18B, error mark`,
      "Replaced 2 blocks.",
    ].join("\n"),
  );
});

test("An entry id names what the entry holds, a call id or a pair the call with its result.", async () => {
  const session = buildSession();
  const entry = session.call(
    [
      { tool: "bash", args: { command: "CALL-ONE", timeout: 5 }, id: "one" },
      { tool: "bash", args: { command: "CALL\nTWO" }, id: "two" },
    ],
    "WORDS",
  );
  const one = session.result("one", "bash", "RESULT-ONE");
  const two = session.result("two", "bash", "RESULT-TWO");
  const { ask } = openParentSession(session.manager);
  const parts = ["WORDS", "command: CALL-ONE\ntimeout: 5", "command:\nCALL\nTWO", "RESULT-ONE", "RESULT-TWO"];
  const partsIn = async (id: string) => {
    const got = await ask({ action: "get", ids: [id] });
    return parts.map((part) => got.includes(part));
  };

  expect(await partsIn(entry)).toEqual([true, true, true, false, false]);
  expect(await partsIn("one")).toEqual([false, true, false, true, false]);
  expect(await partsIn(two)).toEqual([false, false, false, false, true]);
  expect(await partsIn(`${entry}→${two}`)).toEqual([false, false, true, false, true]);
  expect(await partsIn(`[${entry}→${one}]`)).toEqual([false, true, false, true, false]);
});

test("Odd arguments are shown as far as they can be.", async () => {
  const session = buildSession();
  let deep: unknown = 1;
  for (let depth = 0; depth < 200_000; depth += 1) deep = [deep];
  session.call([
    { tool: "edit", args: { path: "a", oldText: "old\ntext", newText: "new" }, id: "flat" },
    { tool: "edit", args: { path: "a", edits: ["nonsense", { oldText: 1, newText: "x" }] }, id: "broken" },
    { tool: "todo", args: {}, id: "none" },
    { tool: "todo", args: { list: [1, { a: null }] }, id: "list" },
    { tool: "todo", args: { deep } as never, id: "deep" },
  ]);
  const { ask } = openParentSession(session.manager);
  const bodyOf = async (id: string) =>
    (await ask({ action: "get", ids: [id] })).split("\n").slice(1).join("\n");

  expect(await bodyOf("flat")).toBe("path: a\n--- old text\nold\ntext\n+++ new text\nnew");
  expect(await bodyOf("broken")).toBe(
    'path: a\nedit 1 of 2: "nonsense"\n--- old text, edit 2 of 2\n1\n+++ new text, edit 2 of 2\nx',
  );
  expect(await bodyOf("none")).toBe("no arguments");
  expect(await bodyOf("list")).toBe('list: [1,{"a":null}]');
  expect(await bodyOf("deep")).toBe("deep: (nested too deeply to be shown)");
  expect(await ask({ action: "list" })).toContain("todo, no result at the pin: no arguments");
});

test("Ids that are wrong do not keep back what the others name.", async () => {
  const session = buildSession();
  const user = session.user("hello");
  const { ask } = openParentSession(session.manager);

  const got = await ask({
    action: "get",
    ids: ["x1", user, ...Array.from({ length: 9 }, (_, n) => `y${n}`)],
  });

  expect(got).toMatch(/^=== \[\w+\] user, .*\nhello\n\n\[No entry or tool call "x1" in the pinned snapshot;/);
  expect(got.match(/No entry or tool call/g)).toHaveLength(5);
  expect(got).toMatch(/\n\[5 further ids of this call gave nothing either\.\]$/);
});

test("A page that is full names what it did not show.", async () => {
  const session = buildSession();
  const ids = Array.from({ length: 40 }, (_, n) => session.user(`${n} `.repeat(2000)));
  const { ask } = openParentSession(session.manager);

  const got = await ask({ action: "get", ids });

  expect(Buffer.byteLength(got)).toBeLessThan(52 * 1024);
  const left =
    /\[The page is full\. Not shown: (.*?)( and (\d+) more)?\. Ask for them in another get\.\]/.exec(got);
  const shown = ids.filter((id) => got.includes(`=== [${id}]`)).length;
  expect(left?.[1]?.split(", ")).toEqual(ids.slice(shown, shown + 20));
  expect(shown + 20 + Number(left?.[3])).toBe(40);
});

test("A call id that a provider used twice gives both operations, each with its own result.", async () => {
  const session = buildSession();
  for (const n of [1, 2, 3]) {
    session.call([{ tool: "bash", args: { command: `run ${n}` }, id: "call_0" }]);
    session.result("call_0", "bash", `answer ${n}`);
  }
  const { ask } = openParentSession(session.manager);

  const [list, got] = [await ask({ action: "list" }), await ask({ action: "get", ids: ["call_0"] })];

  for (const n of [1, 2, 3]) {
    expect(list).toContain(`bash: run ${n} ⇒ answer ${n}`);
    expect(got).toMatch(new RegExp(`command: run ${n}\n\n=== .*\nanswer ${n}`));
  }
});
