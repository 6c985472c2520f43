// Parents to ask from: sessions of a given length, as Pi would have written them.

import { SessionManager } from "@mariozechner/pi-coding-agent";
import { buildSession } from "../../test/support/session-builder.ts";

/** What one operation of a coding agent leaves, about. */
const RESULT =
  "export function total(items) { return items.reduce((sum, item) => sum + item.price, 0); }\n".repeat(16);
/** Entries since a compaction, at most: with what Pi keeps they fill a part of a usual context window. */
const SINCE = 300;

export interface ParentForm {
  readonly cwd: string;
  readonly sessionDir: string;
  readonly entries: number;
  /** Whether the executor's context was compacted shortly before the end. */
  readonly isCompacted: boolean;
}

/** @returns the session's file */
export function writeParent({ cwd, sessionDir, entries, isCompacted }: ParentForm): string {
  const manager = SessionManager.create(cwd, sessionDir);
  const built = buildSession(manager);
  built.user("make the totals right");
  const tail = isCompacted ? Math.min(SINCE, Math.floor(entries / 3)) : 0;
  fill(built, manager, entries - tail);
  if (isCompacted) {
    const kept = manager.getLeafId() ?? "";
    manager.appendCompaction("The totals were wrong; two causes were ruled out.", kept, 150_000);
    fill(built, manager, entries);
  }
  const file = manager.getSessionFile();
  if (file === undefined) throw new Error("The parent has no file.");
  return file;
}

function fill(built: ReturnType<typeof buildSession>, manager: SessionManager, entries: number): void {
  for (let n = manager.getEntries().length; n < entries - 1; n += 4) {
    built.operate("read", { path: `src/part-${n}.ts` }, `${RESULT}// ${n}`);
    built.say(`Part ${n} does not round; I look at the next one.`);
    built.user(`go on with ${n}`);
  }
}
