// Cuts long content where Pi cuts tool output, and says where to go on: by lines, and inside a line
// that is longer than a whole page by column.

import {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  formatSize,
  truncateHead,
} from "@mariozechner/pi-coding-agent";
import { count } from "./wording.ts";

export interface Cut {
  readonly text: string;
  /** What is missing and how to get it; absent when everything is here. */
  readonly note?: string;
}

export interface CutStart {
  /** First line wanted, from 1. */
  readonly line: number;
  /** First character wanted in that line, from 1. */
  readonly column: number;
}

export interface CutSize {
  readonly maxLines?: number;
  readonly maxBytes?: number;
}

/** @throws Error with a full sentence when the start lies beyond the content */
export function cutContent(text: string, start: CutStart, size: CutSize = {}): Cut {
  const maxBytes = size.maxBytes ?? DEFAULT_MAX_BYTES;
  const maxLines = Math.min(size.maxLines ?? DEFAULT_MAX_LINES, DEFAULT_MAX_LINES);
  const lineStart = startOfLine(text, start.line);
  const lineEnd = endOfLine(text, lineStart);
  const wanted = lineStart + start.column - 1;
  if (wanted > lineEnd) {
    throw new Error(
      `Line ${start.line} has ${lineEnd - lineStart} characters, so column ${start.column} is beyond its end; column counts from 1.`,
    );
  }
  const from = characterStart(text, wanted);
  // Whatever fits into the limit lies within this window, so a huge rest is never looked at line by line.
  const window = text.slice(from, from + maxBytes + 1);
  const head = truncateHead(window, { maxLines, maxBytes });
  if (head.firstLineExceedsLimit) return cutLine(text, start.line, { from, lineStart, lineEnd }, maxBytes);
  if (!head.truncated) return { text: head.content };
  const last = start.line + head.outputLines - 1;
  return {
    text: head.content,
    note:
      `[Lines ${start.line}-${last} of ${countLines(text)}, ${formatSize(Buffer.byteLength(text))} in all. ` +
      `Go on with offset ${last + 1}.]`,
  };
}

function cutLine(
  text: string,
  lineNumber: number,
  { from, lineStart, lineEnd }: { from: number; lineStart: number; lineEnd: number },
  maxBytes: number,
): Cut {
  const rest = text.slice(from, Math.min(lineEnd, from + maxBytes));
  // The encoder stops before a character that does not fit as a whole.
  const { read } = new TextEncoder().encodeInto(rest, new Uint8Array(maxBytes));
  const end = from + read;
  const next =
    end < lineEnd
      ? `Go on with offset ${lineNumber}, column ${end - lineStart + 1}.`
      : lineEnd < text.length
        ? `Go on with offset ${lineNumber + 1}.`
        : "This is the end.";
  const range = `characters ${from - lineStart + 1}-${end - lineStart} of ${lineEnd - lineStart}`;
  return {
    text: rest.slice(0, read),
    note: `[Line ${lineNumber} of ${countLines(text)}, ${range}. ${next}]`,
  };
}

function startOfLine(text: string, line: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0)
      throw new Error(
        `The content has ${count(passed, "line")}, so offset ${line} is beyond its end; offset counts from 1 here.`,
      );
    start = end + 1;
  }
  return start;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

/** Half a surrogate pair is no text, and providers refuse it. */
function characterStart(text: string, index: number): number {
  const isInside = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(index - 1, index + 1));
  return index > 0 && isInside ? index - 1 : index;
}
