// Plain-text search, ignoring case, over exactly the text that get would show.

import type { Branch } from "../../core/branch.ts";
import type { Evidence } from "../../core/evidence.ts";
import { evidenceOf } from "../../core/evidence.ts";
import type { Item } from "../../core/items.ts";
import { firstWords } from "../../core/naming.ts";
import type { ItemFilter } from "../../core/view.ts";
import { itemsIn } from "../../core/view.ts";
import { callWords } from "./call-words.ts";
import { continuation, emptyNote, lostNote, paginate, rangeOf } from "./page.ts";
import type { Query } from "./query.ts";
import { count, labelOf, nameOf, runningClock } from "./wording.ts";

const USUAL_ENTRIES = 30;
const SHOWN_HITS = 3;
/** Characters on either side of a hit. */
const EXCERPT_REACH = 70;
/** Enough to recognise the command or the file that a result belongs to. */
const CALL_LENGTH = 60;

interface Hit {
  readonly evidence: Evidence;
  readonly at: number;
  readonly length: number;
}

interface Found {
  readonly item: Item;
  readonly entryId: string;
  readonly hits: number;
  readonly shown: readonly Hit[];
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
  const time = runningClock();
  const page = paginate(found(), (one) => foundLines(one, time(one.item.at)), query, USUAL_ENTRIES);
  return [
    `${rangeOf(page, "Entries with hits")}, ${count(hits, "hit")} in all, view ${query.view}, oldest first, times in UTC. ` +
      `Plain text, case ignored. line:column is where get has it; at most ${SHOWN_HITS} hits of an entry are shown.`,
    ...page.lines,
    ...continuation(page),
    ...emptyNote(page, query, branch, filter),
    ...lostNote(branch, query),
  ].join("\n");
}

/** A call and its result are two entries, so their hits are two findings. */
function searchItem(item: Item, branch: Branch, wanted: RegExp): Found[] {
  const byEntry = new Map<string, { hits: number; shown: Hit[] }>();
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

/** One line for one hit, a line each for more. */
function foundLines({ item, entryId, hits, shown }: Found, time: string): string {
  const head = `[${entryId}] ${time}${describe(item, entryId)}`;
  const lines = shown.map(({ evidence, at, length }) => {
    return `${placeOf(evidence, at)} ${excerpt(evidence.text, at, length)}`;
  });
  return hits === 1
    ? `${head}, ${lines.join("")}`
    : [`${head}, ${count(hits, "hit")}:`, ...lines].join("\n  ");
}

function describe(item: Item, entryId: string): string {
  if (item.kind !== "operation") return labelOf(item);
  const tool = nameOf(item.tool);
  if (entryId === item.entryId && item.call) return `${tool} call`;
  return `${tool} result${item.call ? ` (${callWords(item.call, CALL_LENGTH)})` : ""}`;
}

/** An argument by its name, text by line and column. */
function placeOf({ where, text, firstLine }: Evidence, at: number): string {
  if (firstLine === undefined) return `${nameOf(where)}:`;
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  let line = firstLine;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", end + 1)) line += 1;
  return `${line}:${at - lineStart + 1}`;
}

function excerpt(text: string, at: number, length: number): string {
  const from = Math.max(0, at - EXCERPT_REACH);
  const to = Math.min(text.length, at + Math.min(length, EXCERPT_REACH) + EXCERPT_REACH);
  const words = firstWords(text.slice(from, to), 4 * EXCERPT_REACH);
  return `${from > 0 ? "…" : ""}${words}${to < text.length && !words.endsWith("…") ? "…" : ""}`;
}

function escapeRegExp(plain: string): string {
  return plain.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
