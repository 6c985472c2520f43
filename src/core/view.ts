// The three ways to look at the pinned branch, and the filters that narrow any of them.

import type { Branch, Item, ItemKind } from "./branch.ts";

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

export function isInView(item: Item, view: View): boolean {
  return view === "branch" || item.isInContext === (view === "context");
}

export function* itemsIn(branch: Branch, view: View, filter: ItemFilter): Generator<Item> {
  for (const item of branch.items) {
    if (isInView(item, view) && passes(item, branch, filter)) yield item;
  }
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
