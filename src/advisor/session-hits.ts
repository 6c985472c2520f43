// Takes out of a grep result what it found in session files. Pi's grep writes one line a hit, the path
// relative to the searched folder in front: "path:12: text", and "path-11- text" for a line beside it.

import { statSync } from "node:fs";
import { join } from "node:path";
import { sessionFileKind, withOrigins } from "./session-file.ts";

/** Both path and text may hold what looks like the mark between them. */
const MARKS = /[:-]\d+[:-] /g;
/** What every line of a session file begins with, behind its mark. */
const SESSION_LINE = /[:-]\d+[:-] \{"type":"/;

/** The text without those lines and with a note of how many they were; the same text when there are none. */
export function withoutSessionHits(text: string, folder: string, sessionFiles: readonly string[]): string {
  // A single file was judged before it was searched.
  if (!isFolder(folder)) return text;
  const isSessionHit = sessionHitTest(folder, sessionFiles);
  const lines = text.split("\n");
  const kept = lines.filter((line) => !isSessionHit(line));
  const count = lines.length - kept.length;
  if (count === 0) return text;
  const leftOut = count === 1 ? "1 line" : `${count} lines`;
  return [
    ...kept,
    "",
    `[${leftOut} from session files left out; read the parent session through parent_session]`,
  ]
    .join("\n")
    .trimStart();
}

function sessionHitTest(folder: string, sessionFiles: readonly string[]): (line: string) => boolean {
  const known = withOrigins(sessionFiles);
  const judged = new Map<string, boolean | undefined>();
  const judge = (path: string): boolean | undefined => {
    if (!judged.has(path)) judged.set(path, isSession(join(folder, path), known));
    return judged.get(path);
  };
  return (line) => {
    const verdicts = pathsBefore(line).map(judge);
    if (verdicts.includes(true)) return true;
    // A line whose file cannot be told, as when its name has a line break in it, is judged by its text.
    return !verdicts.includes(false) && SESSION_LINE.test(line);
  };
}

function pathsBefore(line: string): string[] {
  return [...line.matchAll(MARKS)].map(({ index }) => line.slice(0, index));
}

/** Undefined when there is no such file. */
function isSession(file: string, known: readonly string[]): boolean | undefined {
  try {
    return statSync(file).isFile() ? sessionFileKind(file, known) !== undefined : undefined;
  } catch {
    // Gone or unreadable since the search, or no path at all.
    return undefined;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Gone since the search.
    return false;
  }
}
