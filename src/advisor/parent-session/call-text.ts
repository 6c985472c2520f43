// A call as a person reads it: texts as they are, an edit as old and new text, never as escaped JSON.

import type { ToolCall } from "../../core/contents.ts";

export function callText(call: ToolCall): string {
  const raw = call.arguments;
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return json(raw);
  const blocks = Object.entries(raw).flatMap(([key, value]) => argumentBlock(key, value));
  return blocks.length > 0 ? blocks.join("\n") : "no arguments";
}

function argumentBlock(key: string, value: unknown): string[] {
  if (key === "edits" && Array.isArray(value))
    return value.flatMap((edit, i) => editBlock(edit, `${i + 1} of ${value.length}`));
  if (key === "oldText" && typeof value === "string") return [`--- old text\n${value}`];
  if (key === "newText" && typeof value === "string") return [`+++ new text\n${value}`];
  if (typeof value === "string") return [value.includes("\n") ? `${key}:\n${value}` : `${key}: ${value}`];
  return [`${key}: ${json(value)}`];
}

function editBlock(edit: unknown, which: string): string[] {
  if (typeof edit !== "object" || edit === null || !("oldText" in edit) || !("newText" in edit)) {
    return [`edit ${which}: ${json(edit)}`];
  }
  return [
    `--- old text, edit ${which}\n${plain(edit.oldText)}`,
    `+++ new text, edit ${which}\n${plain(edit.newText)}`,
  ];
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : json(value);
}

function json(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "no arguments";
  } catch (error) {
    // Nothing but a depth that no tool asks for, which overflows the stack.
    if (error instanceof RangeError) return "(nested too deeply to be shown)";
    throw error;
  }
}
