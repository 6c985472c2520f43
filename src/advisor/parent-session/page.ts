// One answer is one page: so many lines, never more than Pi's own limit on tool output, and the
// last line says what was left out and how to go on.

import { DEFAULT_MAX_BYTES } from "@mariozechner/pi-coding-agent";
import type { Branch } from "../../core/branch.ts";
import type { ItemFilter } from "../../core/view.ts";
import { itemsIn } from "../../core/view.ts";
import type { Query } from "./query.ts";
import { count, nameOf } from "./wording.ts";

export interface Page {
  readonly lines: readonly string[];
  readonly total: number;
  readonly first: number;
  /** Offset of the next page; absent when this one reaches the end. */
  readonly next?: number;
}

/** Room for the heading and the closing line within Pi's limit. */
const PAGE_BYTES = DEFAULT_MAX_BYTES - 4096;

const SHOWN_TOOLS = 20;

/** Counts all items, formats only those on the page. */
export function paginate<T>(
  items: Iterable<T>,
  line: (item: T) => string,
  range: { offset: number | undefined; limit: number | undefined },
  usualLimit: number,
): Page {
  const first = range.offset ?? 0;
  const limit = range.limit ?? usualLimit;
  const lines: string[] = [];
  let bytes = 0;
  let isFull = false;
  let total = 0;
  for (const item of items) {
    if (total >= first && !isFull && lines.length < limit) {
      const next = line(item);
      bytes += Buffer.byteLength(next) + 1;
      // The first line goes in whatever its size, or paging would stand still.
      if (bytes > PAGE_BYTES && lines.length > 0) isFull = true;
      else lines.push(next);
    }
    total += 1;
  }
  const end = first + lines.length;
  return { lines, total, first, ...(end < total && lines.length > 0 ? { next: end } : {}) };
}

/** `Lines 3-7 of 20`, or what there is instead. */
export function rangeOf(page: Page, lines: string): string {
  if (page.total === 0) return `${lines}: none`;
  if (page.lines.length === 0)
    return `${lines}: none at offset ${page.first}, because there are only ${page.total}; offset counts from 0`;
  return `${lines} ${page.first + 1}-${page.first + page.lines.length} of ${page.total}`;
}

export function continuation(page: Page): string[] {
  return page.next === undefined
    ? []
    : [`[${page.total - page.next} more: the same call with offset ${page.next}.]`];
}

/** Whether there is something elsewhere when nothing was here. */
export function emptyNote(page: Page, { view, action }: Query, branch: Branch, filter: ItemFilter): string[] {
  if (page.total > 0) return [];
  const { tool } = filter;
  const tools = new Set(branch.items.flatMap((item) => (item.kind === "operation" ? [item.tool] : [])));
  if (tool !== undefined && !tools.has(tool)) {
    const known = [...tools].slice(0, SHOWN_TOOLS).map(nameOf).join(", ");
    return [`[No operation of ${nameOf(tool)} in this session; its tools are ${known || "none"}.]`];
  }
  if (view === "branch") return ["[Nothing on the whole branch.]"];
  if (action === "search") return ['[Nothing in this view; view "branch" looks through everything.]'];
  const elsewhere = [...itemsIn(branch, "branch", filter)].length;
  return [`[Nothing in this view; with these filters the whole branch has ${elsewhere}.]`];
}

/** After a compaction the default view is not the whole story. */
export function lostNote(branch: Branch, { view }: Pick<Query, "view">): string[] {
  if (view !== "context") return [];
  const lost = branch.items.filter(({ isInContext, kind }) => !isInContext && kind !== "bookkeeping").length;
  return lost === 0
    ? []
    : [`[Not in this view: ${count(lost, "line")} that compaction took; view "branch" has all.]`];
}
