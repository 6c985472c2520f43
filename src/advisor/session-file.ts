// Which files are the session of the parent or the record of a consultation. Those have
// parent_session, which withholds what must not leave a session; a file tool would show all of it.

import { closeSync, constants, openSync, readSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { isRecord } from "../core/is-record.ts";
import { CONSULTATION_ENTRY } from "./child-entry.ts";
import { fileIdentity } from "./file-identity.ts";

/** The header and the entry behind it fit: only paths and ids make them longer than a kilobyte. */
const HEAD_BYTES = 16 * 1024;
/** Far more forks of forks than anybody makes, and an end to headers that name each other. */
const MAX_ORIGINS = 100;

export type SessionFileKind = "parent" | "consultation" | "sibling";

/** These sessions and those that they were forked or cloned from, which hold all that these do. */
export function withOrigins(sessionFiles: readonly string[]): string[] {
  const found = new Set(sessionFiles);
  for (const file of found) {
    const origin = found.size < MAX_ORIGINS ? originOf(file) : undefined;
    if (origin !== undefined) found.add(origin);
  }
  return [...found];
}

/** @param known files that are sessions whatever they hold; compared by what they are, not by their name */
export function sessionFileKind(file: string, known: readonly string[]): SessionFileKind | undefined {
  const identity = identify(file);
  if (identity === undefined) return undefined;
  if (known.some((one) => identify(one) === identity)) return "parent";
  const head = readHead(file);
  if (!head.startsWith('{"type":"session"')) return undefined;
  if (head.includes(`"customType":"${CONSULTATION_ENTRY}"`)) return "consultation";
  // A session that the parent was cloned or forked from holds all that the parent withholds.
  const folder = fileIdentity(dirname(realpathSync(file)));
  return known.some((one) => folder === folderIdentity(one)) ? "sibling" : undefined;
}

function originOf(file: string): string | undefined {
  try {
    const [line = ""] = identify(file) === undefined ? [] : readHead(file).split("\n");
    const header: unknown = JSON.parse(line);
    return isRecord(header) && typeof header.parentSession === "string" ? header.parentSession : undefined;
  } catch {
    // Not on disk yet, unreadable, or no session after all.
    return undefined;
  }
}

/** A word of its own when there is no such folder, as that of a session that is not saved yet. */
function folderIdentity(file: string): string {
  try {
    return fileIdentity(dirname(file)) ?? "none";
  } catch {
    return "none";
  }
}

/**
 * A hard link is the same file under another name, so names do not tell. Undefined when it is no session:
 * one has a header, and files that claim to hold nothing, as those of /proc do, may wait for ever when they are read.
 */
function identify(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found?.isFile() && found.size > 0n ? `${found.dev}:${found.ino}` : undefined;
}

/** The header, and in a consultation's file its own entry right behind it. */
function readHead(file: string): string {
  const head = Buffer.alloc(HEAD_BYTES);
  // Whatever takes the file's place meanwhile must not stop Pi.
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const length = readSync(handle, head, 0, head.length, 0);
    return head.subarray(0, length).toString("utf8");
  } finally {
    closeSync(handle);
  }
}
