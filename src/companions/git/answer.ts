// Answers one question to git in words: what was found, where it was cut, and what was held back.

import { join } from "node:path";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, truncateHead } from "@mariozechner/pi-coding-agent";
import {
  blameCommand,
  commitCommand,
  commitsOf,
  diffCommand,
  logCommand,
  namesCommand,
  showCommand,
  untrackedCommand,
  wholeCommand,
} from "./commands.ts";
import { gitPath } from "./paths.ts";
import { runGit } from "./program.ts";
import type { Repository } from "./repository.ts";
import { openRepository } from "./repository.ts";
import type { GitRequest } from "./request.ts";

export interface Asker {
  /** The project's folder, absolute. */
  readonly cwd: string;
  /** Why a file must not be read; undefined when it may. */
  readonly refusesPath: (path: string) => string | undefined | Promise<string | undefined>;
}

interface Question {
  readonly request: GitRequest;
  readonly asker: Asker;
  readonly repository: Repository;
  /** As git wants them. */
  readonly paths: readonly string[];
  readonly git: (args: readonly string[]) => Promise<string>;
}

/** @throws Error with a full sentence for whatever cannot be answered */
export async function answerGit(
  request: GitRequest,
  asker: Asker,
  signal: AbortSignal | undefined,
): Promise<string> {
  const repository = await openRepository(asker.cwd, signal);
  const { workTree } = repository;
  const paths = request.paths.map((path) =>
    gitPath(path, { cwd: asker.cwd, ...(workTree === undefined ? {} : { top: workTree }) }),
  );
  let wasCut = false;
  const git = async (args: readonly string[]) => {
    const { output, isCut } = await runGit(args, repository, signal);
    wasCut ||= isCut;
    return output;
  };
  const question: Question = { request, asker, repository, paths, git };
  for (const path of paths) await assertAllowed(path, question);
  const text = await answer(question);
  return wasCut ? `${text}\n[git had more to say than is ever read here; ask for less.]` : text;
}

async function answer(question: Question): Promise<string> {
  switch (question.request.action) {
    case "log":
      return answerLog(question);
    case "show":
      return question.request.isWhole ? showWhole(question) : showChange(question);
    case "diff":
      return showChange(question);
    case "blame":
      return showBlame(question);
  }
}

async function answerLog({ request, repository, paths, git }: Question): Promise<string> {
  const { offset = 0 } = request;
  const commits = (await git(logCommand(request, paths))).split("\n").filter((line) => line !== "");
  const shown = commits.slice(0, commitsOf(request));
  const page = truncateHead(shown.join("\n"));
  const lines = page.content === "" ? [] : page.content.split("\n");
  const isMore = commits.length > lines.length;
  return [
    lines.length === 0
      ? offset > 0
        ? `No commits after the first ${offset}.`
        : "No commits."
      : `Commits ${offset + 1} to ${offset + lines.length}, newest first:`,
    ...lines,
    ...(isMore ? [`[There are more; go on with offset ${offset + lines.length}.]`] : []),
    ...(repository.isShallow && !isMore ? ["[This clone is shallow: older commits are not here.]"] : []),
  ].join("\n");
}

async function showWhole({ request, paths, git }: Question): Promise<string> {
  const [path = ""] = paths;
  return paged(await git(wholeCommand(request, path)), request, `${path} at ${request.revision ?? "HEAD"}`);
}

async function showChange(question: Question): Promise<string> {
  const { request, git } = question;
  const { allowed, withheld } = await sortOut(question);
  const command = request.action === "show" ? showCommand : diffCommand;
  const isNothingLeft = withheld.length > 0 && allowed.length === 0;
  const change = isNothingLeft ? "" : await git(command(request, allowed));
  const untracked = await untrackedNames(question);
  const title = request.action === "show" ? "" : titleOf(request);
  const empty = withheld.length > 0 ? "Nothing else changed." : "No differences.";
  const body = change.trim() === "" ? empty : change;
  return [
    paged(body, request, title),
    ...(withheld.length > 0 ? [withheldLine(withheld)] : []),
    ...(untracked.length > 0 ? [`Untracked: ${untracked.join(", ")}`] : []),
  ].join("\n");
}

function titleOf({ revision, isStaged }: GitRequest): string {
  if (isStaged) return `What is staged, against ${revision ?? "HEAD"}`;
  if (revision === undefined) return "What is not committed, staged or not, against HEAD";
  return revision.includes("..") ? `Changes ${revision}` : `The files as they are now, against ${revision}`;
}

/** The paths to ask for: as asked, unless one of the files must not be read; then all others by name. */
async function sortOut(
  question: Question,
): Promise<{ allowed: readonly string[]; withheld: readonly string[] }> {
  const { request, paths, git } = question;
  const names = [
    ...new Set((await git(namesCommand(request, paths))).split("\0").filter((name) => name !== "")),
  ];
  const withheld: string[] = [];
  for (const name of names) if (await refusal(name, question)) withheld.push(name);
  return withheld.length === 0
    ? { allowed: paths, withheld }
    : { allowed: names.filter((name) => !withheld.includes(name)), withheld };
}

const MOST_NAMES = 50;

function withheldLine(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
  return `[Withheld: ${names.slice(0, MOST_NAMES).join(", ")}${more}, which must not be read here.]`;
}

/** Git's diff says nothing of files that it does not know yet. */
async function untrackedNames({ request, repository, paths, git }: Question): Promise<readonly string[]> {
  const isOfNow = request.action === "diff" && request.revision === undefined && !request.isStaged;
  if (!isOfNow || repository.workTree === undefined) return [];
  const names = (await git(untrackedCommand(paths))).split("\0").filter((name) => name !== "");
  return names.length > MOST_NAMES
    ? [...names.slice(0, MOST_NAMES), `and ${names.length - MOST_NAMES} more`]
    : names;
}

async function showBlame({ request, paths, git }: Question): Promise<string> {
  const [path = ""] = paths;
  const revision = request.revision ?? "HEAD";
  const commit = (
    await git(commitCommand(request)).catch((error: unknown) => {
      if (error instanceof Error && !error.message.startsWith("git failed without a word")) throw error;
      throw new Error(
        `git knows no commit ${JSON.stringify(revision)} here, or there is none yet; log lists what there is.`,
        { cause: error },
      );
    })
  ).trim();
  return paged(await git(blameCommand(request, commit, path)), request, `${path} at ${revision}`);
}

function paged(text: string, { offset, limit }: GitRequest, title: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const first = Math.max(1, offset ?? 1);
  if (first > lines.length) return `There are only ${lines.length} lines; offset counts lines from 1.`;
  const maxLines = Math.min(limit ?? DEFAULT_MAX_LINES, DEFAULT_MAX_LINES);
  const rest = lines.slice(first - 1).join("\n");
  const { content, outputLines, firstLineExceedsLimit } = truncateHead(rest, {
    maxLines,
    maxBytes: DEFAULT_MAX_BYTES,
  });
  const last = first + outputLines - 1;
  const note = firstLineExceedsLimit
    ? [`[Line ${first} is longer than an answer may be; go on with offset ${first + 1}.]`]
    : last < lines.length
      ? [`[Lines ${first} to ${last} of ${lines.length}; go on with offset ${last + 1}.]`]
      : [];
  return [...(title === "" ? [] : [`${title}:`]), content, ...note].join("\n");
}

async function assertAllowed(path: string, question: Question): Promise<void> {
  const reason = await refusal(path, question);
  if (reason) throw new Error(reason);
}

async function refusal(path: string, { asker, repository }: Question): Promise<string | undefined> {
  return asker.refusesPath(join(repository.workTree ?? repository.cwd, ...path.split("/")));
}
