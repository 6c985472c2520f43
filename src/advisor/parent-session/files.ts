// Which files the executor touched with its own file tools, and so which it never opened.

import { posix, win32 } from "node:path";
import type { Branch } from "../../core/branch.ts";
import type { Operation } from "../../core/items.ts";
import type { ItemFilter } from "../../core/view.ts";
import { itemsIn } from "../../core/view.ts";
import type { PathHost } from "../tool-path.ts";
import { thisHost, toolPaths } from "../tool-path.ts";
import { continuation, emptyNote, lostNote, paginate, rangeOf } from "./page.ts";
import type { Query } from "./query.ts";
import { clock } from "./wording.ts";

const USUAL_LINES = 100;
/** More ids than this help nobody; the list by tool gives all of them. */
const SHOWN_IDS = 8;
const PATH_LENGTH = 1000;

const DEEDS = { read: "read", edit: "edited", write: "written" } as const;
type Deed = (typeof DEEDS)[keyof typeof DEEDS];

interface FileUse {
  readonly path: string;
  readonly deeds: Map<Deed, Operation[]>;
  readonly first: string;
  last: string;
}

export function listFiles(branch: Branch, query: Query, filter: ItemFilter, cwd: string): string {
  const files = new Map<string, FileUse>();
  for (const item of itemsIn(branch, query.view, filter)) {
    if (item.kind !== "operation") continue;
    const deed = deedOf(item.tool);
    const path = pathOf(item);
    if (!deed || path === undefined) continue;
    const shown = displayPath(path, cwd);
    const use = files.get(shown) ?? { path: shown, deeds: new Map(), first: item.at, last: item.at };
    use.deeds.set(deed, [...(use.deeds.get(deed) ?? []), item]);
    use.last = item.at;
    files.set(shown, use);
  }
  const page = paginate(files.values(), fileLine, query, USUAL_LINES);
  return [
    `${rangeOf(page, "Files")}, view ${query.view}, in order of first use, times in UTC. What the executor's read, edit and write calls ` +
      "named, those marked as errors included; files that only a shell command touched are not here.",
    ...page.lines,
    ...continuation(page),
    ...emptyNote(page, query, branch, filter),
    ...lostNote(branch, query),
  ].join("\n");
}

function fileLine(use: FileUse): string {
  const deeds = [...use.deeds].map(([deed, calls]) => {
    const errors = calls.filter((call) => call.result?.isMarkedError).length;
    const ids = [...new Set(calls.map((call) => call.entryId))];
    const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : "";
    return `${deed} ${calls.length}×${errors > 0 ? ` (${errors} error)` : ""} [${ids.slice(0, SHOWN_IDS).join(" ")}${more}]`;
  });
  return `${use.path}: ${deeds.join(", ")}, ${spanOf(use)}`;
}

function spanOf({ first, last }: FileUse): string {
  const [from, to] = [clock(first), clock(last)];
  if (from === to) return from;
  return `${from} to ${from.slice(0, 10) === to.slice(0, 10) ? to.slice(11) : to}`;
}

function deedOf(tool: string): Deed | undefined {
  return tool === "read" || tool === "edit" || tool === "write" ? DEEDS[tool] : undefined;
}

function pathOf(item: Operation): string | undefined {
  const raw = item.call?.arguments;
  if (typeof raw !== "object" || raw === null) return undefined;
  const named = "path" in raw ? raw.path : "file_path" in raw ? raw.file_path : undefined;
  return typeof named === "string" && named !== "" ? named : undefined;
}

/** One file under one name: relative inside the parent's folder, absolute outside of it; always with slashes. */
export function displayPath(path: string, cwd: string, host: PathHost = thisHost()): string {
  const { isAbsolute, relative, sep } = host.isWindows ? win32 : posix;
  const [absolute = path] = toolPaths(path, cwd, host);
  const inside = relative(cwd, absolute);
  const isInside = inside !== "" && inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
  return (isInside ? inside : absolute)
    .split(sep)
    .join("/")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, "�")
    .slice(0, PATH_LENGTH);
}
