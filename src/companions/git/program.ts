// Runs git without a shell, and without anything that the repository's own configuration could start.

import type { ChildProcessByStdio } from "node:child_process";
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";

export interface GitRun {
  readonly output: string;
  /** Whether there was more output than is ever read. */
  readonly isCut: boolean;
}

export interface GitPlace {
  /** Absolute. */
  readonly cwd: string;
  /** Absent in a bare repository. */
  readonly workTree?: string;
  /** Names of content filters that the repository configures. */
  readonly filters?: readonly string[];
}

/** Far more than an answer shows, so that every page of it can be reached, and a bound on memory. */
const MOST_BYTES = 16 * 1024 * 1024;
const LIMIT_MS = 30_000;

/** @throws Error with a full sentence when git is missing, fails, or takes too long */
export async function runGit(
  args: readonly string[],
  place: GitPlace,
  signal: AbortSignal | undefined,
  limitMs = LIMIT_MS,
): Promise<GitRun> {
  signal?.throwIfAborted();
  const program = findProgram(process.env, process.platform);
  if (program === undefined)
    throw new Error("git is not installed on this machine, or not on PATH, so there is no history to read.");
  const child = spawn(program, [...FIRST_ARGUMENTS, ...args], {
    cwd: place.cwd,
    env: safeEnvironment(process.env, place, process.platform),
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const stop = () => {
    child.kill("SIGKILL");
    // Whatever git may have started holds its pipes open; nobody waits for that.
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const limit = setTimeout(stop, limitMs);
  signal?.addEventListener("abort", stop, { once: true });
  const startedMs = performance.now();
  try {
    const { output, errors, isCut, code } = await collect(child);
    signal?.throwIfAborted();
    if (code === 0 || isCut) return { output, isCut };
    if (performance.now() - startedMs >= limitMs)
      throw new Error(
        `git was stopped after ${limitMs / 1000} s; ask for less, for one path or a few commits.`,
      );
    throw new Error(sentenceOf(errors, code));
  } finally {
    clearTimeout(limit);
    signal?.removeEventListener("abort", stop);
  }
}

const FIRST_ARGUMENTS: readonly string[] = ["--no-pager", "--no-replace-objects", "--literal-pathspecs"];

/** What a repository may set to have a program run, a file read or an answer changed. */
const CONFIGURATION: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.quotePath", "false"],
  ["diff.external", ""],
  ["diff.submodule", "short"],
  ["diff.noprefix", "false"],
  ["diff.mnemonicPrefix", "false"],
  ["log.showSignature", "false"],
  ["log.mailmap", "false"],
  ["mailmap.file", ""],
  ["mailmap.blob", ""],
  ["blame.markIgnoredLines", "false"],
  ["core.sshCommand", ""],
  ["core.gitProxy", ""],
  ["credential.helper", ""],
  ["protocol.allow", "never"],
  ["color.ui", "false"],
];

/** Given through the environment, where a key may hold any character, and goes before all files. */
export function safeEnvironment(
  environment: NodeJS.ProcessEnv,
  { workTree, filters = [] }: GitPlace,
  platform: NodeJS.Platform,
): NodeJS.ProcessEnv {
  const nowhere = platform === "win32" ? "NUL" : "/dev/null";
  const pairs = [
    ...CONFIGURATION,
    ["core.hooksPath", nowhere] as const,
    ...filters.flatMap((name) => [
      [`filter.${name}.clean`, ""] as const,
      [`filter.${name}.smudge`, ""] as const,
      [`filter.${name}.process`, ""] as const,
      [`filter.${name}.required`, "false"] as const,
    ]),
  ];
  const own = Object.entries(environment).filter(([name]) => !/^git_/i.test(name));
  return {
    ...Object.fromEntries(own),
    ...Object.fromEntries(
      pairs.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
    GIT_CONFIG_COUNT: String(pairs.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ATTR_NOSYSTEM: "1",
    // Git looks no further than the folder that was found, and takes no other for its files.
    ...(workTree === undefined
      ? {}
      : { GIT_WORK_TREE: workTree, GIT_CEILING_DIRECTORIES: path.dirname(workTree) }),
    LC_ALL: "C",
  };
}

/** Only absolute folders of PATH count: a program of that name in the project is not git. */
export function findProgram(environment: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const { delimiter, isAbsolute, join } = platform === "win32" ? path.win32 : path.posix;
  const search = environment.PATH ?? environment.Path ?? "";
  const name = platform === "win32" ? "git.exe" : "git";
  return search
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

interface Collected extends GitRun {
  readonly errors: string;
  readonly code: number | null;
}

function collect(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Collected> {
  const { promise, resolve, reject } = Promise.withResolvers<Collected>();
  const chunks: Buffer[] = [];
  let size = 0;
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => {
    if (size >= MOST_BYTES) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MOST_BYTES) child.kill("SIGKILL");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(0, 4000);
  });
  child.on("error", (cause) => reject(new Error(`git could not be started: ${cause.message}.`, { cause })));
  child.on("close", (code) =>
    resolve({
      output: Buffer.concat(chunks).subarray(0, MOST_BYTES).toString("utf8"),
      isCut: size >= MOST_BYTES,
      errors,
      code,
    }),
  );
  return promise;
}

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /dubious ownership/,
    "git does not open this repository: it belongs to somebody else. Only the user can allow it, with git's setting safe.directory.",
  ],
  [/not a git repository/, "the project is not inside a git repository, so there is no history to read."],
  [
    /does not have any commits yet|bad revision 'HEAD'|ambiguous argument 'HEAD'/,
    "the repository has no commit yet.",
  ],
  [
    // Git quotes the first line of that file, whatever file it is; and no later setting takes the name back.
    /invalid object name: |could not open object name list/,
    "the setting blame.ignoreRevsFile names a file that git cannot use, so there is no blame here.",
  ],
  [/must be run in a work tree/, "the repository is bare: it has no files of its own. Give a revision."],
];

function sentenceOf(errors: string, code: number | null): string {
  const known = MEANINGS.find(([pattern]) => pattern.test(errors));
  if (known) return known[1];
  const said = errors
    .split("\n")
    .map((line) => line.replace(/^(fatal|error): /, "").trim())
    .filter((line) => line !== "" && !line.startsWith("hint:") && !line.startsWith("Use '--'"))
    .join("; ")
    .slice(0, 500);
  return said === "" ? `git failed without a word (exit code ${code}).` : `git says: ${said}`;
}
