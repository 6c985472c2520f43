// The fixed argument lists of git, one for each thing that can be asked.

import type { GitRequest } from "./request.ts";

const USUAL_COMMITS = 20;
const MOST_COMMITS = 200;

/** Nothing of the repository's configuration has a say in what is shown. */
const PLAIN: readonly string[] = ["--no-color", "--no-ext-diff", "--no-textconv"];
const CHANGES: readonly string[] = [
  ...PLAIN,
  "--unified=3",
  "--submodule=short",
  // A submodule's own configuration would have its say if git looked at its files.
  "--ignore-submodules=dirty",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];
const COMMITS: readonly string[] = [
  "--no-show-signature",
  "--no-notes",
  "--no-mailmap",
  "--encoding=UTF-8",
  "--date=iso-strict",
];

/** @param paths as git wants them */
export function logCommand(request: GitRequest, paths: readonly string[]): string[] {
  const { revision = "HEAD", offset = 0, message, changes, since, until } = request;
  return [
    "log",
    ...PLAIN,
    ...COMMITS,
    "--no-patch",
    "--decorate=short",
    "--format=%h %ad %an%d: %s",
    `--max-count=${commitsOf(request) + 1}`,
    `--skip=${offset}`,
    "--fixed-strings",
    "--regexp-ignore-case",
    ...(message === undefined ? [] : [`--grep=${message}`]),
    ...(changes === undefined ? [] : [`-S${changes}`]),
    ...(since === undefined ? [] : [`--since=${since}`]),
    ...(until === undefined ? [] : [`--until=${until}`]),
    "--end-of-options",
    revision,
    "--",
    ...paths,
  ];
}

export function commitsOf({ limit }: GitRequest): number {
  return Math.min(limit ?? USUAL_COMMITS, MOST_COMMITS);
}

export function showCommand(request: GitRequest, paths: readonly string[]): string[] {
  return [
    "show",
    ...CHANGES,
    ...COMMITS,
    ...changeForm(request),
    "--decorate=short",
    // Indented, so that no line of a message can pass for a line of the change.
    "--format=commit %H%d%nparents %p%nauthor %an <%ae> %ad%ncommitter %cn %cd%n%n%w(0,4,4)%B",
    "--end-of-options",
    request.revision ?? "HEAD",
    "--",
    ...paths,
  ];
}

export function wholeCommand({ revision = "HEAD" }: GitRequest, path: string): string[] {
  return ["show", ...PLAIN, "--end-of-options", `${revision}:${path}`];
}

export function diffCommand(request: GitRequest, paths: readonly string[]): string[] {
  const revision = request.revision ?? "HEAD";
  return [
    "diff",
    ...CHANGES,
    ...changeForm(request),
    ...(request.isStaged ? ["--cached"] : []),
    "--end-of-options",
    revision,
    "--",
    ...paths,
  ];
}

/** Which files the same question is about, both names of one that was renamed. */
export function namesCommand(request: GitRequest, paths: readonly string[]): string[] {
  const names = ["--name-only", "-z", "--no-renames"];
  const command = request.action === "show" ? showCommand(request, paths) : diffCommand(request, paths);
  const [action = "", ...rest] = command.filter(
    (argument) => !/^--(format|stat|patch|decorate)\b/.test(argument),
  );
  return [action, ...names, ...(action === "show" ? ["--format="] : []), ...rest];
}

export function untrackedCommand(paths: readonly string[]): string[] {
  return ["ls-files", "--others", "--exclude-standard", "-z", "--", ...paths];
}

export function commitCommand({ revision = "HEAD" }: GitRequest): string[] {
  return ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
}

/** @param commit a whole hash: blame has no mark for the end of options */
export function blameCommand({ lines }: GitRequest, commit: string, path: string): string[] {
  return [
    "blame",
    "--no-textconv",
    "--date=iso-strict",
    ...(lines ? [`-L${lines[0]},${lines[1]}`] : []),
    commit,
    "--",
    path,
  ];
}

function changeForm({ isPatch }: GitRequest): string[] {
  return [isPatch ? "--patch" : "--stat=160,120"];
}
