// The pinned branch, read once, oldest first: every entry becomes an item of evidence, the result of
// one, or is withheld, and every one is counted.

import type { Contents, ToolCall } from "./contents.ts";
import { readContents } from "./contents.ts";
import type { EntryKind, Item, Operation, OperationResult, Place, SessionEntry } from "./items.ts";
import { kindOf } from "./items.ts";

export interface Branch {
  readonly entries: readonly SessionEntry[];
  readonly items: readonly Item[];
  /** Every entry of the branch once: those that the executor's model still has, and those it lost. */
  readonly counts: ReadonlyMap<EntryKind, EntryCount>;
  /** The id that no entry answers to, when the chain from the pin to the root is broken. */
  readonly missingId?: string;
  placeOf(entryId: string): number | undefined;
  itemsOf(entryId: string): readonly Item[];
  /** Oldest first. Usually one; some providers count their call ids anew in every message. */
  operations(callId: string): readonly Operation[];
  /** The content of an entry as the executor has it, context edits applied. */
  contentsOf(entry: SessionEntry): Contents;
}

export interface EntryCount {
  readonly inContext: number;
  readonly lost: number;
}

type ContentsOf = Branch["contentsOf"];
type PlaceAt = (entry: SessionEntry, place: number) => Place;

/**
 * @param entries the path from the root to the pinned leaf
 * @param leafId null: pinned in an empty session
 * @param contentsOf instead of the contents as they stand in the entries
 */
export function readBranch(
  entries: readonly SessionEntry[],
  leafId: string | null,
  contentsOf: ContentsOf = contentsReader(entries),
): Branch {
  const isInContext = contextTest(entries);
  const placeAt: PlaceAt = (entry, place) => ({
    place,
    entryId: entry.id,
    at: entry.timestamp,
    isInContext: isInContext(place),
  });
  const answers = pairResults(entries, contentsOf, placeAt);

  const items: Item[] = [];
  const byEntry = new Map<string, Item[]>();
  const byCall = new Map<string, Operation[]>();
  const places = new Map<string, number>();
  const counts = new Map<EntryKind, { inContext: number; lost: number }>();

  const add = (item: Item) => {
    items.push(item);
    append(byEntry, item.entryId, item);
    if (item.kind !== "operation") return;
    append(byCall, item.callId, item);
    if (item.result && item.result.entryId !== item.entryId) append(byEntry, item.result.entryId, item);
  };
  entries.forEach((entry, place) => {
    places.set(entry.id, place);
    const at = placeAt(entry, place);
    const kind = kindOf(entry);
    const count = counts.get(kind) ?? { inContext: 0, lost: 0 };
    count[at.isInContext ? "inContext" : "lost"] += 1;
    counts.set(kind, count);
    for (const item of itemsIn(entry, kind, at, contentsOf, answers)) add(item);
  });

  const missingId = entries.length > 0 ? entries[0]?.parentId : leafId;
  return {
    entries,
    items,
    counts,
    ...(missingId ? { missingId } : {}),
    placeOf: (entryId) => places.get(entryId),
    itemsOf: (entryId) => byEntry.get(entryId) ?? [],
    operations: (callId) => byCall.get(callId) ?? [],
    contentsOf,
  };
}

/** Reads each entry's content once, with the last context edit that names it. */
function contentsReader(entries: readonly SessionEntry[]): ContentsOf {
  const edits = new Map<string, Extract<SessionEntry, { type: "context_edit" }>>();
  for (const entry of entries) if (entry.type === "context_edit") edits.set(entry.targetId, entry);
  const known = new Map<string, Contents>();
  return (entry) => {
    const contents = known.get(entry.id) ?? readContents(entry, edits.get(entry.id));
    known.set(entry.id, contents);
    return contents;
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
  const kept = entries.findIndex(({ id }) => id === compaction.firstKeptEntryId);
  const firstKept = kept < 0 ? compacted : kept;
  // An older summary inside the kept range is superseded by the newest one.
  return (place) => place >= compacted || (place >= firstKept && entries[place]?.type !== "compaction");
}

interface Answers {
  readonly ofCall: ReadonlyMap<ToolCall, OperationResult>;
  /** Result entries that have no call on the branch. */
  readonly orphans: ReadonlyMap<string, OperationResult>;
}

/** A result answers the first open call of its id in the last message that made such a call. */
function pairResults(entries: readonly SessionEntry[], contentsOf: ContentsOf, placeAt: PlaceAt): Answers {
  const ofCall = new Map<ToolCall, OperationResult>();
  const orphans = new Map<string, OperationResult>();
  const open = new Map<string, ToolCall[]>();
  entries.forEach((entry, place) => {
    if (entry.type !== "message") return;
    const { calls } = contentsOf(entry);
    for (const { id } of calls) open.delete(id);
    for (const call of calls) append(open, call.id, call);
    if (entry.message.role !== "toolResult") return;
    const { toolCallId, isError } = entry.message;
    const result: OperationResult = { ...placeAt(entry, place), entry, isMarkedError: isError === true };
    const call = open.get(toolCallId)?.shift();
    if (call) ofCall.set(call, result);
    else orphans.set(entry.id, result);
  });
  return { ofCall, orphans };
}

function itemsIn(
  entry: SessionEntry,
  kind: EntryKind,
  at: Place,
  contentsOf: ContentsOf,
  answers: Answers,
): Item[] {
  if (kind === "system_message" || kind === "private_shell_run") return [];
  if (kind === "result") {
    const result = answers.orphans.get(entry.id);
    if (!result || entry.type !== "message" || entry.message.role !== "toolResult") return [];
    const { toolCallId, toolName } = entry.message;
    return [{ ...at, kind: "operation", callId: toolCallId, tool: toolName, result }];
  }
  if (kind !== "assistant") return [{ ...at, kind, entry }];
  const { calls, texts, fault } = contentsOf(entry);
  // Calls have lines of their own; a message that holds nothing else needs none.
  const isWordless = calls.length > 0 && texts.length === 0 && fault === undefined;
  return [
    ...(isWordless ? [] : [{ ...at, kind, entry }]),
    ...calls.map((call): Operation => {
      const result = answers.ofCall.get(call);
      const operation = { ...at, kind: "operation", callId: call.id, tool: call.name, call } as const;
      return result ? { ...operation, result } : operation;
    }),
  ];
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
