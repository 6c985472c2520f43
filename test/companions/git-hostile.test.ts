/** A repository whose configuration wants programs to run, files to be written and other files to be read. */

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerGit } from "../../src/companions/git/answer.ts";
import { parseRequest } from "../../src/companions/git/request.ts";
import type { Repository } from "../support/git-repository.ts";
import { makeRepository } from "../support/git-repository.ts";

interface Hostile extends Repository {
  /** The programs of the repository that have run. */
  ran(): readonly string[];
}

/** Everything that is known to start a program under plain log, show, diff or blame, and some that might. */
function hostile(): Hostile {
  const repository = makeRepository();
  const { root, git } = repository;
  const marks = join(root, "marks");
  const programs = join(root, "programs");
  mkdirSync(marks);
  mkdirSync(programs);
  const program = (name: string, then = "cat") => {
    const file = join(programs, name);
    writeFileSync(file, `#!/bin/sh\ntouch "${join(marks, name)}"\n${then}\n`);
    chmodSync(file, 0o755);
    return file;
  };
  repository.commit("one", { "a.txt": "one\n", "b.bin": "one\n", "c.txt": "one\n" });
  repository.commit("two", {
    "a.txt": "two\n",
    "b.bin": "two\n",
    ".gitattributes": [
      "a.txt filter=evil diff=evil",
      "b.bin filter=a=b diff=evil",
      "c.txt filter=proc",
      "",
    ].join("\n"),
  });
  const hooks = join(root, "hooks");
  mkdirSync(hooks);
  for (const hook of ["post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"]) {
    writeFileSync(join(hooks, hook), readFileSync(program(`hook-${hook}`)));
    chmodSync(join(hooks, hook), 0o755);
  }
  const settings: Readonly<Record<string, string>> = {
    "core.fsmonitor": program("fsmonitor", "exit 1"),
    "core.hooksPath": hooks,
    "core.pager": program("pager"),
    "pager.log": program("pager-log"),
    "pager.show": program("pager-show"),
    "core.sshCommand": program("ssh"),
    "core.gitProxy": program("proxy"),
    "core.askPass": program("askpass"),
    "core.editor": program("editor"),
    "diff.external": program("external"),
    "diff.evil.command": program("driver"),
    "diff.evil.textconv": `${program("textconv", 'cat "$1"')}`,
    "filter.evil.clean": program("clean"),
    "filter.evil.smudge": program("smudge"),
    "filter.evil.required": "true",
    "filter.a=b.clean": program("clean-equals"),
    "filter.a=b.required": "true",
    "filter.proc.process": program("process", "exit 1"),
    "gpg.program": program("gpg"),
    "log.showSignature": "true",
    "credential.helper": program("credential"),
    "alias.log": `!${program("alias")}`,
    "uploadpack.packObjectsHook": program("pack-objects"),
    "diff.orderFile": "/etc/hostname",
    "mailmap.file": "/etc/passwd",
    "blame.ignoreRevsFile": "/etc/passwd",
    "core.worktree": "/etc",
  };
  for (const [key, value] of Object.entries(settings)) git(["config", key, value]);
  repository.write({ "a.txt": "three\n", "b.bin": "three\n", "c.txt": "three\n" });
  return { ...repository, ran: () => readdirSync(marks).toSorted() };
}

/** Its first line would be in git's own words. */
const BLAME_FILE =
  "the setting blame.ignoreRevsFile names a file that git cannot use, so there is no blame here.";

const QUESTIONS: readonly object[] = [
  { action: "log" },
  { action: "log", changes: "two", paths: ["a.txt"] },
  { action: "log", revision: "main..HEAD" },
  { action: "show" },
  { action: "show", patch: false },
  { action: "show", revision: "HEAD~1", paths: ["a.txt", "b.bin"] },
  { action: "show", paths: ["a.txt"], whole: true },
  { action: "diff" },
  { action: "diff", patch: false },
  { action: "diff", staged: true },
  { action: "diff", revision: "HEAD~1" },
  { action: "diff", revision: "HEAD~1..HEAD" },
  { action: "blame", paths: ["a.txt"] },
  { action: "blame", paths: ["b.bin"], revision: "HEAD~1" },
];

async function ask(cwd: string, args: object): Promise<string> {
  try {
    return await answerGit(parseRequest(args), { cwd, refusesPath: () => undefined }, undefined);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("No question starts a program that the repository names, where plain git starts many.", async () => {
  using repository = hostile();
  const { top, ran } = repository;

  const answers = [];
  for (const question of QUESTIONS) answers.push(await ask(top, question));

  expect(ran()).toEqual([]);
  expect(answers.join("\n")).not.toMatch(/git (says|failed)|root:/);
  expect(answers[7]).toContain("+three");
  expect(answers.slice(-2)).toEqual([BLAME_FILE, BLAME_FILE]);
  repository.git(["config", "--unset", "blame.ignoreRevsFile"]);
  expect(await ask(top, QUESTIONS.at(-1) ?? {})).toContain("(Ada ");
  expect(ran()).toEqual([]);
  // The same questions put plainly, as a proof that the traps work.
  for (const plain of [
    ["log", "-p"],
    ["show"],
    ["diff"],
    ["diff", "a.txt"],
    ["diff", "HEAD~1", "HEAD"],
    ["blame", "a.txt"],
  ])
    try {
      repository.git(["--work-tree", top, ...plain]);
    } catch {
      // Some of the traps break git.
    }
  expect(ran()).toEqual(
    expect.arrayContaining(["clean", "clean-equals", "driver", "external", "fsmonitor", "textconv"]),
  );
});

test("Nothing in the repository is changed by any question.", async () => {
  using repository = hostile();
  const { top } = repository;
  const before = everyFile(top);

  for (const question of QUESTIONS) await ask(top, question);

  expect(everyFile(top)).toEqual(before);
});

test("A revision that is an option, a range of options or a file is refused, and writes nothing.", async () => {
  using repository = hostile();
  const { top, root } = repository;
  const target = join(root, "written");

  for (const revision of [`--output=${target}`, "-O/etc/passwd", "--no-index", "--ext-diff", "--textconv"]) {
    for (const action of ["log", "show", "diff"])
      expect(await ask(top, { action, revision })).toContain("a revision begins with no dash");
    expect(await ask(top, { action: "blame", paths: ["a.txt"], revision })).toContain("begins with no dash");
  }
  expect(await ask(top, { action: "log", message: `--output=${target}` })).toBe("No commits.");
  expect(await ask(top, { action: "log", changes: `x --output=${target}` })).toBe("No commits.");
  expect(await ask(top, { action: "log", since: `--output=${target}` })).not.toContain("root:");
  expect(await ask(top, { action: "show", revision: "HEAD:a.txt" })).toContain('give its path in "paths"');
  expect(existsSync(target)).toBe(false);
});

test("Objects that are missing in a partial clone are not fetched, whatever the remote is.", async () => {
  using repository = hostile();
  const { root, top, git, ran } = repository;
  const clone = join(root, "partial");
  git(["--work-tree", top, "config", "uploadpack.allowFilter", "true"]);
  git(["clone", "--quiet", "--no-checkout", "--filter=blob:none", `file://${top}`, clone], {
    GIT_PROTOCOL_FROM_USER: "1",
  });
  git(["-C", clone, "config", "remote.origin.url", `ext::sh -c "touch ${join(root, "marks", "ext")}"`]);
  git(["-C", clone, "config", "protocol.ext.allow", "always"]);
  for (const name of ran()) rmSync(join(root, "marks", name));

  for (const question of QUESTIONS) await ask(clone, question);

  expect(ran()).toEqual([]);
});

test("A commit that the repository replaces by another is shown as it is.", async () => {
  using repository = makeRepository();
  repository.commit("the real one", { "a.txt": "one\n" });
  repository.commit("a false one", { "a.txt": "two\n" });
  repository.git(["replace", "HEAD~1", "HEAD"]);

  expect(await ask(repository.top, { action: "show", revision: "HEAD~1" })).toContain("the real one");
});

test("The variables of git in the environment have no say.", async () => {
  using repository = hostile();
  const { top, root, ran } = repository;
  const trap = join(root, "programs", "external");
  const traps = {
    GIT_EXTERNAL_DIFF: trap,
    GIT_PAGER: trap,
    GIT_DIR: "/nowhere",
    GIT_SSH_COMMAND: trap,
    GIT_TRACE: join(root, "written"),
    GIT_CONFIG_PARAMETERS: `'diff.external=${trap}'`,
  };
  const before = Object.keys(traps).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, traps);
  try {
    expect(await ask(top, { action: "diff" })).toContain("+three");
    expect(await ask(top, { action: "show" })).toContain("+two");
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
  expect(ran()).toEqual([]);
  expect(existsSync(join(root, "written"))).toBe(false);
});

test("A .git that is broken, or no repository at all, does not lead to another one above it.", async () => {
  using repository = hostile();
  const { top } = repository;
  const inner = join(top, "inner");
  mkdirSync(join(inner, ".git"), { recursive: true });

  expect(await ask(inner, { action: "log" })).toContain("not inside a git repository");
});

function everyFile(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => `${file} ${readFileSync(file).toString("base64")}`)
    .toSorted();
}
