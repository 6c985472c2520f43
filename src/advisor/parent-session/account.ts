// Counts that add up: every entry of the branch once, and every line that the list has.

import type { Branch, EntryCount } from "../../core/branch.ts";
import type { EntryKind, Item, ItemKind } from "../../core/items.ts";
import { ITEM_KINDS } from "../../core/items.ts";
import type { View } from "../../core/view.ts";
import { itemsIn } from "../../core/view.ts";
import { count, nameOf } from "./wording.ts";

const SHOWN_TOOLS = 30;
const LISTED_KINDS: readonly ItemKind[] = ITEM_KINDS.filter((kind) => kind !== "bookkeeping");
/** All but the withheld. */
const SHOWN_KINDS: readonly EntryKind[] = ITEM_KINDS.map((kind) => (kind === "operation" ? "result" : kind));
const NONE: EntryCount = { inContext: 0, lost: 0 };

/** `88 entries on the branch = 33 in context + 53 lost + 2 withheld`, with what the three are. */
export function totalLine(branch: Branch): string {
  const { inContext, lost } = SHOWN_KINDS.reduce(
    (sum, kind) => plus(sum, branch.counts.get(kind) ?? NONE),
    NONE,
  );
  const own = branch.counts.get("bookkeeping") ?? NONE;
  const withheld = branch.entries.length - inContext - lost;
  return (
    `${count(branch.entries.length, "entry", "entries")} on the branch = ${inContext} in context (the executor's model has them) ` +
    `+ ${lost} lost (compaction took them from it) + ${withheld} withheld; ${own.inContext + own.lost} are bookkeeping, which no model sees.`
  );
}

export function countLines(branch: Branch): string[] {
  const lines = lineCounts(branch);
  const hasLost = [...branch.counts.values()].some(({ lost }) => lost > 0);
  const pair = ({ inContext, lost }: EntryCount) => (hasLost ? `${inContext}+${lost}` : String(inContext));
  const words = (counts: ReadonlyMap<string, EntryCount>, kinds: readonly string[]) => {
    const known = kinds.flatMap((kind) => {
      const one = counts.get(kind);
      return one ? [{ kind, ...one }] : [];
    });
    const total = known.reduce((sum, one) => plus(sum, one), NONE);
    return `${pair(total)}${known.length > 0 ? ` = ${known.map((one) => `${one.kind} ${pair(one)}`).join(", ")}` : ""}.`;
  };
  return [
    `Entries${hasLost ? ", in context+lost" : ""}: ${words(branch.counts, SHOWN_KINDS)}`,
    `Lines of the list (call and result joined; no bookkeeping, no assistant message without text): ${words(lines, LISTED_KINDS)}`,
  ];
}

function lineCounts(branch: Branch): Map<string, EntryCount> {
  const lines = new Map<string, EntryCount>();
  const add = (view: View, one: EntryCount) => {
    for (const { kind } of itemsIn(branch, view, { kinds: [], isErrorsOnly: false }))
      lines.set(kind, plus(lines.get(kind) ?? NONE, one));
  };
  add("context", { inContext: 1, lost: 0 });
  add("lost", { inContext: 0, lost: 1 });
  return lines;
}

function plus(a: EntryCount, b: EntryCount): EntryCount {
  return { inContext: a.inContext + b.inContext, lost: a.lost + b.lost };
}

export function toolLines(items: readonly Item[]): string[] {
  const tools = new Map<string, { calls: number; errors: number; open: number }>();
  for (const item of items) {
    if (item.kind !== "operation") continue;
    const { calls, errors, open } = tools.get(item.tool) ?? { calls: 0, errors: 0, open: 0 };
    tools.set(item.tool, {
      calls: calls + 1,
      errors: errors + (item.result?.isMarkedError ? 1 : 0),
      open: open + (item.result ? 0 : 1),
    });
  }
  if (tools.size === 0) return [];
  const words = [...tools].slice(0, SHOWN_TOOLS).map(([name, { calls, errors, open }]) => {
    const marks = [
      ...(errors > 0 ? [`${errors} error`] : []),
      ...(open > 0 ? [`${open} without a result`] : []),
    ];
    return `${nameOf(name)} ${calls}${marks.length > 0 ? ` (${marks.join(", ")})` : ""}`;
  });
  const more = tools.size > SHOWN_TOOLS ? `, and ${tools.size - SHOWN_TOOLS} further tools` : "";
  return [`Operations by tool: ${words.join(", ")}${more}.`];
}

export function withheldLine({ counts }: Branch): string {
  const sum = (kind: EntryKind) => {
    const { inContext, lost } = counts.get(kind) ?? NONE;
    return inContext + lost;
  };
  const [system, shells, bodies] = [sum("system_message"), sum("private_shell_run"), sum("custom_message")];
  const entries = [
    ...(system > 0 ? [count(system, "system message")] : []),
    ...(shells > 0 ? [count(shells, "private shell run")] : []),
  ];
  const inside = [
    ...(bodies > 0 ? [count(bodies, "body of a custom message", "bodies of custom messages")] : []),
    "thinking, tool details, data of custom entries",
  ];
  return (
    `Withheld entries: ${entries.join(", ") || "none"}. ` +
    `Withheld inside others: ${inside.join(", ")}. What is off this branch is not counted.`
  );
}
