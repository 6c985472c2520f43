// What a branch consists of for a reader: a call and its result are one item, every other entry is one by itself.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import type { ToolCall } from "./contents.ts";

export type { SessionEntry };

export const ITEM_KINDS = [
  "user",
  "assistant",
  "operation",
  "shell",
  "compaction",
  "branch_summary",
  "custom_message",
  "bookkeeping",
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** What an entry is. Of these, the last two are withheld. */
export type EntryKind = Exclude<ItemKind, "operation"> | "result" | "system_message" | "private_shell_run";

export interface Place {
  /** Position on the branch, 0 at the root. An operation stands where its call stands. */
  readonly place: number;
  readonly entryId: string;
  /** ISO 8601. */
  readonly at: string;
  /** Whether the executor's model still sees it at the pin. A result may be in context without its call. */
  readonly isInContext: boolean;
}

export interface OperationResult extends Place {
  readonly entry: SessionEntry;
  /** Pi's error mark. A mark, not a verdict: a pipe hides an exit code, a search without a hit sets it. */
  readonly isMarkedError: boolean;
}

export interface Operation extends Place {
  readonly kind: "operation";
  readonly callId: string;
  readonly tool: string;
  /** Absent when the call itself is not on the branch, was edited away, or is beyond the view. */
  readonly call?: ToolCall;
  /** Absent when the call had not returned at the pin, or when the result is beyond the view. */
  readonly result?: OperationResult;
  /** The entry of the other half, when a compaction parted the two and this view has only one of them. */
  readonly otherHalf?: string;
}

export interface OtherItem extends Place {
  readonly kind: Exclude<ItemKind, "operation">;
  readonly entry: SessionEntry;
}

export type Item = Operation | OtherItem;

export function kindOf(entry: SessionEntry): EntryKind {
  switch (entry.type) {
    case "compaction":
    case "branch_summary":
    case "custom_message":
      return entry.type;
    case "message":
      break;
    default:
      return "bookkeeping";
  }
  const { message } = entry;
  switch (message.role) {
    case "user":
    case "assistant":
      return message.role;
    case "system":
      return "system_message";
    case "toolResult":
      return "result";
    case "bashExecution":
      return message.excludeFromContext ? "private_shell_run" : "shell";
    case "custom":
      return "custom_message";
    default:
      return "bookkeeping";
  }
}
