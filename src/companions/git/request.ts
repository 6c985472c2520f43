// What the advisor may ask of git, read from arguments that a model made.

import { Type } from "@sinclair/typebox";

export const ACTIONS = ["log", "show", "diff", "blame"] as const;
export type Action = (typeof ACTIONS)[number];

export interface GitRequest {
  readonly action: Action;
  /** A commit, branch, tag or, for log and diff, a range; absent: HEAD, and for diff what is not committed. */
  readonly revision?: string;
  /** As the model wrote them, relative to the project's folder or absolute. */
  readonly paths: readonly string[];
  /** Whether changes are shown as lines; otherwise only which files changed, and by how much. */
  readonly isPatch: boolean;
  /** show: the one path's whole content at the revision. */
  readonly isWhole: boolean;
  /** diff: only what is staged. */
  readonly isStaged: boolean;
  /** log: only commits whose message holds this text. */
  readonly message?: string;
  /** log: only commits that add or take away this text. */
  readonly changes?: string;
  readonly since?: string;
  readonly until?: string;
  /** blame: first and last line. */
  readonly lines?: readonly [number, number];
  /** log: commits to pass over; others: the first line shown, from 1. */
  readonly offset?: number;
  /** log: most commits; others: most lines. */
  readonly limit?: number;
}

export const parameters = Type.Object({
  action: Type.Unsafe<Action>({ type: "string", enum: [...ACTIONS] }),
  revision: Type.Optional(
    Type.String({ description: "Commit, branch or tag; for log and diff also a range, a..b" }),
  ),
  paths: Type.Optional(Type.Array(Type.String(), { description: "Only these files or folders" })),
  patch: Type.Optional(
    Type.Boolean({ description: "show, diff: changed lines (default), or with false only files and counts" }),
  ),
  whole: Type.Optional(Type.Boolean({ description: "show: the one path as it was at the revision" })),
  staged: Type.Optional(Type.Boolean({ description: "diff: only what is staged" })),
  message: Type.Optional(Type.String({ description: "log: commits whose message holds this text" })),
  changes: Type.Optional(Type.String({ description: "log: commits that add or remove this text" })),
  since: Type.Optional(Type.String({ description: "log: a date" })),
  until: Type.Optional(Type.String({ description: "log: a date" })),
  lines: Type.Optional(Type.String({ description: 'blame: "first-last"' })),
  offset: Type.Optional(
    Type.Integer({ description: "log: commits to pass over; others: first line, from 1" }),
  ),
  limit: Type.Optional(Type.Integer({ description: "log: most commits; others: most lines" })),
});

/** Longer than any name, date or text that is looked for. */
const LONGEST = 1000;
const MOST_PATHS = 100;

/** @throws Error with a full sentence: what is wrong, what was found, what to do */
export function parseRequest(raw: unknown): GitRequest {
  const given: Readonly<Record<string, unknown>> = typeof raw === "object" && raw !== null ? { ...raw } : {};
  const action = ACTIONS.find((one) => one === given.action);
  if (!action) throw new Error(`"action" is ${found(given.action)}; it is one of ${ACTIONS.join(", ")}.`);
  const request: GitRequest = {
    action,
    paths: pathList(given.paths),
    isPatch: flag("patch", given.patch) ?? true,
    isWhole: flag("whole", given.whole) ?? false,
    isStaged: flag("staged", given.staged) ?? false,
    ...present("revision", revision(given.revision)),
    ...present("message", text("message", given.message)),
    ...present("changes", text("changes", given.changes)),
    ...present("since", text("since", given.since)),
    ...present("until", text("until", given.until)),
    ...present("lines", lineRange(given.lines)),
    ...present("offset", count("offset", given.offset)),
    ...present("limit", count("limit", given.limit)),
  };
  const [path] = request.paths;
  if (action === "blame" && (request.paths.length !== 1 || path === undefined))
    throw new Error('blame is of one file: give exactly one path in "paths".');
  if (request.isWhole && (action !== "show" || request.paths.length !== 1))
    throw new Error('"whole" shows one file as it was: use it with action "show" and exactly one path.');
  if (action === "blame" && request.revision?.includes(".."))
    throw new Error('blame is at one revision: give a commit, branch or tag in "revision", no range.');
  return request;
}

function revision(value: unknown): string | undefined {
  const given = text("revision", value)?.trim();
  if (given === undefined || given === "") return undefined;
  if (given.startsWith("-"))
    throw new Error(
      `"revision" is ${found(given)}; a revision begins with no dash. Give a commit, branch or tag.`,
    );
  if (/[\p{Cc}\s]/u.test(given) && !/[@^]\{[^}]*\}/.test(given))
    throw new Error(`"revision" is ${found(given)}; give one commit, branch, tag or range, without blanks.`);
  if (given.includes(":"))
    throw new Error(
      `"revision" is ${found(given)}; for a file of a revision give its path in "paths", with "whole": true.`,
    );
  return given;
}

function pathList(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  const list: unknown = typeof value === "string" ? [value] : value;
  if (!Array.isArray(list) || list.length > MOST_PATHS)
    throw new Error(`"paths" is ${found(list)}; it is a list of at most ${MOST_PATHS} paths.`);
  return list.map((one: unknown) => {
    if (typeof one !== "string" || one === "" || one.length > 4 * LONGEST || one.includes("\0"))
      throw new Error(`"paths" holds ${found(one)}; a path is the name of a file or folder.`);
    return one;
  });
}

function lineRange(value: unknown): readonly [number, number] | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const [, first, last] = /^\s*(\d{1,9})\s*(?:[-,]\s*(\d{1,9}))?\s*$/.exec(String(value)) ?? [];
  const range: [number, number] = [Number(first), Number(last ?? first)];
  if (first === undefined || range[0] < 1 || range[1] < range[0])
    throw new Error(`"lines" is ${found(value)}; give the first and the last line, such as "10-40".`);
  return range;
}

function text(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value !== "string" || value.length > LONGEST || value.includes("\0"))
    throw new Error(`"${name}" is ${found(value)}; it is a text of at most ${LONGEST} characters.`);
  return value;
}

function flag(name: string, value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "boolean") throw new Error(`"${name}" is ${found(value)}; it is true or false.`);
  return value;
}

function count(name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0)
    throw new Error(`"${name}" is ${found(value)}; it is a whole number of at least 0.`);
  return value;
}

function present<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  const one: Partial<Record<K, T>> = {};
  if (value !== undefined) one[key] = value;
  return one;
}

function found(value: unknown): string {
  const shown = JSON.stringify(value) ?? "missing";
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}
