/** What differs on Windows and macOS, played on this machine: other forms of paths, and names that ignore case or accents. */

import * as fs from "node:fs";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { displayPath } from "../../src/advisor/parent-session/files.ts";
import { forgivingFiles } from "../support/forgiving-files.ts";

const WINDOWS = { isWindows: true, home: "C:\\Data\\Zoë Doe" };
const CWD = "C:\\Data\\Zoë Doe\\my shop";

test.for([
  ["src/a b.ts", "src/a b.ts"],
  ["src\\cart.ts", "src/cart.ts"],
  ["c:\\data\\zoë doe\\MY SHOP\\src\\cart.ts", "src/cart.ts"],
  ["C:/Data/Zoë Doe/my shop/läden/x.ts", "läden/x.ts"],
  ["/c/Data/Zoë Doe/my shop/x.ts", "x.ts"],
  ["file:///C:/Data/Zo%C3%AB%20Doe/my%20shop/x.ts", "x.ts"],
  ["..\\other\\x.ts", "C:/Data/Zoë Doe/other/x.ts"],
  ["D:\\my shop\\x.ts", "D:/my shop/x.ts"],
  ["\\\\server\\share\\x.ts", "//server/share/x.ts"],
  ["..x\\y.ts", "..x/y.ts"],
] as const)("On Windows the file %s is listed as %s", ([path, shown]) => {
  expect(displayPath(path, CWD, WINDOWS)).toBe(shown);
});

test("Elsewhere a backslash is part of a name, and a path of a share is one of this machine.", () => {
  const host = { isWindows: false, home: "/house/zoë" };

  expect(displayPath("a\\b.ts", "/srv/my shop", host)).toBe("a\\b.ts");
  expect(displayPath("//srv/my shop/x.ts", "/srv/my shop", host)).toBe("x.ts");
});

test("Where names ignore case and accents, sessions are known by every such name.", async () => {
  const root = mkdtempSync(join(tmpdir(), "angel-names-"));
  mkdirSync(join(root, "zoë", "sessions"), { recursive: true });
  const folder = join(root, "zoë", "sessions");
  const [parent, sibling] = [join(folder, "parent.jsonl"), join(folder, "other.jsonl")];
  for (const file of [parent, sibling]) writeFileSync(file, '{"type":"session","id":"x"}\n');
  writeFileSync(join(root, "notes.jsonl"), '{"type":"session","id":"x"}\n');
  vi.doMock("node:fs", () => forgivingFiles(fs, root));
  vi.resetModules();
  try {
    const { refusal } = await import("../../src/advisor/guard.ts");
    const judge = (path: string) => refusal(path, { cwd: root, sessionFiles: [parent] });

    for (const spell of [(path: string) => path, upper, decomposed]) {
      expect(judge(spell(parent))).toContain("read the parent session through parent_session");
      expect(judge(spell(sibling))).toContain("another session file beside the parent's");
      expect(judge(spell(join(root, "notes.jsonl")))).toBeUndefined();
    }
  } finally {
    vi.doUnmock("node:fs");
    vi.resetModules();
    rmSync(root, { recursive: true, force: true });
  }
});

function upper(path: string): string {
  return path.toUpperCase();
}

function decomposed(path: string): string {
  return path.normalize("NFD");
}
