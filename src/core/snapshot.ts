// The parent session as it stood at one entry. Session entries are append-only, so a leaf id is a
// whole snapshot: whatever the parent does later, the path from that leaf to the root stays the same.

import type { Branch } from "./branch.ts";
import { readBranch } from "./branch.ts";
import type { SessionEntry } from "./items.ts";

/** What a snapshot asks of Pi's session manager. */
export interface SessionSource {
  getSessionId(): string;
  getSessionFile(): string | undefined;
  getLeafId(): string | null;
  getEntry(id: string): SessionEntry | undefined;
  getBranch(fromId?: string): SessionEntry[];
  getCwd(): string;
}

/** Whether the source still stands on the branch that was pinned; it may have moved in its tree meanwhile. */
export function isOnBranch(source: SessionSource, leafId: string | null): boolean {
  // The pin is near the leaf unless much was done since, so the walk is short.
  for (let id = source.getLeafId(); id !== leafId; id = source.getEntry(id)?.parentId ?? null) {
    if (id === null) return false;
  }
  return true;
}

export interface Snapshot {
  readonly sessionId: string;
  /** Absent when the parent is not saved. */
  readonly sessionFile?: string;
  /** The parent's working directory, which relative paths in it are meant from. */
  readonly cwd: string;
  /** Null: pinned in an empty session. */
  readonly leafId: string | null;
  /** The pinned branch, read on first use and then kept: pinning costs nothing however long the parent is. */
  readonly branch: () => Branch;
}

export function pinSnapshot(source: SessionSource): Snapshot {
  const leafId = source.getLeafId();
  const sessionFile = source.getSessionFile();
  let branch: Branch | undefined;
  return {
    sessionId: source.getSessionId(),
    ...(sessionFile ? { sessionFile } : {}),
    cwd: source.getCwd(),
    leafId,
    branch: () => {
      branch ??= readBranch(leafId === null ? [] : source.getBranch(leafId), leafId);
      return branch;
    },
  };
}
