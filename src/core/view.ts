// The three ways to look at the pinned branch, and the filters that narrow any of them.

import type { Branch } from "./branch.ts";
import type { Item, ItemKind, Place } from "./items.ts";

/** What the executor's model sees, the whole branch, or what the branch has and the model no longer has. */
export const VIEWS = ["context", "branch", "lost"] as const;
export type View = (typeof VIEWS)[number];

export interface ItemFilter {
  /** Empty: every kind. */
  readonly kinds: readonly ItemKind[];
  readonly tool?: string;
  readonly isErrorsOnly: boolean;
  /** Places on the branch, both exclusive. */
  readonly after?: number;
  readonly before?: number;
}

/** What a view shows of an item: all of it, nothing, or the half that a compaction left on its side. */
function shownIn(view: View, item: Item): Item | undefined {
  const isShown = (at: Place) => view === "branch" || at.isInContext === (view === "context");
  if (item.kind !== "operation" || !item.result || isShown(item) === isShown(item.result))
    return isShown(item) ? item : undefined;
  const { call, result, ...operation } = item;
  if (isShown(item)) return { ...operation, ...(call ? { call } : {}), otherHalf: result.entryId };
  const { place, entryId, at, isInContext } = result;
  return { ...operation, place, entryId, at, isInContext, result, otherHalf: item.entryId };
}

/** In the order of their places. */
export function* itemsIn(branch: Branch, view: View, filter: ItemFilter): Generator<Item> {
  // A result without its call stands where the result stands, later than the item that it is half of.
  const late: Item[] = [];
  for (const item of branch.items) {
    while (late[0] && late[0].place < item.place) yield* late.splice(0, 1);
    const shown = shownIn(view, item);
    if (!shown || !passes(shown, branch, filter)) continue;
    if (shown.place === item.place) yield shown;
    else late.splice(0, late.length, ...[...late, shown].sort((a, b) => a.place - b.place));
  }
  yield* late;
}

function passes(item: Item, branch: Branch, filter: ItemFilter): boolean {
  if (filter.kinds.length > 0 && !filter.kinds.includes(item.kind)) return false;
  if (filter.tool !== undefined && !(item.kind === "operation" && item.tool === filter.tool)) return false;
  // A result may lie beyond a limit that its call respects; the item stands where its call stands.
  if (filter.after !== undefined && item.place <= filter.after) return false;
  if (filter.before !== undefined && item.place >= filter.before) return false;
  return !filter.isErrorsOnly || isMarkedError(item, branch);
}

export function isMarkedError(item: Item, branch: Branch): boolean {
  if (item.kind === "operation") return item.result?.isMarkedError === true;
  if (item.kind === "assistant") return branch.contentsOf(item.entry).fault !== undefined;
  if (item.kind !== "shell" || item.entry.type !== "message" || item.entry.message.role !== "bashExecution")
    return false;
  const { exitCode, cancelled } = item.entry.message;
  return cancelled || (exitCode !== undefined && exitCode !== 0);
}
