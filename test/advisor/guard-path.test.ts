/** The guard judges the very file that Pi's own tools will open, whatever spelling a model chose. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, win32 } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
// Not exported by Pi: what the guard has to agree with.
import {
  resolveReadPath,
  resolveToCwd,
} from "../../node_modules/@mariozechner/pi-coding-agent/dist/core/tools/path-utils.js";
import { normalizePath } from "../../node_modules/@mariozechner/pi-coding-agent/dist/utils/paths.js";
import { toolPaths } from "../../src/advisor/tool-path.ts";

const FRAGMENTS = [
  ...["@", "~", "/", "//", "..", ".", "./", "~/", "a", "b.txt", " ", "'", "%20", "%2e%2e", "#", "?"],
  ...[
    "\u00A0",
    "\u2003",
    "\u202F",
    "\u3000",
    "\u200B",
    " AM.",
    " pm.",
    "\u00E9",
    "e\u0301",
    "\uFB01",
    "\u2019",
  ],
  ...["file://", "file:", "FILE://", "file:///", "localhost", "C:", "c", "/c/", "/mnt/d/", "/cygdrive/e"],
  ...["\\", "\\\\?\\", "~\\", "\u0000", "\n", "-", "--", "$HOME", "*"],
] as const;
const spelling = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 6 }).map((parts) => parts.join(""));

const WINDOWS = { isWindows: true, home: "C:\\Data\\me" };
const WINDOWS_CWD = "C:\\stuff\\shop";

afterEach(() => {
  vi.unstubAllGlobals();
});

test("Every spelling leads to the path that Pi's own tools resolve.", () => {
  fc.assert(
    fc.property(spelling, (path) => {
      const pis = orUndefined(() => resolveToCwd(path, "/srv/shop"));

      if (pis !== undefined) expect(toolPaths(path, "/srv/shop")[0]).toBe(pis);
    }),
    { numRuns: 20_000 },
  );
});

test("Whichever of the names that read forgives is there, it is among those that are judged.", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "angel-path-")));
  const name = fc
    .array(fc.constantFrom("a", "'", " AM.", " PM.", "\u00E9", "e\u0301", "\u2019", "b"), {
      minLength: 1,
      maxLength: 5,
    })
    .map((parts) => parts.join(""));
  let opened = 0;

  fc.assert(
    fc.property(name, fc.nat({ max: 31 }), (path, present) => {
      const cwd = mkdtempSync(join(folder, "case-"));
      mkdirSync(cwd, { recursive: true });
      for (const [index, spelled] of toolPaths(path, cwd).entries())
        if (present & (1 << index)) writeFileSync(join(cwd, basename(spelled)), "");
      const found = resolveReadPath(path, cwd);

      expect(toolPaths(path, cwd)).toContain(found);
      expect(dirname(found)).toBe(cwd);
      if (found !== toolPaths(path, cwd)[0]) opened += 1;
    }),
    { numRuns: 500 },
  );
  rmSync(folder, { recursive: true });

  // Otherwise Pi never had to forgive, and nothing was compared.
  expect(opened).toBeGreaterThan(20);
});

test("On Windows every spelling is taken as Pi takes it there.", () => {
  // Pi reads the platform when it is called. Its other path functions stay those of this machine, so what
  // goes on from here is the normalized text; URLs and the home folder are told apart in the table below.
  vi.stubGlobal("process", { ...process, platform: "win32" });

  fc.assert(
    fc.property(spelling, (path) => {
      fc.pre(!/^@?(~|file:\/\/)/.test(path));
      const pis = normalizePath(path, { normalizeUnicodeSpaces: true, stripAtPrefix: true });

      expect(toolPaths(path, WINDOWS_CWD, WINDOWS)[0]).toBe(win32.resolve(WINDOWS_CWD, pis));
    }),
    { numRuns: 20_000, examples: [["/c/Users"], ["@/mnt/d/a/b"], ["/cygdrive/e"], ["\\\\?\\C:\\a"]] },
  );
});

test.for([
  ["/c/Data/me/x.jsonl", "C:\\Data\\me\\x.jsonl"],
  ["/C", "C:\\"],
  ["/mnt/d/a/../b", "D:\\b"],
  ["/cygdrive/e/notes", "E:\\notes"],
  ["/cc/notes", "C:\\cc\\notes"],
  ["//server/share/f", "\\\\server\\share\\f"],
  ["\\\\server\\share\\..\\f", "\\\\server\\share\\f"],
  ["\\\\?\\C:\\stuff\\x", "\\\\?\\C:\\stuff\\x"],
  ["D:/a/b", "D:\\a\\b"],
  ["src/a.ts", "C:\\stuff\\shop\\src\\a.ts"],
  ["..\\other", "C:\\stuff\\other"],
  ["~", "C:\\Data\\me"],
  ["~/x", "C:\\Data\\me\\x"],
  ["~\\x", "C:\\Data\\me\\x"],
  ["@~\\x", "C:\\Data\\me\\x"],
  ["file:///C:/stuff/a%20b", "C:\\stuff\\a b"],
  ["file://server/share/f", "\\\\server\\share\\f"],
] as const)("On Windows %s is %s", ([path, file]) => {
  expect(toolPaths(path, WINDOWS_CWD, WINDOWS)[0]).toBe(file);
});

test("Elsewhere the spellings of Windows are names like any other.", () => {
  const host = { isWindows: false, home: "/house/me" };

  expect(toolPaths("/c/notes", "/srv", host)[0]).toBe("/c/notes");
  expect(toolPaths("~\\x", "/srv", host)[0]).toBe("/srv/~\\x");
  expect(toolPaths("C:\\x", "/srv", host)[0]).toBe("/srv/C:\\x");
});

/** Pi throws on what is no URL of a file here, and opens nothing. */
function orUndefined<T>(resolve: () => T): T | undefined {
  try {
    return resolve();
  } catch {
    return undefined;
  }
}
