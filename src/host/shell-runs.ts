// Knows whether a shell command of the user (`!…`) may still be running: Pi tells when one starts, and
// writes an entry when it is over.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";

export interface ShellRuns {
  /** Call when the session begins, with what it already holds. */
  begin(entries: readonly SessionEntry[]): void;
  started(): void;
  areOver(entries: readonly SessionEntry[]): boolean;
}

export function countShellRuns(): ShellRuns {
  let expected = 0;
  return {
    begin: (entries) => {
      expected = recorded(entries);
    },
    started: () => {
      expected += 1;
    },
    areOver: (entries) => recorded(entries) >= expected,
  };
}

function recorded(entries: readonly SessionEntry[]): number {
  return entries.filter((entry) => entry.type === "message" && entry.message.role === "bashExecution").length;
}
