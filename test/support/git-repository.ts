/** Real git repositories for tests, made by the git of this machine. */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Repository extends Disposable {
  /** A folder of its own around everything. */
  readonly root: string;
  readonly top: string;
  /** @param environment over that of the test */
  git(args: readonly string[], environment?: Readonly<Record<string, string>>): string;
  write(files: Readonly<Record<string, string | Buffer>>): void;
  /** Writes, adds and commits everything. */
  commit(message: string, files?: Readonly<Record<string, string | Buffer>>): void;
}

const IDENTITY = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.org",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.org",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
};

export function makeRepository(name = "project"): Repository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "angel-git-")));
  const top = join(root, name);
  mkdirSync(top);
  const git: Repository["git"] = (args, environment = {}) =>
    execFileSync("git", [...args], {
      cwd: top,
      env: { PATH: process.env.PATH, HOME: root, ...IDENTITY, ...environment },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git(["init", "--quiet", "--initial-branch=main"]);
  const write: Repository["write"] = (files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(top, path)), { recursive: true });
      writeFileSync(join(top, path), text);
    }
  };
  return {
    root,
    top,
    git,
    write,
    commit(message, files = {}) {
      write(files);
      git(["add", "--all"]);
      git(["commit", "--quiet", "--allow-empty", "--message", message]);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true, maxRetries: 3 }),
  };
}
