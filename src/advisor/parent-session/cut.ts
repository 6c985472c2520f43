// Cuts long content where Pi cuts tool output, and says where to go on: by lines, and inside a line
// that is longer than a whole page by column.

import {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_LINES,
  formatSize,
  truncateHead,
} from "@mariozechner/pi-coding-agent";

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
  const from = lineStart + start.column - 1;
  if (from > lineEnd) {
    throw new Error(
      `Line ${start.line} has ${lineEnd - lineStart} characters; column ${start.column} is beyond its end.`,
    );
  }
  // Whatever fits into the limit lies within this window, so a huge rest is never looked at line by line.
  const window = text.slice(from, from + maxBytes + 1);
  const head = truncateHead(window, { maxLines, maxBytes });
  if (head.firstLineExceedsLimit) return cutLine(text, start, { from, lineStart, lineEnd }, maxBytes);
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
  start: CutStart,
  span: { from: number; lineStart: number; lineEnd: number },
  maxBytes: number,
): Cut {
  const line = text.slice(span.from, Math.min(span.lineEnd, span.from + maxBytes));
  const { read } = new TextEncoder().encodeInto(line, new Uint8Array(maxBytes));
  const length = span.lineEnd - span.lineStart;
  const last = start.column - 1 + read;
  const isWholeRest = last === length;
  const rest = isWholeRest
    ? span.lineEnd < text.length
      ? `Go on with offset ${start.line + 1}.`
      : "This is the end."
    : `Go on with offset ${start.line}, column ${last + 1}.`;
  return {
    text: line.slice(0, read),
    note: `[Line ${start.line} of ${countLines(text)}, characters ${start.column}-${last} of ${length}. ${rest}]`,
  };
}

function startOfLine(text: string, line: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0)
      throw new Error(
        `The content has ${passed === 1 ? "1 line" : `${passed} lines`}; offset ${line} is beyond its end.`,
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
