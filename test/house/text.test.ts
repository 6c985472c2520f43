// What is published must not tell about the machine it was made on.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("No text file names a folder of a developer's machine or a host of a package registry.", () => {
  const registry = new URL(
    execFileSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" }),
  ).host;
  const files = textFiles();

  const traces = files.flatMap(({ path, text }) =>
    tracesIn(text, registry).map((trace) => `${path}: ${trace}`),
  );

  expect(files.map(({ path }) => path)).toContain("package-lock.json");
  expect(traces).toEqual([]);
});

test.for([
  ["read ", "work", "main", "src"].join("/"),
  ["(", "root", ".npmrc)"].join("/"),
  ['"', "home", 'ada"'].join("/"),
  ["", "Users", "ada", "angel"].join("/"),
  ["C:", "Users", "ada"].join("\\"),
  ["https://registry", "npmjs", "org/ulid"].join("."),
  ["http://deb", "debian", "org/debian"].join("."),
  "http://mirror.example:4873/ulid",
])("A trace of a machine is found: %s", (text) => {
  expect(tracesIn(text, "mirror.example:4873")).toHaveLength(1);
});

test.for([
  "src/work/desk.ts",
  "https://example.com/root/page",
  "~/.pi/agent",
  "the home/work divide",
  "C:\\project",
])("An innocent text is not taken for a trace: %s", (text) => {
  expect(tracesIn(text, "mirror.example")).toEqual([]);
});

function tracesIn(text: string, registry: string): readonly string[] {
  const patterns = [
    /(?<![\w.~-])\/(work|root)\/\S*/g,
    /(?<![\w.~-])\/(home|Users)\/\w\S*/g,
    /\b[A-Z]:\\+Users\\\S*/g,
    /\b(registry\.(npmjs|yarnpkg)\.\w+|npm\.pkg\.github\.com|pypi\.org|proxy\.golang\.org)\b/g,
    /\b(deb|security|archive|ports)\.(debian|ubuntu)\.\w+/g,
  ];
  const found = patterns.flatMap((pattern) => text.match(pattern) ?? []);
  return found.length === 0 && text.includes(registry) ? [registry] : found;
}

/** Every file that is or would be tracked, unless it is binary. */
function textFiles(): readonly { path: string; text: string }[] {
  const listing = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return listing
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
    .filter(({ text }) => !text.includes("\0"));
}
