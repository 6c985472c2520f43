// What an entry says, and nothing that must not leave the parent: thinking, system messages, private
// shell runs, bodies of custom messages, `details` and data of custom entries have no way through here.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import { isRecord } from "./is-record.ts";

type ContextEdit = Extract<SessionEntry, { type: "context_edit" }>;

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** The model's raw arguments. */
  readonly arguments: unknown;
}

export interface Image {
  readonly data: string;
  readonly mimeType: string;
}

export interface Text {
  /** Which part of the entry it is, in words: "text", "command", "output", "summary". */
  readonly part: string;
  readonly text: string;
}

export interface Contents {
  readonly texts: readonly Text[];
  readonly calls: readonly ToolCall[];
  readonly images: readonly Image[];
  /** How a context edit changed what the executor has; absent when none did. */
  readonly edit?: "replaced" | "omitted";
  /** Blocks that are withheld, such as thinking. */
  readonly withheldBlocks: number;
  /** Why an assistant message ended, when it did not end well. */
  readonly fault?: string;
}

const NOTHING: Contents = { texts: [], calls: [], images: [], withheldBlocks: 0 };

export function readContents(entry: SessionEntry, edit: ContextEdit | undefined): Contents {
  if (edit?.replacement === null) return { ...NOTHING, edit: "omitted" };
  if (entry.type === "compaction" || entry.type === "branch_summary")
    return { ...NOTHING, texts: asText("summary", entry.summary) };
  const edited = edit ? { edit: "replaced" as const } : {};
  if (entry.type !== "message") return { ...NOTHING, ...edited };
  const { message } = entry;
  if (message.role === "bashExecution") {
    if (message.excludeFromContext) return NOTHING;
    return {
      ...NOTHING,
      texts: [...asText("command", message.command), ...asText("output", message.output)],
    };
  }
  if (message.role !== "user" && message.role !== "assistant" && message.role !== "toolResult")
    return { ...NOTHING, ...edited };
  const contents = readBlocks(edit ? edit.replacement?.content : message.content);
  const fault = message.role === "assistant" ? faultOf(message.stopReason, message.errorMessage) : undefined;
  return { ...contents, ...edited, ...(fault ? { fault } : {}) };
}

/** Session files are parsed without validation, so content may be anything. */
function readBlocks(content: unknown): Contents {
  if (typeof content === "string") return { ...NOTHING, texts: asText("text", content) };
  if (!Array.isArray(content)) return NOTHING;
  const texts: Text[] = [];
  const calls: ToolCall[] = [];
  const images: Image[] = [];
  let withheldBlocks = 0;
  const blocks: readonly unknown[] = content;
  for (const block of blocks) {
    if (!isRecord(block)) continue;
    if (block.type === "text" && typeof block.text === "string") texts.push(...asText("text", block.text));
    else if (block.type === "image" && typeof block.data === "string") {
      images.push({ data: block.data, mimeType: String(block.mimeType) });
    } else if (block.type === "toolCall" && typeof block.id === "string" && typeof block.name === "string") {
      calls.push({ id: block.id, name: block.name, arguments: block.arguments });
    } else withheldBlocks += 1;
  }
  return { texts, calls, images, withheldBlocks };
}

function asText(part: string, text: unknown): Text[] {
  return typeof text === "string" && text !== "" ? [{ part, text }] : [];
}

function faultOf(stopReason: string, errorMessage: string | undefined): string | undefined {
  if (stopReason === "error") return `ended with an error: ${errorMessage ?? "no message"}`;
  if (stopReason === "aborted") return "was aborted";
  if (stopReason === "length") return "was cut at the output limit";
  return undefined;
}
