/** Reads what Pi wrote: every session file below some folders, oldest first. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { SessionEntry, SessionHeader } from "@mariozechner/pi-coding-agent";

export interface SessionFile {
  readonly path: string;
  readonly header: SessionHeader;
  readonly entries: readonly SessionEntry[];
}

export function readSessionFiles(folders: readonly string[]): SessionFile[] {
  const paths = new Set(folders.flatMap(sessionPaths));
  return [...paths].sort((a, b) => (basename(a) < basename(b) ? -1 : 1)).map(readSessionFile);
}

function readSessionFile(path: string): SessionFile {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const [header, ...entries] = lines.map((line) => JSON.parse(line));
  if (header?.type !== "session") throw new Error(`${path} does not begin with a session header`);
  return { path, header, entries };
}

function sessionPaths(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(folder, name));
}
