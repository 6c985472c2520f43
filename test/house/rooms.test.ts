// Who may import whom in src/. Import rules that see nothing pass in silence, so these tests also compare what the rules
// saw with what is there, and show on a small tree that each of them bites.
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { ICruiseResult, IFlattenedRuleSet } from "dependency-cruiser";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const rules = join(root, ".dependency-cruiser.cjs");

test("Every module of src is seen by the import rules and keeps them.", async () => {
  const present = globSync("src/**/*.ts", { cwd: root }).map((path) => path.split(sep).join("/"));

  const { modules, summary } = await cruise(root, ["src", "test", "scripts"]);

  const seen = modules.map((module) => module.source).filter((path) => path.startsWith("src/"));
  expect(seen.toSorted()).toEqual(present.toSorted());
  expect(seen).not.toEqual([]);
  expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([]);
});

test("The import rules let pass what the design allows.", async () => {
  expect(await breachesIn(allowed)).toEqual([]);
});

test("Each import rule finds the imports that it forbids.", async () => {
  const files = Object.fromEntries(forbidden.map(({ path, text }) => [path, text]));

  const breaches = await breachesIn({ ...allowed, ...files });

  const expected = forbidden.flatMap(({ path, breaks }) => breaks.map((rule) => `${rule}: ${path}`));
  expect(breaches).toEqual(expected.toSorted());
});

test("No import rule is without an example that breaks it.", () => {
  const ruleSet: IFlattenedRuleSet = createRequire(import.meta.url)(rules);

  const named = (ruleSet.forbidden ?? []).map((rule) => rule.name);

  const broken = new Set(forbidden.flatMap(({ breaks }) => breaks));
  expect(named.toSorted()).toEqual([...broken].toSorted());
});

/** A small tree whose imports are all allowed, with packages that stand for a dependency, a host package and a tool. */
const allowed: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "rooms",
    type: "module",
    dependencies: { ulid: "*" },
    peerDependencies: { "@mariozechner/pi-tui": "*" },
    devDependencies: { "@mariozechner/pi-tui": "*", vitest: "*" },
  }),
  ...standIn("ulid"),
  ...standIn("vitest"),
  ...standIn("@mariozechner/pi-tui"),
  "fixtures/session.ts": "export const session = 1;",
  "test/angel.test.ts":
    'import { test } from "vitest"; import "../src/index.ts"; import "../fixtures/session.ts";',
  "src/core/advice.ts": "export const advice = 1; export type Advice = 1;",
  "src/core/naming.ts": `
    import { createHash } from "node:crypto";
    import type { Text } from "@mariozechner/pi-tui";
    import { ulid } from "ulid";
    import { advice } from "./advice.ts";`,
  "src/advisor/child.ts": 'import { readFile } from "node:fs"; import { advice } from "../core/advice.ts";',
  "src/view/card.ts":
    'import { Text } from "@mariozechner/pi-tui"; import { advice } from "../core/advice.ts";',
  "src/host/angel.ts": 'import "../core/advice.ts"; import "../advisor/child.ts"; import "../view/card.ts";',
  "src/companions/git.ts":
    'import { Text } from "@mariozechner/pi-tui"; import type { Advice } from "../core/advice.ts";',
  "src/index.ts":
    'import type { Text } from "@mariozechner/pi-tui"; import { angel } from "./host/angel.ts";',
};

interface Breach {
  readonly path: string;
  readonly text: string;
  readonly breaks: readonly string[];
}

const forbidden: readonly Breach[] = [
  { path: "src/core/up.ts", text: 'import { card } from "../view/card.ts";', breaks: ["core-imports-core"] },
  {
    path: "src/core/up-type.ts",
    text: 'import type { Card } from "../view/card.ts";',
    breaks: ["core-imports-core"],
  },
  {
    path: "src/core/io.ts",
    text: 'import { readFile } from "node:fs/promises";',
    breaks: ["core-has-no-io"],
  },
  { path: "src/core/path.ts", text: 'import { join } from "path";', breaks: ["core-has-no-io"] },
  {
    path: "src/core/pi.ts",
    text: 'import { Text } from "@mariozechner/pi-tui";',
    breaks: ["core-has-no-pi-values"],
  },
  {
    path: "src/advisor/up.ts",
    text: 'import type { Card } from "../view/card.ts";',
    breaks: ["advisor-imports-core"],
  },
  { path: "src/view/up.ts", text: 'export * from "../advisor/child.ts";', breaks: ["view-imports-core"] },
  { path: "src/host/up.ts", text: 'import angel from "../index.ts";', breaks: ["host-imports-rooms"] },
  {
    path: "src/index.ts",
    text: 'import "./core/advice.ts"; import "@mariozechner/pi-tui";',
    breaks: ["door-has-no-pi-values", "door-imports-host"],
  },
  {
    path: "src/companions/value.ts",
    text: 'import { advice } from "../core/advice.ts";',
    breaks: ["companions-import-core-types"],
  },
  {
    path: "src/companions/room.ts",
    text: 'import type { Angel } from "../host/angel.ts";',
    breaks: ["companions-import-no-other-room"],
  },
  {
    path: "src/host/companion.ts",
    text: 'await import("../companions/git.ts");',
    breaks: ["host-imports-rooms", "nobody-imports-companions"],
  },
  { path: "src/attic/box.ts", text: 'import "../core/advice.ts";', breaks: ["rooms-are-known"] },
  { path: "src/host/example.ts", text: 'import "../../fixtures/session.ts";', breaks: ["src-stands-alone"] },
  { path: "src/host/tested.ts", text: 'import "../../test/angel.test.ts";', breaks: ["src-stands-alone"] },
  { path: "src/host/tool.ts", text: 'import { test } from "vitest";', breaks: ["src-ships-what-it-runs"] },
  { path: "src/host/utils.ts", text: "export const nothing = 1;", breaks: [] },
  { path: "src/host/vague.ts", text: 'import "./utils.ts";', breaks: ["names-say-something"] },
  { path: "src/view/one.ts", text: 'import type { Two } from "./two.ts";', breaks: ["no-cycles"] },
  // A cycle is reported once, at the first of its modules.
  { path: "src/view/two.ts", text: 'import type { One } from "./one.ts";', breaks: [] },
  { path: "src/host/lost.ts", text: 'import "./nowhere.ts";', breaks: ["imports-resolve"] },
];

function standIn(name: string): Record<string, string> {
  const folder = `node_modules/${name}`;
  return {
    [`${folder}/package.json`]: JSON.stringify({ name, main: "index.js" }),
    [`${folder}/index.js`]: "",
  };
}

/** Rule and module of every breach that the rules find in a tree of `files`, each once, sorted. */
async function breachesIn(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const tree = await mkdtemp(join(tmpdir(), "angel-rooms-"));
  try {
    await copyFile(join(root, "tsconfig.json"), join(tree, "tsconfig.json"));
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(tree, path)), { recursive: true });
      await writeFile(join(tree, path), text);
    }
    const { summary } = await cruise(tree, ["src", "test"]);
    return [...new Set(summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`))].toSorted();
  } finally {
    await rm(tree, { recursive: true });
  }
}

/** What `npm run check` runs, told to answer in JSON. */
async function cruise(folder: string, entries: readonly string[]): Promise<ICruiseResult> {
  const program = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [program, "--config", rules, "--output-type", "json", ...entries];
  return new Promise((settle, refuse) => {
    execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      // The exit code counts violations; only a run without an answer has failed.
      if (stdout === "") refuse(new Error(`dependency-cruiser gave no answer: ${stderr}`, { cause: error }));
      else settle(JSON.parse(stdout));
    });
  });
}
