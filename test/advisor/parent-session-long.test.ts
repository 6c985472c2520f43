// Content of any length is read to its end, piece by piece, and the pieces are exactly the original.

import { expect, test } from "vitest";
import type { ParentSession } from "../support/ask-parent.ts";
import { openParentSession } from "../support/ask-parent.ts";
import { buildSession } from "../support/session-builder.ts";

const PAGE_BYTES = 52 * 1024;
/** More than 30 MB make. */
const MAX_PAGES = 700;
/** Five bytes of whitespace and digits, then characters of three and of four bytes. */
const MANY_BYTES = "ä1表🙂👨‍👩‍👧 ";

test("A long result is read to its end by offset, and a line of 30 MB by column.", {
  timeout: 120_000,
}, async () => {
  const lines = Array.from({ length: 30_000 }, (_, n) => `${n} ${"x".repeat(n % 97)}`).join("\n");
  const line = "0123456789abcdefghijklmnopqrstuvwxyz".repeat(900_000).slice(0, 30 * 1024 * 1024);

  const byOffset = await readAll(lines);
  const byColumn = await readAll(line);

  expect(byOffset.pages.length).toBeGreaterThan(15);
  expect(Math.max(...byOffset.pages)).toBeLessThan(PAGE_BYTES);
  expect(byOffset.text === lines).toBe(true);
  expect(byColumn.pages.length).toBeGreaterThan(600);
  expect(Math.max(...byColumn.pages)).toBeLessThan(PAGE_BYTES);
  expect(byColumn.text === line).toBe(true);
});

test.for([
  ["one line of characters of many bytes", MANY_BYTES.repeat(20_000)],
  ["the same, one byte further", `x${MANY_BYTES.repeat(20_000)}`],
  ["the same, two bytes further", `xx${MANY_BYTES.repeat(20_000)}`],
  ["the same, three bytes further", `xxx${MANY_BYTES.repeat(20_000)}`],
  ["many lines of them", `${MANY_BYTES.repeat(40)}\n`.repeat(3000)],
  ["a long line between short ones", `short\n${MANY_BYTES.repeat(9000)}\nshort\n\nend`],
  ["blank lines and no end of line", `${"\n".repeat(5000)}end`],
  ["blank lines only", "\n".repeat(5001)],
  ["carriage returns", "a\r\nb\r\n".repeat(3000)],
  ["lines that fill a page to the byte", `${"y".repeat(1023)}\n`.repeat(200)],
  ["a line that fills a page to the byte", `${"y".repeat(50 * 1024)}\nend`],
] as const)("Pieces put together are exactly the original: %s", async ([, original]) => {
  const { text, pages, isWellFormed } = await readAll(original);

  expect(text === original).toBe(true);
  expect(isWellFormed).toBe(true);
  expect(pages.length).toBeGreaterThan(1);
  expect(Math.max(...pages)).toBeLessThan(PAGE_BYTES);
});

test("A limit makes shorter pages, and a note says what is left.", async () => {
  const session = buildSession();
  const { result } = session.operate("bash", {}, "one\ntwo\nthree\nfour");
  const { ask } = openParentSession(session.manager);
  const get = async (range: object) =>
    (await ask({ action: "get", ids: [result], ...range })).split("\n").slice(1);

  expect(await get({ limit: 2 })).toEqual([
    "one",
    "two",
    "[Lines 1-2 of 4, 18B in all. Go on with offset 3.]",
  ]);
  expect(await get({ offset: 3, limit: 2 })).toEqual(["three", "four"]);
  expect(await get({ offset: 2, column: 3, limit: 1 })).toEqual([
    "o",
    "[Lines 2-2 of 4, 18B in all. Go on with offset 3.]",
  ]);
});

test("A column in the middle of a character begins at its start.", async () => {
  const session = buildSession();
  const user = session.user("a🙂b");
  const { ask } = openParentSession(session.manager);

  const got = await ask({ action: "get", ids: [user], column: 3 });

  expect(got.split("\n")[1]).toBe("🙂b");
});

test("An offset counts through a call and its result.", async () => {
  const session = buildSession();
  const { callId } = session.operate("bash", { command: "make" }, `${"noise\n".repeat(3000)}the end`);
  const { ask } = openParentSession(session.manager);

  const first = await ask({ action: "get", ids: [callId] });
  const next = Number(/Go on with offset (\d+)\./.exec(first)?.[1]);
  const second = await ask({ action: "get", ids: [callId], offset: next });

  expect(first).toMatch(/^=== \[\w+\] bash call.*\ncommand: make\n\n=== \[\w+\] bash result.*\nnoise\n/);
  expect(second).toMatch(/\nnoise\nthe end$/);
});

test("Where an offset or column is beyond the end, the sentence says how far it goes.", async () => {
  const session = buildSession();
  const user = session.user("one\ntwo");
  const { ask } = openParentSession(session.manager);

  await expect(ask({ action: "get", ids: [user], offset: 3 })).rejects.toThrow(
    "The content has 2 lines, so offset 3 is beyond its end; offset counts from 1 here.",
  );
  await expect(ask({ action: "get", ids: [user], offset: 2, column: 5 })).rejects.toThrow(
    "Line 2 has 3 characters, so column 5 is beyond its end; column counts from 1.",
  );
});

/** Reads a tool result as an advisor would: by what each note says. */
async function readAll(original: string) {
  const session = buildSession();
  const { result } = session.operate("bash", { command: "cat" }, original);
  const parent = openParentSession(session.manager);
  const pages: number[] = [];
  let text = "";
  let isWellFormed = true;
  let range: object | undefined = {};
  while (range) {
    if (pages.length > MAX_PAGES) throw new Error("The pages do not come to an end.");
    const { page, piece, next, joint } = await readPage(parent, result, range);
    pages.push(Buffer.byteLength(page));
    isWellFormed &&= page.isWellFormed();
    text += piece + joint;
    range = next;
  }
  return { text, pages, isWellFormed };
}

async function readPage({ ask }: ParentSession, id: string, range: object) {
  const page = await ask({ action: "get", ids: [id], ...range });
  const body = page.slice(page.indexOf("\n") + 1);
  const note = /\n\[Lines? \d[^\n]*\]$/.exec(body)?.[0];
  if (note === undefined) return { page, piece: body, joint: "" };
  const piece = body.slice(0, -note.length);
  const [, offset, column] = /Go on with offset (\d+)(?:, column (\d+))?\./.exec(note) ?? [];
  if (offset === undefined) return { page, piece, joint: "" };
  const next = { offset: Number(offset), ...(column ? { column: Number(column) } : {}) };
  return { page, piece, next, joint: column ? "" : "\n" };
}
