// The text of an item, part by part. All that parent_session searches, quotes or cuts comes out of
// here and nowhere else, so a filter on evidence needs exactly one place to stand.

import type { Branch, Item } from "./branch.ts";
import type { ToolCall } from "./contents.ts";

export interface Evidence {
  readonly entryId: string;
  /** What it is within the entry, in words: "text", "argument command", "result". */
  readonly where: string;
  readonly text: string;
}

/** The parts of an item in reading order: for an operation first the call's arguments, then the result. */
export function* evidenceOf(item: Item, branch: Branch): Generator<Evidence> {
  if (item.kind !== "operation") {
    for (const { part, text } of branch.contentsOf(item.entry).texts) {
      yield { entryId: item.entryId, where: part, text };
    }
    return;
  }
  if (item.call) {
    for (const { path, text } of argumentTexts(item.call)) {
      yield { entryId: item.entryId, where: path ? `argument ${path}` : "arguments", text };
    }
  }
  if (item.result) {
    for (const { text } of branch.contentsOf(item.result.entry).texts) {
      yield { entryId: item.result.entryId, where: "result", text };
    }
  }
}

export interface ArgumentText {
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
