// A call on one line: the command or path as it is, other arguments by name, an edit as the lines it changed.

import type { ToolCall } from "../../core/contents.ts";
import { argumentTexts } from "../../core/evidence.ts";
import { isRecord } from "../../core/is-record.ts";
import { firstWords } from "../../core/naming.ts";

const CALL_LENGTH = 300;
const ARGUMENT_LENGTH = 100;
const EDIT_LENGTH = 100;
/** Characters of its line that are shown before a change, so that a reader knows what changed. */
const EDIT_REACH = 40;

/** Arguments that need no name, because the tool's name says what they are. */
const PLAIN: readonly string[] = ["command", "path", "file_path"];

export function callWords(call: ToolCall, maxLength = CALL_LENGTH): string {
  let words = "";
  for (const part of callParts(call)) {
    words += words ? `, ${part}` : part;
    if (words.length > maxLength) break;
  }
  return firstWords(words, maxLength) || "no arguments";
}

function* callParts(call: ToolCall): Generator<string> {
  const edits = editsOf(call.arguments);
  const isPlain = (path: string) => PLAIN.includes(path) || (path !== "" && isOnlyArgument(call.arguments));
  for (const { path, text } of argumentTexts(call)) {
    if (edits.length > 0 && /^(edits\.\d+\.)?(oldText|newText)$/.test(path)) continue;
    if (isPlain(path)) yield firstWords(text, CALL_LENGTH);
    else yield `${path ? `${firstWords(path, ARGUMENT_LENGTH)}: ` : ""}${firstWords(text, ARGUMENT_LENGTH)}`;
  }
  for (const { oldText, newText } of edits) yield changeWords(oldText, newText);
}

function isOnlyArgument(raw: unknown): boolean {
  return isRecord(raw) && Object.keys(raw).length === 1;
}

interface Edit {
  readonly oldText: string;
  readonly newText: string;
}

/** The replacements of Pi's edit call, in its list or, as some models send it, at the top. */
function editsOf(raw: unknown): readonly Edit[] {
  if (!isRecord(raw)) return [];
  return (Array.isArray(raw.edits) ? raw.edits : [raw]).filter(isEdit);
}

function isEdit(value: unknown): value is Edit {
  return isRecord(value) && typeof value.oldText === "string" && typeof value.newText === "string";
}

/** `[-old-]{+new+}` from the first changed character to the last, with the beginning of their line. */
function changeWords(oldText: string, newText: string): string {
  const shorter = Math.min(oldText.length, newText.length);
  let same = 0;
  while (same < shorter && oldText[same] === newText[same]) same += 1;
  let sameEnd = 0;
  while (sameEnd < shorter - same && oldText.at(-1 - sameEnd) === newText.at(-1 - sameEnd)) sameEnd += 1;
  const lineStart = oldText.lastIndexOf("\n", same - 1) + 1;
  const from = Math.max(lineStart, same - EDIT_REACH);
  const part = (text: string) => {
    const words = text.slice(from, lineEnd(text, text.length - sameEnd));
    return `${from > lineStart ? "…" : ""}${firstWords(words, EDIT_LENGTH)}`;
  };
  return `[-${part(oldText)}-]{+${part(newText)}+}`;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return Math.min(end < 0 ? text.length : end, from + EDIT_REACH);
}
