// SPEC.md is the contract: every sentence of its acceptance list that claims to be built is the title of a test that runs.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { AcceptanceLine } from "../support/spec.ts";
import { readAcceptance, readTestTitles } from "../support/spec.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("The acceptance list of SPEC.md is numbered from 1 without gaps and says nothing twice.", () => {
  const lines = readContract();

  expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
  expect(repeated(lines.map(({ sentence }) => sentence))).toEqual([]);
});

test("Every built sentence of SPEC.md is the title of a test that runs.", () => {
  const titles = readTitles();

  const untested = readContract().filter(({ isBuilt, sentence }) => isBuilt && !titles.has(sentence));

  expect(untested.map(asLine)).toEqual([]);
});

test("No sentence of SPEC.md that is marked as not built has a test that runs.", () => {
  const titles = readTitles();

  const stale = readContract().filter(({ isBuilt, sentence }) => !isBuilt && titles.has(sentence));

  expect(stale.map(asLine)).toEqual([]);
});

test("The acceptance list is read from its own section, with its marks and its long lines.", () => {
  const markdown = [
    "# Angel",
    "- A9. Not in the section.",
    "## Acceptance",
    "Some words before the list, and A1 in them.",
    "",
    "- A1. The tool `angel` is there.",
    "- A2 (not built). A long sentence",
    "  that goes on.",
    "",
    "### Delivery",
    "- A3. Advice lands once. Always.",
    "## Limits",
    "- A4. Not in the section.",
  ].join("\n");

  expect(readAcceptance(markdown)).toEqual([
    { number: 1, isBuilt: true, sentence: "The tool `angel` is there." },
    { number: 2, isBuilt: false, sentence: "A long sentence that goes on." },
    { number: 3, isBuilt: true, sentence: "Advice lands once. Always." },
  ]);
});

test.for([
  "- A1 The full stop is missing",
  "- A1 (not yet). The mark is unknown.",
  "- B1. The letter is wrong.",
  "* A1. The bullet is wrong.",
  "  - A1. The line is indented.",
  "- A1.",
])("A mistyped acceptance line is an error: %s", (line) => {
  expect(() => readAcceptance(`## Acceptance\n\n${line}\n`)).toThrow("Not a line of the acceptance list");
});

test("A specification without its acceptance list is an error.", () => {
  expect(() => readAcceptance("# Angel\n## Limits\n")).toThrow('one section "## Acceptance"');
  expect(() => readAcceptance("## Acceptance\n## Acceptance\n")).toThrow("has 2");
});

test.for([
  'test("Yes.", () => {})',
  "it('Yes.', async () => {})",
  "test(`Yes.`, function () {})",
  'test.concurrent("Yes.", () => {})',
  'test("Yes.", { timeout: 1000 }, () => {})',
  'test("Yes.", () => {}, 1000)',
  'describe("group", () => { describe("inner", () => { test("Yes.", () => {}); }); });',
  'describe.concurrent("group", () => { test("Yes.", () => {}); });',
])("A test that runs is counted: %s", (text) => {
  expect(readTestTitles(text)).toEqual(["Yes."]);
});

test.for([
  'test.skip("No.", () => {})',
  'test.todo("No.")',
  'test.fails("No.", () => {})',
  'test.skipIf(true)("No.", () => {})',
  'test.runIf(false)("No.", () => {})',
  'test.each([1])("No.", () => {})',
  'test("No.")',
  'test("No.", { skip: true }, () => {})',
  'test("No.", { fails: true }, () => {})',
  'describe.skip("group", () => { test("No.", () => {}); })',
  'describe.skipIf(true)("group", () => { test("No.", () => {}); })',
  'describe("group", { todo: true }, () => { test("No.", () => {}); })',
  '// test("No.", () => {})',
  'const text = `test("No.", () => {})`;',
  'contest("No.", () => {})',
  `test(\`No \${1}.\`, () => {})`,
  "test(title, () => {})",
])("A test that may not run is not counted: %s", (text) => {
  expect(readTestTitles(text)).toEqual([]);
});

function readContract(): readonly AcceptanceLine[] {
  const lines = readAcceptance(readFileSync(join(root, "SPEC.md"), "utf8"));
  if (lines.length === 0) throw new Error("The acceptance list of SPEC.md is empty.");
  return lines;
}

function readTitles(): ReadonlySet<string> {
  const files = globSync("test/**/*.test.ts", { cwd: root });
  return new Set(files.flatMap((path) => readTestTitles(readFileSync(join(root, path), "utf8"))));
}

function repeated(sentences: readonly string[]): readonly string[] {
  return sentences.filter((sentence, index) => sentences.indexOf(sentence) < index);
}

function asLine({ number, sentence }: AcceptanceLine): string {
  return `A${number}. ${sentence}`;
}
