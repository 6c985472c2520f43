// Which files are the session of the parent or the record of a consultation. Those have
// parent_session, which withholds what must not leave a session; a file tool would show all of it.

import { closeSync, openSync, readSync, statSync } from "node:fs";
import { CONSULTATION_ENTRY } from "./child-entry.ts";

/** The header and the entry behind it fit: only paths and ids make them longer than a kilobyte. */
const HEAD_BYTES = 16 * 1024;

export type SessionFileKind = "parent" | "consultation";

/** @param known files that are sessions whatever they hold; compared by what they are, not by their name */
export function sessionFileKind(file: string, known: readonly string[]): SessionFileKind | undefined {
  const identity = identify(file);
  if (identity === undefined) return undefined;
  if (known.some((one) => identify(one) === identity)) return "parent";
  return isConsultation(file) ? "consultation" : undefined;
}

/** A hard link is the same file under another name, so names do not tell. */
function identify(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found?.isFile() ? `${found.dev}:${found.ino}` : undefined;
}

/** A consultation's file carries its entry right behind the header. */
function isConsultation(file: string): boolean {
  const head = Buffer.alloc(HEAD_BYTES);
  const handle = openSync(file, "r");
  try {
    const length = readSync(handle, head, 0, head.length, 0);
    const text = head.subarray(0, length).toString("utf8");
    return text.startsWith('{"type":"session"') && text.includes(`"customType":"${CONSULTATION_ENTRY}"`);
  } finally {
    closeSync(handle);
  }
}
