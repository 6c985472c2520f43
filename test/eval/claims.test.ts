import { expect, test } from "vitest";
import { claimsOf, sentencesOf } from "../../scripts/eval/claims.ts";
import { operation } from "../support/eval/operation.ts";

const FILES = new Set(["src/config.js", "config/local.json", ".git/logs/HEAD", "README.md", "Makefile"]);

test("A recommendation about a file that nothing showed to the advisor is unsupported, and one that was read is not.", () => {
  const advice = "`src/config.js:7` prefers `config/local.json`. See README.md, and src/gone.js:3 as well.";
  const shown = [operation("read", { path: "src/config.js" })];

  expect(claimsOf(advice, shown, FILES)).toEqual({
    cited: ["src/config.js", "config/local.json", "src/gone.js"],
    unsupported: ["config/local.json", "src/gone.js"],
  });
  expect(claimsOf(advice, [], FILES).unsupported).toHaveLength(3);
});

test("What shows something of a file supports it, and a mere listing does not.", () => {
  const path = "src/config.js";
  const supports = (one: ReturnType<typeof operation>) =>
    claimsOf(`\`${path}\``, [one], FILES).unsupported.length === 0;
  const trace = { result: "at load (src/config.js:7:3)" };

  expect(supports(operation("read", { path: `./${path}` }))).toBe(true);
  expect(supports(operation("bash", { command: `cat ${path}` }))).toBe(true);
  expect(supports(operation("edit", { path, edits: [] }))).toBe(true);
  expect(supports(operation("bash", { command: "node main.js" }, trace))).toBe(true);
  expect(supports(operation("grep", { pattern: "x", path: "src" }, { result: "config.js:7: x" }))).toBe(true);
  expect(supports(operation("parent_session", { action: "get" }, { result: `read path: ${path}` }))).toBe(
    true,
  );
  expect(supports(operation("parent_session", { action: "search" }, { result: path }))).toBe(true);

  expect(supports(operation("parent_session", { action: "files" }, { result: path }))).toBe(false);
  expect(supports(operation("parent_session", { action: "list" }, { result: path }))).toBe(false);
  expect(supports(operation("ls", { path: "src" }, { result: path }))).toBe(false);
  expect(supports(operation("find", { pattern: path }, { result: path }))).toBe(false);
  expect(supports(operation("bash", { command: "ls src" }, { result: "config.js" }))).toBe(false);
});

test("Only files are taken for claims: no code, no command, no address and no file that is to be made.", () => {
  const cited = (advice: string) => claimsOf(advice, [], FILES).cited;

  expect(cited("Call `Number.parseInt` of `loadConfig()` on `fix/rounding`.")).toEqual([]);
  expect(cited("Run `node src/config.js && cat README.md`.")).toEqual([]);
  expect(cited("See https://example.com/src/config.js and `http://a.b/c.json`.")).toEqual([]);
  expect(cited("Create `src/new.js`, then write notes/why.md.")).toEqual([]);
  expect(cited("`.git/logs/HEAD:8`, `Makefile`, `./config/local.json:2-4` and `lib/far.mjs`")).toEqual([
    ".git/logs/HEAD",
    "Makefile",
    "config/local.json",
    "lib/far.mjs",
  ]);
});

test("A full stop inside a path ends no sentence.", () => {
  expect(sentencesOf("See `a.b.js:3`. It is so! Why? No\nnew line: end")).toEqual([
    "See `a.b.js:3`.",
    "It is so!",
    "Why?",
    "No",
    "new line:",
    "end",
  ]);
});
