/** The parts of git_evidence that need no repository. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, relative, win32 } from "node:path";
import { expect, test } from "vitest";
import { gitPath } from "../../src/companions/git/paths.ts";
import { findProgram, runGit, safeEnvironment } from "../../src/companions/git/program.ts";
import { parseRequest } from "../../src/companions/git/request.ts";
import { makeRepository } from "../support/git-repository.ts";

test("Paths are told to git from the top with slashes, on every system, and none leads out of the repository.", () => {
  const home = { cwd: "C:\\work\\my app\\src", top: "C:\\work\\my app" };
  expect(gitPath("a b.ts", home, win32)).toBe("src/a b.ts");
  expect(gitPath("..\\docs\\ü.md", home, win32)).toBe("docs/ü.md");
  expect(gitPath("c:\\WORK\\my app\\x\\y.ts", home, win32)).toBe("x/y.ts");
  expect(gitPath("..", home, win32)).toBe(".");
  for (const outside of ["..\\..\\other", "D:\\x", "\\\\server\\share\\x", "C:\\work\\my app2\\x"])
    expect(() => gitPath(outside, home, win32)).toThrow("lies outside of the repository");
  const share = { cwd: "\\\\server\\share\\app", top: "\\\\server\\share\\app" };
  expect(gitPath("x\\y", share, win32)).toBe("x/y");
  expect(gitPath("back\\slash", { cwd: "/app", top: "/app" }, posix)).toBe("back\\slash");
  expect(() => gitPath("/application", { cwd: "/app", top: "/app" }, posix)).toThrow("outside");
});

test("Git is taken from the absolute folders of PATH only, never from the project.", () => {
  const folder = mkdtempSync(join(tmpdir(), "angel-path-"));
  try {
    writeFileSync(join(folder, "git"), "", { mode: 0o755 });
    expect(findProgram({ PATH: `.:relative:${folder}` }, "linux")).toBe(join(folder, "git"));
    expect(findProgram({ PATH: ".:relative:" }, "linux")).toBeUndefined();
    expect(findProgram({ PATH: relative(process.cwd(), folder) }, "linux")).toBeUndefined();
    expect(findProgram({}, "linux")).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("Where git is missing it is said.", async () => {
  const path = process.env.PATH;
  process.env.PATH = "/nowhere";
  try {
    await expect(runGit(["--version"], { cwd: "/" }, undefined)).rejects.toThrow("git is not installed");
  } finally {
    process.env.PATH = path;
  }
});

test("Git is stopped when the consultation is, and when it takes too long.", async () => {
  using repository = makeRepository();
  repository.commit("one", { a: "a" });
  const place = { cwd: repository.top };
  const waits = ["-c", "alias.wait=!sleep 60", "wait"];
  const stop = new AbortController();

  const stopped = runGit(waits, place, stop.signal);
  setImmediate(() => stop.abort(new Error("stopped")));

  await expect(stopped).rejects.toThrow("stopped");
  await expect(runGit(waits, place, undefined, 50)).rejects.toThrow("git was stopped after 0.05 s");
});

test("The environment loses all of git's own variables and keeps the rest.", () => {
  const environment = safeEnvironment(
    { PATH: "/bin", GIT_DIR: "/x", git_trace: "1", HOME: "/users" },
    { cwd: "/x", workTree: "/app/tree", filters: ["a=b.c"] },
    "win32",
  );

  expect(environment).toMatchObject({ PATH: "/bin", HOME: "/users", GIT_WORK_TREE: "/app/tree" });
  expect(environment).not.toHaveProperty("GIT_DIR");
  expect(environment).not.toHaveProperty("git_trace");
  expect(Object.values(environment)).toContain("filter.a=b.c.clean");
  expect(Object.values(environment)).toContain("NUL");
});

test.each<[object, string]>([
  [{}, '"action" is missing; it is one of log, show, diff, blame.'],
  [{ action: "push" }, '"action" is "push"'],
  [{ action: "blame" }, "give exactly one path"],
  [{ action: "blame", paths: ["a", "b"] }, "give exactly one path"],
  [{ action: "blame", paths: ["a"], revision: "a..b" }, "no range"],
  [{ action: "blame", paths: ["a"], lines: "9-3" }, '"lines" is "9-3"; give the first and the last line'],
  [{ action: "log", whole: true }, '"whole" shows one file as it was'],
  [{ action: "show", revision: "a b" }, "without blanks"],
  [{ action: "show", paths: "x\0y" }, '"paths" holds'],
  [{ action: "show", paths: Array(101).fill("x") }, "at most 100 paths"],
  [{ action: "log", limit: -1 }, "a whole number of at least 0"],
  [{ action: "log", limit: 1.5 }, "a whole number of at least 0"],
  [{ action: "log", message: 3 }, "is a text of at most 1000 characters"],
  [{ action: "diff", staged: "yes" }, "it is true or false"],
])("git_evidence refuses %j in a sentence", (args, words) => {
  expect(() => parseRequest(args)).toThrow(words);
});

test("A path that stands alone, empty texts and blanks around a revision are understood.", () => {
  expect(parseRequest({ action: "log", paths: "src", message: "", revision: " main " })).toMatchObject({
    paths: ["src"],
    revision: "main",
  });
  expect(parseRequest({ action: "log", revision: "HEAD@{2 days ago}" })).toMatchObject({
    revision: "HEAD@{2 days ago}",
  });
});
