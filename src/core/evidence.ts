// The text of an item, part by part. All that parent_session searches, quotes or cuts comes out of
// here and nowhere else, so a filter on evidence needs exactly one place to stand.

import type { Branch } from "./branch.ts";
import type { Contents, ToolCall } from "./contents.ts";
import type { Item, SessionEntry } from "./items.ts";

export interface Evidence {
  readonly entryId: string;
  /** What it is within the entry, in words: "text", "argument command", "result". */
  readonly where: string;
  readonly text: string;
  /** The line at which this text begins in the entry's own text, from 1; absent for arguments and faults. */
  readonly firstLine?: number;
}

/** The parts of an item in reading order: for an operation first the call's arguments, then the result. */
export function* evidenceOf(item: Item, branch: Branch): Generator<Evidence> {
  if (item.kind !== "operation") {
    yield* textsOf(item.entry, branch);
    const { fault } = branch.contentsOf(item.entry);
    if (fault) yield { entryId: item.entryId, where: "fault", text: fault };
    return;
  }
  if (item.call) {
    for (const { path, text } of argumentTexts(item.call)) {
      yield { entryId: item.entryId, where: path ? `argument ${path}` : "arguments", text };
    }
  }
  if (!item.result) return;
  for (const evidence of textsOf(item.result.entry, branch)) yield { ...evidence, where: "result" };
}

/** All of an entry's own text in one piece; the lines that evidence counts are the lines of this. */
export function wholeText({ texts }: Contents): string {
  return texts.map(({ text }) => text).join("\n");
}

function* textsOf(entry: SessionEntry, branch: Branch): Generator<Evidence & { firstLine: number }> {
  let firstLine = 1;
  for (const { part, text } of branch.contentsOf(entry).texts) {
    yield { entryId: entry.id, where: part, text, firstLine };
    firstLine += countBreaks(text) + 1;
  }
}

function countBreaks(text: string): number {
  let breaks = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) breaks += 1;
  return breaks;
}

interface ArgumentText {
  /** Dotted path of the argument, "" for arguments that are not an object. */
  readonly path: string;
  readonly text: string;
}

/** Deeper nesting than any tool's schema; it bounds the walk over arguments a model made up. */
const MAX_DEPTH = 32;

/** Every string, number and truth value in the arguments, with the path that leads there. */
export function* argumentTexts(call: ToolCall): Generator<ArgumentText> {
  yield* leaves(call.arguments, "", 0);
}

function* leaves(value: unknown, path: string, depth: number): Generator<ArgumentText> {
  if (typeof value === "string") yield { path, text: value };
  else if (typeof value === "number" || typeof value === "boolean") yield { path, text: String(value) };
  else if (typeof value === "object" && value !== null && depth < MAX_DEPTH) {
    for (const [key, inner] of Object.entries(value))
      yield* leaves(inner, path ? `${path}.${key}` : key, depth + 1);
  }
}
