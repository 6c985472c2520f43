// One line an operation, one line each other entry, oldest first.

import type { Branch } from "../../core/branch.ts";
import type { ItemFilter } from "../../core/view.ts";
import { isInView, itemsIn } from "../../core/view.ts";
import { continuation, paginate, rangeOf } from "./page.ts";
import type { Query } from "./query.ts";
import { count, itemLine, MARK_NOTE } from "./wording.ts";

const USUAL_LINES = 100;

export function listItems(branch: Branch, query: Query, filter: ItemFilter): string {
  // Model changes, usage, labels and their like tell an advisor nothing, unless it asks for them.
  const isHidden = (kind: string) => filter.kinds.length === 0 && kind === "bookkeeping";
  let hidden = 0;
  for (const item of branch.items) if (isHidden(item.kind) && isInView(item, query.view)) hidden += 1;

  const listed = function* () {
    for (const item of itemsIn(branch, query.view, filter)) if (!isHidden(item.kind)) yield item;
  };
  const page = paginate(listed(), (item) => itemLine(item, branch), query, USUAL_LINES);
  return [
    `Lines ${rangeOf(page)}, view ${query.view}, oldest first, times in UTC. One line is an operation ` +
      `([call entry→result entry] time tool mark size | arguments | end of the result) or another entry. ${MARK_NOTE}`,
    ...page.lines,
    ...continuation(page),
    ...(hidden > 0
      ? [
          `[${count(hidden, "bookkeeping entry", "bookkeeping entries")} not listed; kinds: ["bookkeeping"] lists them.]`,
        ]
      : []),
  ].join("\n");
}
