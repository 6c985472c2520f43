// Private keys in the armour of PEM and its relatives, whole or cut off at either end, and runs of base64 lines,
// which is all that a page out of the middle of such a key shows.

import type { Finding } from "./finding.ts";

const BEGIN =
  /-----BEGIN ?[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:|Private-Lines: \d+/g;
const END = /-----END ?[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Longer than the longest key in use. */
const MOST_CHARACTERS = 65_536;
/** A line of a key, with what quotes, joins, comments or numbers it in code, mails, diffs and search results. */
const BODY_LINE =
  /^[\s>|#*+"'`(/\\-]*(?:[\w./ -]{0,200}[:-]\d+[:-] ?)?[\s>|#*+"'`-]*(?:[A-Za-z0-9+/=_-]{1,200}|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Encryption|Public-Lines|Private-Lines|Private-MAC|Key-Derivation|Argon2-\w+)\s*:.{0,200})?[\s"'`,;+)\\]*$/;
/** As wide as OpenSSL, OpenSSH and MIME write them. */
const WIDE_LINE = /^[ \t"'>|+-]{0,40}[A-Za-z0-9+/_-]{64,76}["',+\\ \t\r]{0,8}$/;

/** No word of prose or code has all of these in a run of 64. */
const MIXED = [/[a-z]/, /[A-Z]/, /[0-9]/] as const;

export const KEY_KINDS: readonly string[] = ["private-key", "key-block"];

export function findKeyBlocks(text: string): Finding[] {
  return [...wholeKeys(text), ...tailsOfKeys(text), ...wideRuns(text)];
}

function wholeKeys(text: string): Finding[] {
  const ends = [...text.matchAll(END)].map(({ 0: mark, index }) => ({
    start: index,
    end: index + mark.length,
  }));
  const begins = [...text.matchAll(BEGIN)];
  let nextEnd = 0;
  return begins.map(({ 0: mark, index }, n) => {
    const body = index + mark.length;
    while (nextEnd < ends.length && (ends[nextEnd]?.start ?? 0) < body) nextEnd += 1;
    const end = ends[nextEnd];
    const limit = Math.min(begins[n + 1]?.index ?? text.length, body + MOST_CHARACTERS);
    const isWhole = end !== undefined && end.start < limit;
    return { start: index, end: isWhole ? end.end : endOfBody(text, body, limit), kind: "private-key" };
  });
}

/** Without its last line: as far as the lines look like those of a key. */
function endOfBody(text: string, from: number, limit: number): number {
  let end = from;
  while (end < limit) {
    const lineEnd = nextBreak(text, end, limit);
    const line = text.slice(end, lineEnd);
    if (!BODY_LINE.test(line.slice(0, 600))) {
      const run = /^[\s"'`\\]*[A-Za-z0-9+/=\s]{16,}/.exec(line)?.[0] ?? "";
      return end + run.length;
    }
    end = lineEnd;
    if (end < limit) end += 1;
  }
  return end;
}

/** Without its first line: as far back as the lines look like those of a key. */
function tailsOfKeys(text: string): Finding[] {
  let done = 0;
  return [...text.matchAll(END)].map(({ 0: mark, index }) => {
    const end = index + mark.length;
    let start = index;
    const least = Math.max(done, index - MOST_CHARACTERS);
    while (start > least) {
      const lineStart = Math.max(text.lastIndexOf("\n", start - 2) + 1, least);
      const line = text.slice(lineStart, start).replace(/\n$/, "");
      if (line.trim() === "" || !BODY_LINE.test(line.slice(0, 600))) break;
      start = lineStart;
    }
    done = end;
    return { start, end, kind: "private-key" };
  });
}

function wideRuns(text: string): Finding[] {
  const findings: Finding[] = [];
  let start = -1;
  let lines = 0;
  let end = 0;
  const close = () => {
    const run = start < 0 ? "" : text.slice(start, end);
    if (lines >= 2 && MIXED.every((part) => part.test(run))) findings.push({ start, end, kind: "key-block" });
    start = -1;
    lines = 0;
  };
  for (let at = 0; at <= text.length; ) {
    const lineEnd = nextBreak(text, at, text.length);
    const isWide = lineEnd - at >= 64 && lineEnd - at <= 140 && WIDE_LINE.test(text.slice(at, lineEnd));
    if (isWide) {
      if (start < 0) start = at;
      lines += 1;
      end = lineEnd;
    } else if (start >= 0) {
      // The last line of a key is as short as it comes.
      if (lines >= 2 && /^[A-Za-z0-9+/]{2,76}={0,2}\r?$/.test(text.slice(at, Math.min(lineEnd, at + 80))))
        end = lineEnd;
      close();
    }
    at = lineEnd + 1;
  }
  close();
  return findings;
}

function nextBreak(text: string, from: number, limit: number): number {
  const at = text.indexOf("\n", from);
  return at < 0 || at > limit ? limit : at;
}
