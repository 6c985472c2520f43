// Takes out of a grep result what it found in session files. Pi's grep writes one line a hit, the path
// relative to the searched folder in front: "path:12: text", and "path-11- text" for a line beside it.

import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { sessionFileKind } from "./session-file.ts";

const MARK = /^[:-]\d+[:-] /;
const SESSION_NAME = /^(.+?\.jsonl)[:-]\d+[:-] /;

/** The text without those lines and with a note of how many they were; the same text when there are none. */
export function withoutSessionHits(text: string, folder: string, sessionFiles: readonly string[]): string {
  const isSessionHit = sessionHitTest(folder, sessionFiles);
  const lines = text.split("\n");
  const kept = lines.filter((line) => !isSessionHit(line));
  const count = lines.length - kept.length;
  if (count === 0) return text;
  return [
    ...kept,
    "",
    `[${count} lines from session files left out; read the parent session through parent_session]`,
  ]
    .join("\n")
    .trimStart();
}

function sessionHitTest(folder: string, sessionFiles: readonly string[]): (line: string) => boolean {
  const known = sessionFiles.flatMap((file) => relativePath(folder, file) ?? []);
  const judged = new Map<string, boolean>();
  return (line) => {
    // The parent's file may have any name; other sessions are known by Pi's ending.
    if (known.some((path) => line.startsWith(path) && MARK.test(line.slice(path.length)))) return true;
    const path = SESSION_NAME.exec(line)?.[1];
    if (path === undefined) return false;
    const isSession = judged.get(path) ?? isSessionFile(join(folder, path), sessionFiles);
    judged.set(path, isSession);
    return isSession;
  };
}

function isSessionFile(file: string, sessionFiles: readonly string[]): boolean {
  try {
    return sessionFileKind(file, sessionFiles) !== undefined;
  } catch {
    // Gone or unreadable since the search.
    return false;
  }
}

function relativePath(folder: string, file: string): string | undefined {
  try {
    return relative(realpathSync(folder), realpathSync(file));
  } catch {
    // A session that is not on disk yet, or a folder that is gone.
    return undefined;
  }
}
