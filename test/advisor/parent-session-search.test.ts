// Search is plain text over what get would show, and says where get has it.

import { expect, test } from "vitest";
import { openParentSession, withoutTimes } from "../support/ask-parent.ts";
import { buildSession } from "../support/session-builder.ts";

test("Search finds plain text in any case with its entry, part and place, and treats nothing as a pattern.", async () => {
  const session = buildSession();
  const user = session.user("Where is the Needle?\nIn the haystack, the NEEDLE.");
  const call = session.operate(
    "bash",
    { command: "find needle*", env: { x: "(needle)+$" } },
    "one\ntwo needle.txt",
  );
  const shell = session.shell("grep [needle]", "a\nb\n  needle|");
  const summary = session.manager.appendCompaction("the needle", user, 1);
  const { ask } = openParentSession(session.manager);

  const page = withoutTimes(await ask({ action: "search", query: "nEEdle" }));

  expect(page.split("\n")).toEqual([
    expect.stringMatching(/^Entries with hits 1-5 of 5, 8 hits in all, view context, oldest first/),
    `[${user}] user, 2 hits:`,
    "  1:14 Where is the Needle? In the haystack, the NEEDLE.",
    "  2:22 Where is the Needle? In the haystack, the NEEDLE.",
    `[${call.call}] bash call, 2 hits:`,
    "  argument command: find needle*",
    "  argument env.x: (needle)+$",
    `[${call.result}] bash result (find needle*, env.x: (needle)+$), 2:5 one two needle.txt`,
    `[${shell}] shell, 2 hits:`,
    "  1:7 grep [needle]",
    "  4:3 a b needle|",
    `[${summary}] compaction, 1:5 the needle`,
  ]);
  for (const pattern of [
    "n.edle",
    "needle*|x",
    "(needle)",
    "[needle]",
    "needle|",
    "^the",
    "needle.t",
    "\\w",
    "needle)+$",
  ]) {
    const { hits } = hitsOf(await ask({ action: "search", query: pattern }));
    const plainHits = [
      "Where is the Needle?\nIn the haystack, the NEEDLE.",
      "find needle*",
      "(needle)+$",
      "one\ntwo needle.txt",
      "grep [needle]",
      "a\nb\n  needle|",
      "the needle",
    ].filter((text) => text.toLowerCase().includes(pattern)).length;
    expect([pattern, hits]).toEqual([pattern, plainHits]);
  }
});

test("Line and column of a hit are offset and column of get.", async () => {
  const session = buildSession();
  session.user([
    { type: "text", text: "first\npart" },
    { type: "text", text: "second\npart 🙂 with the needle" },
  ]);
  session.operate("read", { path: "a" }, `${"x\n".repeat(2500)}  a needle`);
  session.shell("one\ntwo", "three\nfour needle");
  const { ask } = openParentSession(session.manager);

  const page = await ask({ action: "search", query: "needle" });

  const places = [...withoutTimes(page).matchAll(/^\[(\w+)\] .*?, (\d+):(\d+) /gm)];
  expect(places.map(([, , line, column]) => `${line}:${column}`)).toEqual(["4:18", "2501:5", "4:6"]);
  for (const [, id, offset, column] of places) {
    const got = await ask({ action: "get", ids: [id], offset, column });
    expect(got.split("\n")[1]).toMatch(/^needle/);
  }
});

test("Every hit is counted, and of an entry with many the first three are shown.", async () => {
  const session = buildSession();
  session.user("aaaa ".repeat(25));
  const { ask } = openParentSession(session.manager);

  const page = await ask({ action: "search", query: "AA" });

  expect(page).toContain("1-1 of 1, 50 hits in all");
  expect(page).toContain("user, 50 hits:");
  expect(page.split("\n")).toHaveLength(2 + 3);
});

test("Findings come in pages, with the hits of all of them counted.", async () => {
  const session = buildSession();
  for (let n = 0; n < 70; n += 1) session.user(`needle ${n}`);
  const { ask } = openParentSession(session.manager);

  const pages = [0, 30, 60].map((offset) => ask({ action: "search", query: "needle", offset }));
  const [first = "", second = "", third = ""] = await Promise.all(pages);

  expect(first).toContain("Entries with hits 1-30 of 70, 70 hits in all");
  expect(first).toContain("[40 more: the same call with offset 30.]");
  expect(third).toContain("Entries with hits 61-70 of 70, 70 hits in all");
  const found = [first, second, third].flatMap((page) => [...page.matchAll(/1:1 needle (\d+)$/gm)]);
  expect(found.map(([, n]) => Number(n))).toEqual(Array.from({ length: 70 }, (_, n) => n));
});

test("An excerpt is narrow and cuts no character in two.", async () => {
  const session = buildSession();
  session.user(`${"🙂".repeat(500)}needle${"🙂".repeat(500)}`);
  session.user(`${"🙂".repeat(500)}xneedlex${"🙂".repeat(500)}`);
  const { ask } = openParentSession(session.manager);

  const page = await ask({ action: "search", query: "needle" });

  expect(page.isWellFormed()).toBe(true);
  for (const line of page.split("\n").slice(1)) expect(line.length).toBeLessThan(250);
});

test("Why a message ended early can be found too.", async () => {
  const session = buildSession();
  const id = session.say("Half", { stopReason: "error", errorMessage: "overloaded_error" });
  const { ask } = openParentSession(session.manager);

  const page = await ask({ action: "search", query: "overloaded" });

  expect(withoutTimes(page)).toContain(`[${id}] assistant, fault: ended with an error: overloaded_error`);
});

function hitsOf(page: string): { hits: number } {
  return { hits: Number(/(\d+) hits? in all/.exec(page)?.[1]) };
}
