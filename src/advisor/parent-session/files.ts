// Which files the executor touched with its own file tools, and so which it never opened.

import { isAbsolute, relative, resolve } from "node:path";
import type { Branch, Operation } from "../../core/branch.ts";
import type { ItemFilter } from "../../core/view.ts";
import { itemsIn } from "../../core/view.ts";
import { continuation, paginate, rangeOf } from "./page.ts";
import type { Query } from "./query.ts";
import { clock } from "./wording.ts";

const USUAL_LINES = 100;
/** More ids than this help nobody; the list by tool gives all of them. */
const SHOWN_IDS = 8;

const FILE_TOOLS = { read: "read", edit: "edited", write: "written" } as const;
type Deed = (typeof FILE_TOOLS)[keyof typeof FILE_TOOLS];

interface FileUse {
  readonly path: string;
  readonly deeds: Map<Deed, Operation[]>;
  first: string;
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
    `Files ${rangeOf(page)}, view ${query.view}, in order of first use, named by the executor's read, edit and write calls. ` +
      "Files that only a shell command touched are not here; failed calls are counted too.",
    ...page.lines,
    ...continuation(page),
  ].join("\n");
}

function fileLine(use: FileUse): string {
  const deeds = [...use.deeds].map(([deed, calls]) => {
    const failures = calls.filter((call) => call.result?.isMarkedError).length;
    const ids = calls.slice(0, SHOWN_IDS).map((call) => call.entryId);
    const more = calls.length > SHOWN_IDS ? `, ${calls.length - SHOWN_IDS} more` : "";
    return `${deed} ${calls.length}×${failures > 0 ? ` (${failures} failed)` : ""} [${ids.join(" ")}${more}]`;
  });
  const span = use.first === use.last ? clock(use.first) : `${clock(use.first)} to ${clock(use.last)}`;
  return `${use.path} | ${deeds.join(", ")} | ${span}`;
}

function deedOf(tool: string): Deed | undefined {
  return tool === "read" || tool === "edit" || tool === "write" ? FILE_TOOLS[tool] : undefined;
}

function pathOf(item: Operation): string | undefined {
  const raw = item.call?.arguments;
  if (typeof raw !== "object" || raw === null) return undefined;
  const named = "path" in raw ? raw.path : "file_path" in raw ? raw.file_path : undefined;
  return typeof named === "string" && named !== "" ? named : undefined;
}

/** One file under one name: relative inside the parent's folder, absolute outside of it. */
function displayPath(path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  const inside = relative(cwd, absolute);
  const shown = inside === "" || inside.startsWith("..") || isAbsolute(inside) ? absolute : inside;
  return shown
    .replaceAll("\\", "/")
    .replace(/\p{Cc}/gu, "�")
    .slice(0, 1000);
}
