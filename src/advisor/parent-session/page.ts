// One answer is one page: so many lines, never more than Pi's own limit on tool output, and the
// last line says what was left out and how to go on.

import { DEFAULT_MAX_BYTES } from "@mariozechner/pi-coding-agent";
import type { Query } from "./query.ts";

export interface Page {
  readonly lines: readonly string[];
  readonly total: number;
  readonly first: number;
  /** Offset of the next page; absent when this one reaches the end. */
  readonly next?: number;
}

/** Room for the heading and the closing line within Pi's limit. */
const PAGE_BYTES = DEFAULT_MAX_BYTES - 4096;

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

/** What to try when nothing was there at all. */
export function emptyNote({ total }: Page, { view, filter }: Pick<Query, "view" | "filter">): string[] {
  if (total > 0) return [];
  const { kinds, tool, isErrorsOnly, after, before } = filter;
  const isNarrowed =
    kinds.length > 0 || isErrorsOnly || [tool, after, before].some((one) => one !== undefined);
  const where = view === "branch" ? "on the whole branch" : 'in this view; view "branch" has everything';
  return [isNarrowed ? `[Nothing that passes the filters ${where}.]` : `[Nothing ${where}.]`];
}
