// One line an operation, one line each other entry, oldest first.

import type { Branch } from "../../core/branch.ts";
import type { Item } from "../../core/items.ts";
import type { ItemFilter } from "../../core/view.ts";
import { itemsIn } from "../../core/view.ts";
import { itemLine } from "./item-line.ts";
import { continuation, emptyNote, lostNote, paginate, rangeOf } from "./page.ts";
import type { Query } from "./query.ts";
import { count, runningClock } from "./wording.ts";

const USUAL_LINES = 100;

export function listItems(branch: Branch, query: Query, filter: ItemFilter): string {
  const { view } = query;
  // Model changes, usage, labels and their like tell an advisor nothing, unless it asks for them.
  const isHidden = ({ kind }: Item) => filter.kinds.length === 0 && kind === "bookkeeping";
  let hidden = 0;
  const listed = function* () {
    for (const item of itemsIn(branch, view, filter)) {
      if (isHidden(item)) hidden += 1;
      else yield item;
    }
  };
  const page = paginate(listed(), lineWriter(branch, view === "branch"), query, USUAL_LINES);
  const isFirst = page.first === 0;
  return [
    `${rangeOf(page, "Lines")}, view ${view}, oldest first, times in UTC.`,
    ...(isFirst && view !== "context" ? brokenChain(branch) : []),
    ...page.lines,
    ...continuation(page),
    ...emptyNote(page, query, branch, filter),
    ...lostNote(branch, query),
    ...(hidden > 0
      ? [
          `[Not listed: ${count(hidden, "bookkeeping entry", "bookkeeping entries")}; kinds ["bookkeeping"] lists them.]`,
        ]
      : []),
  ].join("\n");
}

export function brokenChain({ missingId }: Branch): string[] {
  return missingId === undefined
    ? []
    : [
        `The chain of entries is broken: entry ${missingId} is missing, and what came before it cannot be reached.`,
      ];
}

/** @param isDivided whether lines say on which side of the compaction they stand */
function lineWriter(branch: Branch, isDivided: boolean): (item: Item) => string {
  const time = runningClock();
  const hasLost = branch.items.some(({ isInContext }) => !isInContext);
  let side = "";
  return (item) => {
    const line = itemLine(item, branch, time(item.at));
    if (!isDivided || !hasLost) return line;
    const own = item.isInContext ? "--- in the executor's context" : "--- lost to compaction";
    if (own === side) return line;
    side = own;
    return `${own}\n${line}`;
  };
}
