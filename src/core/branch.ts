// The pinned branch, read once, oldest first: every entry becomes an item of evidence or is counted
// as withheld. A call and its result are one item, because that is how a reader thinks of them.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import type { Contents, ToolCall } from "./contents.ts";
import { readContents } from "./contents.ts";

export type { SessionEntry };

export const ITEM_KINDS = [
  "user",
  "assistant",
  "operation",
  "shell",
  "compaction",
  "branch_summary",
  "custom_message",
  "bookkeeping",
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

interface Place {
  /** Position on the branch, 0 at the root. An operation stands where its call stands. */
  readonly place: number;
  readonly entryId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Whether the executor's model still sees it at the pin. */
  readonly isInContext: boolean;
}

export interface OperationResult extends Place {
  readonly entry: SessionEntry;
  /** Pi's error mark. A mark, not a verdict: a pipe hides an exit code, a search without a hit sets it. */
  readonly isMarkedError: boolean;
}

export interface Operation extends Place {
  readonly kind: "operation";
  readonly callId: string;
  readonly tool: string;
  /** Absent when the call itself is not on the branch or was replaced by a context edit. */
  readonly call?: ToolCall;
  /** Absent when the call had not returned at the pin. */
  readonly result?: OperationResult;
}

export interface OtherItem extends Place {
  readonly kind: Exclude<ItemKind, "operation">;
  readonly entry: SessionEntry;
}

export type Item = Operation | OtherItem;

export interface Withheld {
  readonly systemMessages: number;
  readonly privateShellRuns: number;
}

export interface Branch {
  readonly entries: readonly SessionEntry[];
  readonly items: readonly Item[];
  readonly withheld: Withheld;
  /** Entries that the executor's model still has, withheld ones not counted. */
  readonly entriesInContext: number;
  /** The parent id that no entry answers to, when the chain to the root is broken. */
  readonly missingParentId?: string;
  placeOf(entryId: string): number | undefined;
  itemsOf(entryId: string): readonly Item[];
  operation(callId: string): Operation | undefined;
  /** The content of an entry as the executor has it, context edits applied. */
  contentsOf(entry: SessionEntry): Contents;
}

/** @param entries the path from the root to the pinned leaf */
export function readBranch(entries: readonly SessionEntry[]): Branch {
  const edits = new Map<string, Extract<SessionEntry, { type: "context_edit" }>>();
  for (const entry of entries) if (entry.type === "context_edit") edits.set(entry.targetId, entry);
  const contentsOf = (entry: SessionEntry) => readContents(entry, edits.get(entry.id));

  const isInContext = contextTest(entries);
  const items: Item[] = [];
  const byEntry = new Map<string, Item[]>();
  const byCall = new Map<string, number>();
  const places = new Map<string, number>();
  const withheld = { systemMessages: 0, privateShellRuns: 0 };
  let entriesInContext = 0;

  const put = (entryId: string, item: Item) => {
    const own = byEntry.get(entryId);
    if (own) own.push(item);
    else byEntry.set(entryId, [item]);
  };

  entries.forEach((entry, place) => {
    places.set(entry.id, place);
    const at: Place = { place, entryId: entry.id, at: entry.timestamp, isInContext: isInContext(place) };
    const kind = kindOf(entry);
    if (kind === "system" || kind === "private_shell") {
      withheld[kind === "system" ? "systemMessages" : "privateShellRuns"] += 1;
      return;
    }
    if (at.isInContext) entriesInContext += 1;

    if (kind === "result") {
      const { callId, tool, isMarkedError } = resultOf(entry);
      const result: OperationResult = { ...at, entry, isMarkedError };
      const index = byCall.get(callId);
      const open = index === undefined ? undefined : items[index];
      // A second result under one call id is a broken provider's doing; the first keeps its call.
      if (index !== undefined && open?.kind === "operation" && !open.result) {
        const joined: Operation = { ...open, result, isInContext: open.isInContext || at.isInContext };
        items[index] = joined;
        const siblings = byEntry.get(open.entryId) ?? [];
        siblings[siblings.indexOf(open)] = joined;
        put(entry.id, joined);
        return;
      }
      const orphan: Operation = { ...at, kind: "operation", callId, tool, result };
      if (!byCall.has(callId)) byCall.set(callId, items.length);
      items.push(orphan);
      put(entry.id, orphan);
      return;
    }

    const calls = kind === "assistant" ? contentsOf(entry).calls : [];
    const hasOwnLine = kind !== "assistant" || calls.length === 0 || contentsOf(entry).texts.length > 0;
    if (hasOwnLine) {
      const item: OtherItem = { ...at, kind, entry };
      items.push(item);
      put(entry.id, item);
    }
    for (const call of calls) {
      const item: Operation = { ...at, kind: "operation", callId: call.id, tool: call.name, call };
      if (!byCall.has(call.id)) byCall.set(call.id, items.length);
      items.push(item);
      put(entry.id, item);
    }
  });

  const missingParentId = entries[0]?.parentId;
  return {
    entries,
    items,
    withheld,
    entriesInContext,
    ...(missingParentId ? { missingParentId } : {}),
    placeOf: (entryId) => places.get(entryId),
    itemsOf: (entryId) => byEntry.get(entryId) ?? [],
    operation: (callId) => {
      const item = items[byCall.get(callId) ?? -1];
      return item?.kind === "operation" ? item : undefined;
    },
    contentsOf,
  };
}

/**
 * Which places the executor's model sees: all of them, or, after a compaction, the last compaction,
 * what it kept and what came later. Same rule as Pi's own context building.
 */
function contextTest(entries: readonly SessionEntry[]): (place: number) => boolean {
  const compacted = entries.findLastIndex((entry) => entry.type === "compaction");
  const compaction = entries[compacted];
  if (compaction?.type !== "compaction") return () => true;
  const kept = entries.findIndex(
    (entry, place) => place < compacted && entry.id === compaction.firstKeptEntryId,
  );
  const firstKept = kept < 0 ? compacted : kept;
  // An older summary inside the kept range is superseded by the newest one.
  return (place) => place >= compacted || (place >= firstKept && entries[place]?.type !== "compaction");
}

function kindOf(entry: SessionEntry): Exclude<ItemKind, "operation"> | "result" | "system" | "private_shell" {
  switch (entry.type) {
    case "compaction":
    case "branch_summary":
    case "custom_message":
      return entry.type;
    case "message":
      break;
    default:
      return "bookkeeping";
  }
  const { message } = entry;
  switch (message.role) {
    case "user":
    case "assistant":
    case "system":
      return message.role;
    case "toolResult":
      return "result";
    case "bashExecution":
      return message.excludeFromContext ? "private_shell" : "shell";
    case "custom":
      return "custom_message";
    default:
      return "bookkeeping";
  }
}

function resultOf(entry: SessionEntry): { callId: string; tool: string; isMarkedError: boolean } {
  if (entry.type !== "message" || entry.message.role !== "toolResult") {
    throw new Error(`Entry "${entry.id}" is no tool result.`);
  }
  const { toolCallId, toolName, isError } = entry.message;
  return { callId: toolCallId, tool: toolName, isMarkedError: isError };
}
