/** What git_evidence answers about real repositories. */

import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answerGit } from "../../src/companions/git/answer.ts";
import { parseRequest } from "../../src/companions/git/request.ts";
import type { Repository } from "../support/git-repository.ts";
import { makeRepository } from "../support/git-repository.ts";

type Refuses = (path: string) => string | undefined;

function ask(cwd: string, args: object, refusesPath: Refuses = () => undefined): Promise<string> {
  return answerGit(parseRequest(args), { cwd, refusesPath }, undefined);
}

function story(): Repository {
  const repository = makeRepository();
  repository.commit("add the clock", { "src/clock.ts": "one\ntwo\n", "README.md": "Clock\n" });
  repository.commit("fix the zone\n\ndiff --git a/x b/x\nthe reason", { "src/clock.ts": "one\n2\n" });
  repository.commit("say more", { "README.md": "Clock\nMore\n" });
  return repository;
}

test("log gives commits newest first, by path, message and changed text, page by page.", async () => {
  using repository = story();
  const { top } = repository;

  expect(await ask(top, { action: "log" })).toMatch(
    /^Commits 1 to 3, newest first:\n[0-9a-f]{7} 20\S+ Ada \(HEAD -> main\): say more\n.*fix the zone\n.*add the clock$/,
  );
  expect(await ask(top, { action: "log", paths: ["src"] })).toMatch(/^Commits 1 to 2,.*\n.*fix the zone\n/);
  expect(await ask(top, { action: "log", message: "ZONE" })).toMatch(/^Commits 1 to 1,.*\n.*fix the zone$/);
  expect(await ask(top, { action: "log", changes: "two" })).toContain("Commits 1 to 2,");
  expect(await ask(top, { action: "log", limit: 1 })).toContain("[There are more; go on with offset 1.]");
  expect(await ask(top, { action: "log", limit: 1, offset: 2 })).toMatch(
    /^Commits 3 to 3,.*\n.*add the clock$/,
  );
  expect(await ask(top, { action: "log", offset: 9 })).toBe("No commits after the first 9.");
  expect(await ask(top, { action: "log", message: "nothing such" })).toBe("No commits.");
  expect(await ask(top, { action: "log", until: "1990-01-01" })).toBe("No commits.");
});

test("show gives a commit with its message and change, only its files, or a file as it was.", async () => {
  using repository = story();
  const { top } = repository;

  const change = await ask(top, { action: "show", revision: "HEAD~1" });
  expect(change).toMatch(/^commit [0-9a-f]{40}\nparents [0-9a-f]{7}\nauthor Ada <ada@example\.org> 20/);
  expect(change).toContain("\n    diff --git a/x b/x\n    the reason\n");
  expect(change).toContain("\n-two\n+2");
  expect(await ask(top, { action: "show", patch: false })).toMatch(/README\.md \| 1 \+\n 1 file changed/);
  expect(await ask(top, { action: "show", revision: "HEAD~2", paths: ["src/clock.ts"], whole: true })).toBe(
    "src/clock.ts at HEAD~2:\none\ntwo",
  );
});

test("diff without a revision gives what is not committed, staged or not, and the names that git does not know.", async () => {
  using repository = story();
  const { top } = repository;
  repository.write({ "README.md": "Clock\nMore\nstaged\n" });
  repository.git(["add", "--all"]);
  repository.write({ "src/clock.ts": "one\nunstaged\n", "new file.txt": "new" });

  const now = await ask(top, { action: "diff" });
  expect(now).toMatch(/^What is not committed, staged or not, against HEAD:\n/);
  expect(now).toContain("+staged");
  expect(now).toContain("+unstaged");
  expect(now).toMatch(/\nUntracked: new file\.txt$/);
  const staged = await ask(top, { action: "diff", staged: true });
  expect(staged).toContain("+staged");
  expect(staged).not.toContain("unstaged");
  const between = await ask(top, { action: "diff", revision: "HEAD~2..HEAD", paths: ["src"], patch: false });
  expect(between).toMatch(/^Changes HEAD~2\.\.HEAD:\n src\/clock\.ts \| 2 \+-\n/);
  expect(await ask(top, { action: "diff", revision: "HEAD..HEAD" })).toContain("No differences.");
});

test("blame tells for each line which commit it is from.", async () => {
  using repository = story();
  const { top } = repository;

  const blame = await ask(top, { action: "blame", paths: ["src/clock.ts"] });
  expect(blame).toMatch(
    /^src\/clock\.ts at HEAD:\n\^?[0-9a-f]+ \(Ada 20\S+ 1\) one\n[0-9a-f]+ \(Ada 20\S+ 2\) 2$/,
  );
  expect(await ask(top, { action: "blame", paths: ["src/clock.ts"], lines: "2" })).not.toContain("one");
  await expect(ask(top, { action: "blame", paths: ["src/clock.ts"], revision: "nope" })).rejects.toThrow(
    'git knows no commit "nope" here',
  );
});

test("A long answer is cut, says so, and goes on where it says.", async () => {
  using repository = makeRepository();
  const lines = Array.from({ length: 5000 }, (_, n) => `line ${n + 1}`);
  repository.commit("long", { "long.txt": `${lines.join("\n")}\n` });
  const whole = { action: "show", paths: ["long.txt"], whole: true };

  const first = await ask(repository.top, whole);
  expect(first).toContain("line 2000\n[Lines 1 to 2000 of 5000; go on with offset 2001.]");
  const last = await ask(repository.top, { ...whole, offset: 4001 });
  expect(last).toMatch(/^long\.txt at HEAD:\nline 4001\n[\s\S]*\nline 5000$/);
  expect(await ask(repository.top, { ...whole, offset: 9999 })).toBe(
    "There are only 5000 lines; offset counts lines from 1.",
  );
  expect(await ask(repository.top, { ...whole, limit: 2 })).toContain("line 2\n[Lines 1 to 2 of 5000;");
});

test("What must not be read is withheld from shows and diffs by name, and refused when it is asked for.", async () => {
  using repository = story();
  const { top } = repository;
  repository.commit("both", { ".env": "KEY=s3cret\n", "src/clock.ts": "three\n", "log.jsonl": "s3cret\n" });
  repository.git(["mv", "log.jsonl", "plain.txt"]);
  repository.commit("rename it");
  const refuses: Refuses = (path) =>
    /\.env$|\.jsonl$/.test(path) ? `"${path}" must not be read.` : undefined;

  const shown = await ask(top, { action: "show", revision: "HEAD~1" }, refuses);
  expect(shown).toContain("+three");
  expect(shown).not.toContain("s3cret");
  expect(shown).toContain("[Withheld: .env, log.jsonl, which must not be read here.]");
  const diff = await ask(top, { action: "diff", revision: "HEAD~2..HEAD~1", paths: [".", "src"] }, refuses);
  expect(diff).not.toContain("s3cret");
  for (const args of [
    { action: "show", paths: [".env"] },
    { action: "show", paths: [".env"], whole: true },
    { action: "blame", paths: [".env"] },
    { action: "diff", paths: [".env"] },
  ]) {
    await expect(ask(top, args, refuses)).rejects.toThrow("must not be read.");
  }
});

test("Outside of a repository, without a commit and in somebody else's, it is said what is the case.", async () => {
  using repository = makeRepository();
  const { root, top } = repository;
  const bare = join(root, "nothing");
  mkdirSync(bare);

  await expect(ask(bare, { action: "log" })).rejects.toThrow(
    "the project is not inside a git repository, so there is no history to read.",
  );
  await expect(ask(top, { action: "log" })).rejects.toThrow("the repository has no commit yet.");
  repository.commit("one", { a: "a" });
  await expect(ask(top, { action: "log", revision: "nope" })).rejects.toThrow(
    /^git says: bad revision 'nope'$/,
  );
  await expect(ask(top, { action: "show", paths: ["gone.txt"], whole: true })).rejects.toThrow(/gone\.txt/);
  await expect(ask(top, { action: "log", paths: ["../nothing"] })).rejects.toThrow(
    '"../nothing" lies outside of the repository',
  );
});

test("Worktrees, submodules, shallow and bare clones have their history too.", async () => {
  using repository = story();
  const { root, top, git } = repository;
  git(["worktree", "add", "--quiet", "--detach", join(root, "tree"), "HEAD~1"]);
  git(["clone", "--quiet", "--bare", top, join(root, "bare.git")]);
  git(["clone", "--quiet", "--depth", "1", `file://${top}`, join(root, "shallow")]);
  git(["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", top, "inner"]);

  expect(await ask(join(root, "tree"), { action: "log" })).toMatch(/^Commits 1 to 2,/);
  const bare = join(root, "bare.git");
  expect(await ask(bare, { action: "log" })).toContain("Commits 1 to 3,");
  expect(await ask(bare, { action: "show", paths: ["README.md"], whole: true })).toContain("Clock\nMore");
  await expect(ask(bare, { action: "diff" })).rejects.toThrow("the repository is bare");
  expect(await ask(join(root, "shallow"), { action: "log" })).toMatch(
    /^Commits 1 to 1,[\s\S]*\n\[This clone is shallow: older commits are not here\.\]$/,
  );
  expect(await ask(join(top, "inner"), { action: "log" })).toContain("Commits 1 to 3,");
  expect(await ask(top, { action: "diff", patch: false })).toContain("inner");
});

test("The project may be a folder below the top, or lead there by a link.", async () => {
  using repository = story();
  const { root, top } = repository;
  symlinkSync(top, join(root, "link"));

  expect(await ask(join(top, "src"), { action: "log", paths: ["clock.ts"] })).toContain("Commits 1 to 2,");
  expect(await ask(join(top, "src"), { action: "log", paths: ["../README.md"] })).toContain(
    "Commits 1 to 2,",
  );
  expect(await ask(join(root, "link"), { action: "blame", paths: ["src/clock.ts"] })).toContain("one");
  expect(await ask(top, { action: "log", paths: [join(top, "src")] })).toContain("Commits 1 to 2,");
});

test("Names and texts in any form come through: blanks, quotes, other scripts, bytes that are no UTF-8.", async () => {
  using repository = makeRepository();
  const names = ["with blank.txt", "naïve-Ω.txt", 'quo"te.txt', ":(top)magic.txt", "*.txt", "-dash.txt"];
  repository.commit("odd", Object.fromEntries(names.map((name) => [name, `in ${name}\n`])));
  repository.commit("bytes", { "bytes.txt": Buffer.from([0x61, 0xff, 0xfe, 0x62, 0x0a]) });
  rmSync(join(repository.top, "with blank.txt"));

  for (const name of names) {
    expect(await ask(repository.top, { action: "show", paths: [name], whole: true, revision: "HEAD" })).toBe(
      `${name} at HEAD:\nin ${name}`,
    );
    expect(await ask(repository.top, { action: "log", paths: [name] })).toContain("Commits 1 to 1,");
  }
  expect(await ask(repository.top, { action: "show" })).toContain("+a��b");
});
