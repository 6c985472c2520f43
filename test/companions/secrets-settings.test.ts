/** The settings of the companion secrets, and which paths it lets be opened, on every system. */

import { expect, test } from "vitest";
import { createPathRule } from "../../src/companions/secrets/path-rule.ts";
import { readSecretsSettings } from "../../src/companions/secrets/settings.ts";
import { describeCounts } from "../../src/companions/secrets/tally.ts";

test("A project adds patterns and files to what is withheld, and opens nothing; what it tries is said.", () => {
  const reading = readSecretsSettings(
    { deny: ["*.pfxx"], allow: ["config/.env"], patterns: [{ name: "mine", pattern: "A" }] },
    { deny: ["plan.txt"], allow: ["*.pem"], images: "allow", patterns: [{ name: "theirs", pattern: "B" }] },
  );

  expect(reading).toMatchObject({
    settings: {
      deny: ["*.pfxx", "plan.txt"],
      allow: ["config/.env"],
      images: "withhold",
      patterns: [{ name: "mine" }, { name: "theirs" }],
    },
    warnings: [
      expect.stringContaining('"allow" in the project\'s settings is ignored'),
      expect.stringContaining('"images" in the project\'s settings is ignored'),
    ],
  });
  expect(readSecretsSettings({ images: "allow" }, { images: "withhold" })).toMatchObject({
    settings: { images: "withhold" },
  });
});

test.each<[unknown, string]>([
  ["on", 'must be an object such as {}; found "on"'],
  [{ deny: ".env" }, '"deny" must be a list of texts; found ".env"'],
  [{ allow: [3] }, '"allow" must be a list of texts'],
  [{ images: "yes" }, '"images" must be "withhold" or "allow"; found "yes"'],
  [{ patterns: {} }, '"patterns" must be a list of { "name", "pattern" }'],
  [{ patterns: [{ name: "Bad Name", pattern: "x" }] }, 'needs a "name" of at most 40 small letters'],
  [{ patterns: [{ name: "ok", pattern: "" }] }, 'the pattern "ok" must be a text'],
])("the setting %j is refused in a sentence", (user, words) => {
  expect(readSecretsSettings(user, undefined)).toMatchObject({ wrong: expect.stringContaining(words) });
});

test("An unknown key of its settings is a warning.", () => {
  expect(readSecretsSettings({ denny: [] }, undefined)).toMatchObject({
    warnings: [expect.stringContaining('has a key "denny", which means nothing')],
  });
});

const NONE = { deny: [], allow: [] };

test("Credential files are denied whatever their case and place, samples of them and ordinary files are not.", () => {
  const rule = createPathRule({
    cwd: "/app",
    settings: { deny: ["plan.txt"], allow: ["test/.env"] },
    host: { isWindows: false, home: "/users/ada" },
    roots: () => ["/skills/shop"],
    realPath: (path) => path,
  });
  const denied = [
    ".env",
    ".ENV.local",
    "a/b/.env",
    "deploy.pem",
    "KEY.PEM",
    "id_ed25519",
    "x/.ssh/config",
    "plan.txt",
  ];
  const open = [
    ".env.example",
    "src/env.ts",
    "keys.md",
    "test/.env",
    "/skills/shop/SKILL.md",
    "environment.ts",
  ];

  for (const path of denied)
    expect(rule.refusal(path), path).toContain("on the list of files that hold credentials");
  for (const path of open) expect(rule.refusal(path), path).toBeUndefined();
  for (const path of [
    "/etc/hosts",
    "../other/a.ts",
    "~/notes.txt",
    "/application/a.ts",
    "@../x",
    "file:///etc/hosts",
  ])
    expect(rule.refusal(path), path).toContain("lies outside the project");
  expect(rule.refusal("a\0b")).toContain("null character");
});

test("Paths of Windows are judged as Windows takes them: drives, shares, streams, dots and blanks at the end.", () => {
  const rule = createPathRule({
    cwd: "C:\\work\\my app",
    settings: NONE,
    host: { isWindows: true, home: "C:\\people\\Ada" },
    roots: () => [],
    realPath: (path) => path,
  });

  for (const path of ["src\\a.ts", "c:\\WORK\\my app\\a.ts", "/c/work/my app/a.ts", "src/ü b.ts"])
    expect(rule.refusal(path), path).toBeUndefined();
  for (const path of [
    "D:\\a.ts",
    "\\\\server\\share\\a.ts",
    "..\\other\\a.ts",
    "C:\\work\\my app2\\a.ts",
    "~\\a.ts",
  ])
    expect(rule.refusal(path), path).toContain("lies outside the project");
  for (const path of [".env", ".ENV.", ".env ", ".env::$DATA", "a\\deploy.pem:x", "src\\..\\.env"])
    expect(rule.refusal(path), path).toContain("on the list of files");
});

test("A link counts by where it leads, and one that cannot be followed is refused.", () => {
  const links: Readonly<Record<string, string>> = { "/app/notes": "/app/.env", "/app/out": "/etc" };
  const rule = createPathRule({
    cwd: "/app",
    settings: NONE,
    host: { isWindows: false, home: "/users/ada" },
    roots: () => [],
    realPath(path) {
      if (path === "/app/loop") throw Object.assign(new Error("too many links"), { code: "ELOOP" });
      if (path.startsWith("/app/out/")) throw Object.assign(new Error("none"), { code: "ENOENT" });
      return links[path] ?? path;
    },
  });

  expect(rule.refusal("notes")).toContain("on the list of files");
  expect(rule.refusal("out/new.txt")).toContain("lies outside the project");
  expect(rule.refusal("loop")).toContain("where it leads cannot be found out");
});

test("The line of the status says what was held back, and that patterns do not find everything.", () => {
  expect(describeCounts({ redacted: { jwt: 2, "npm-token": 1 }, refused: 1, withheld: 0 })).toBe(
    "3 redacted (2 jwt, 1 npm-token), 1 path refused; patterns find known forms of secrets, not every secret.",
  );
});
