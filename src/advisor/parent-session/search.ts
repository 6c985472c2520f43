// Plain-text search, ignoring case, over exactly the text that get would show.

import type { Branch, Item } from "../../core/branch.ts";
import type { Evidence } from "../../core/evidence.ts";
import { evidenceOf } from "../../core/evidence.ts";
import { firstWords } from "../../core/naming.ts";
import type { ItemFilter } from "../../core/view.ts";
import { itemsIn } from "../../core/view.ts";
import { continuation, paginate, rangeOf } from "./page.ts";
import type { Query } from "./query.ts";
import { clock, count, labelOf } from "./wording.ts";

const USUAL_ENTRIES = 30;
const SHOWN_HITS = 3;
/** Characters on either side of a hit. */
const EXCERPT_REACH = 70;

interface Found {
  readonly item: Item;
  readonly entryId: string;
  readonly hits: number;
  readonly shown: readonly { readonly evidence: Evidence; readonly at: number; readonly length: number }[];
}

export function searchItems(branch: Branch, query: Query, filter: ItemFilter): string {
  const wanted = new RegExp(escapeRegExp(query.query ?? ""), "giu");
  let hits = 0;
  const found = function* () {
    for (const item of itemsIn(branch, query.view, filter)) {
      for (const one of searchItem(item, branch, wanted)) {
        hits += one.hits;
        yield one;
      }
    }
  };
  const page = paginate(found(), foundLines, query, USUAL_ENTRIES);
  return [
    `Entries with hits ${rangeOf(page)}, ${count(hits, "hit")} in all, view ${query.view}, oldest first. ` +
      `Plain text, case ignored; up to ${SHOWN_HITS} hits shown per entry as part:line:column excerpt.`,
    ...page.lines,
    ...continuation(page),
    ...(page.total === 0 && query.view !== "branch"
      ? ['[Nothing in this view; view "branch" has everything.]']
      : []),
  ].join("\n");
}

/** A call and its result are two entries, so their hits are two findings. */
function searchItem(item: Item, branch: Branch, wanted: RegExp): Found[] {
  const byEntry = new Map<string, { hits: number; shown: Found["shown"][number][] }>();
  for (const evidence of evidenceOf(item, branch)) {
    wanted.lastIndex = 0;
    for (let hit = wanted.exec(evidence.text); hit; hit = wanted.exec(evidence.text)) {
      const own = byEntry.get(evidence.entryId) ?? { hits: 0, shown: [] };
      own.hits += 1;
      if (own.shown.length < SHOWN_HITS) own.shown.push({ evidence, at: hit.index, length: hit[0].length });
      byEntry.set(evidence.entryId, own);
    }
  }
  return [...byEntry].map(([entryId, own]) => ({ item, entryId, ...own }));
}

function foundLines({ item, entryId, hits, shown }: Found): string {
  const what =
    item.kind === "operation"
      ? `${item.tool} ${entryId === item.entryId ? "call" : "result"}`
      : labelOf(item);
  const lines = shown.map(({ evidence, at, length }) => {
    const { line, column } = position(evidence.text, at);
    return `  ${evidence.where}:${line}:${column} ${excerpt(evidence.text, at, length)}`;
  });
  return [`[${entryId}] ${clock(item.at)} ${what}, ${count(hits, "hit")}`, ...lines].join("\n");
}

function excerpt(text: string, at: number, length: number): string {
  const from = Math.max(0, at - EXCERPT_REACH);
  const to = Math.min(text.length, at + Math.min(length, EXCERPT_REACH) + EXCERPT_REACH);
  const words = firstWords(text.slice(from, to), 4 * EXCERPT_REACH);
  return `${from > 0 ? "…" : ""}${words}${to < text.length && !words.endsWith("…") ? "…" : ""}`;
}

function position(text: string, at: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}

function escapeRegExp(plain: string): string {
  return plain.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
