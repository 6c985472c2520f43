// Keeps the `angel` tool in the executor's list exactly while Angel is on and usable. It touches no
// other name, and puts back only what it took away: a tool list of the user's own is left as it is.

import type { ExtensionAPI, SessionEntry } from "@mariozechner/pi-coding-agent";

/** Remembers in the session that Angel itself withdrew its tool; Pi restores tool lists on resume. */
const PRESENCE_ENTRY = "angel-tool";

export interface ToolPresence {
  /** Takes over what an earlier run of this session left. */
  restore(branch: readonly SessionEntry[]): void;
  /** Acts only when something has changed. */
  show(shouldBeActive: boolean): void;
}

type ToolList = Pick<ExtensionAPI, "getActiveTools" | "setActiveTools" | "appendEntry">;

export function keepToolPresence(pi: ToolList, name: string): ToolPresence {
  let isWithdrawn = false;
  const remember = (withdrawn: boolean) => {
    isWithdrawn = withdrawn;
    pi.appendEntry(PRESENCE_ENTRY, { version: 1, isWithdrawn });
  };
  return {
    restore(branch) {
      const last = branch.findLast((entry) => entry.type === "custom" && entry.customType === PRESENCE_ENTRY);
      const data: unknown = last?.type === "custom" ? last.data : undefined;
      isWithdrawn = typeof data === "object" && data !== null && Reflect.get(data, "isWithdrawn") === true;
    },
    show(shouldBeActive) {
      const active = pi.getActiveTools();
      const isActive = active.includes(name);
      if (isActive && !shouldBeActive) {
        pi.setActiveTools(active.filter((tool) => tool !== name));
        remember(true);
      }
      if (!isActive && shouldBeActive && isWithdrawn) {
        pi.setActiveTools([...active, name]);
        // Pi passes over a tool that the command line leaves out for this run: then it is still to come back.
        if (pi.getActiveTools().includes(name)) remember(false);
      }
    },
  };
}
