/** Which lines of a search come from sessions, and which sessions belong to the parent's. */

import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refusal } from "../../src/advisor/guard.ts";
import { withoutSessionHits } from "../../src/advisor/session-hits.ts";

const LINE = '{"type":"message","message":{"role":"user","content":"a needle"}}';
const LEFT_OUT = "[1 line from session files left out; read the parent session through parent_session]";

let root: string;
let parent: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "angel-sessions-")));
  parent = join(root, "sessions", "parent.jsonl");
  write(parent, header());
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

test("What the parent was forked or cloned from is refused wherever it is, however often it was forked.", () => {
  const [first, second] = [join(root, "far", "first.jsonl"), join(root, "away", "second.jsonl")];
  write(first, header({ parentSession: join(root, "gone", "gone.jsonl") }));
  write(second, header({ parentSession: first }));
  write(parent, header({ parentSession: second }));
  write(join(root, "far", "beside.jsonl"), header());
  write(join(root, "elsewhere.jsonl"), header());

  expect(judge(second)).toContain("read the parent session through parent_session");
  expect(judge(first)).toContain("read the parent session through parent_session");
  expect(judge(join(root, "far", "beside.jsonl"))).toContain("another session file");
  expect(judge(join(root, "elsewhere.jsonl"))).toBeUndefined();
});

test("Headers that name each other, nothing or no text end the search for origins.", () => {
  const other = join(root, "far", "other.jsonl");
  write(parent, header({ parentSession: other }));
  write(other, header({ parentSession: parent }));
  expect(judge(other)).toContain("read the parent session through parent_session");

  for (const text of [
    header({ parentSession: 5 }),
    "{",
    "null\n",
    "",
    "[1]\n",
    header({ parentSession: root }),
  ]) {
    write(parent, text);
    expect(judge(other), text).toBeUndefined();
  }
});

test("Lines of a session are left out under any name of its file.", () => {
  linkSync(parent, join(root, "notes.md"));
  write(join(root, "sessions", "old copy 5: x.bak"), header());
  symlinkSync("sessions", join(root, "linked"));

  for (const [folder, path] of [
    [root, "sessions/parent.jsonl"],
    [root, "notes.md"],
    [root, "sessions/old copy 5: x.bak"],
    [join(root, "linked"), "parent.jsonl"],
  ] as const) {
    for (const mark of [":12: ", "-11- "])
      expect(clean(`${path}${mark}a needle`, folder), path).toBe(LEFT_OUT);
  }
});

test("Lines of a session are left out also when their file cannot be found under the name in the result.", () => {
  // A line break in its folder's name, bytes that are no UTF-8, and Pi's short name for what begins with "..".
  for (const path of ["of\nold/parent.jsonl", "f\uFFFDlder/parent.jsonl", "lost.jsonl"]) {
    const text = `src/a.ts:1: a needle\n${path}:3: ${LINE}\n${path}-4- ${LINE}`;
    expect(clean(text), path).not.toContain('"content"');
    expect(clean(text), path).toContain("src/a.ts:1: a needle\n");
    expect(clean(text), path).toContain("[2 lines from session files left out");
  }
});

test("Nothing else is left out: not what only looks like a session, and no notice.", () => {
  write(join(root, "src", "a:1: b.ts"), "text");
  write(join(root, "data.jsonl"), '{"type":"message"}\n');
  write(join(root, "away", "foreign.jsonl"), header());
  const text = [
    "src/a:1: b.ts:12: a needle",
    `data.jsonl:1: ${LINE}`,
    `away/foreign.jsonl:1: ${LINE}`,
    `data.jsonl:2: sessions/parent.jsonl:1: quoted ${LINE}`,
    "vanished.txt:3: a needle",
    `vanished.txt:4: and ${LINE}`,
    "",
    "[100 matches limit reached. Use limit=200 for more, or refine pattern]",
  ].join("\n");

  expect(clean(text)).toBe(text);
  expect(clean("No matches found")).toBe("No matches found");
  // One file that may be searched is searched in full.
  expect(clean(`foreign.jsonl:1: ${LINE}`, join(root, "away", "foreign.jsonl"))).toContain("needle");
});

function judge(path: string): string | undefined {
  return refusal(path, { cwd: root, sessionFiles: [parent] });
}

function clean(text: string, folder = root): string {
  return withoutSessionHits(text, folder, [parent]);
}

function header(more: object = {}): string {
  return `${JSON.stringify({ type: "session", version: 3, id: "x", cwd: root, ...more })}\n${LINE}\n`;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
