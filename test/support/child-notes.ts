// What a child's record says about the extensions in it.

import type { SessionFile } from "./session-files.ts";

export function notesOf(child: SessionFile | undefined): string[] {
  return (child?.entries ?? []).flatMap((entry) =>
    entry.type === "custom" && entry.customType === "angel-note"
      ? [(entry.data as { note: string }).note]
      : [],
  );
}
