// Words that several answers share: times, sizes, counts and what an entry is called.

import { formatSize } from "@mariozechner/pi-coding-agent";
import type { Contents } from "../../core/contents.ts";
import type { Operation, OtherItem } from "../../core/items.ts";
import { firstWords } from "../../core/naming.ts";

export const MARK_NOTE =
  '"error" is the mark on a result and no verdict: a pipe hides an exit code, a search without a hit sets it.';

/** Models invent tool names, and extensions name their entries as they like. */
const NAME_LENGTH = 60;

/** Session files are parsed without validation, so a name may be anything. */
export function nameOf(name: unknown): string {
  return typeof name === "string" && name !== "" ? firstWords(name, NAME_LENGTH) : "unnamed";
}

/** What an entry is called; a bookkeeping entry says which, a custom message whose. */
export function labelOf(item: OtherItem): string {
  const { entry } = item;
  switch (entry.type) {
    case "custom_message":
      return `custom message of ${nameOf(entry.customType)}`;
    case "custom":
      return `custom entry of ${nameOf(entry.customType)}`;
    case "model_change":
      return `model change to ${nameOf(entry.provider)}/${nameOf(entry.modelId)}`;
    case "thinking_level_change":
      return `thinking level change to ${nameOf(entry.thinkingLevel)}`;
    case "context_edit":
      return `context edit that ${entry.replacement === null ? "omitted" : "replaced"} ${nameOf(entry.targetId)}`;
    case "label":
      return `label on ${nameOf(entry.targetId)}`;
    default:
      return nameOf(item.kind === "bookkeeping" ? entry.type : item.kind).replaceAll("_", " ");
  }
}

/** Both entries of an operation as one id, which get takes as it stands. */
export function operationId({ entryId, result }: Operation): string {
  return result && result.entryId !== entryId ? `${entryId}→${result.entryId}` : entryId;
}

export function bytesOf({ texts }: Contents): string {
  return formatSize(texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
}

/** `2026-11-30 12:03:11`, UTC. */
export function clock(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? "unknown time" : time.toISOString().slice(0, 19).replace("T", " ");
}

/** For the lines of one page: the day is said where it changes, the time where it changes, each with a blank behind it. */
export function runningClock(): (iso: string) => string {
  let day = "";
  let last = "";
  return (iso) => {
    const now = clock(iso);
    if (now === last) return "";
    last = now;
    const today = now.slice(0, 10);
    if (today !== day) {
      day = today;
      return `${now} `;
    }
    return `${now.slice(11)} `;
  };
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

/** Something the model sent, as a sentence may quote it. */
export function quote(value: unknown): string {
  if (typeof value !== "string")
    return typeof value === "object" && value !== null ? kindOfObject(value) : String(value);
  return JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
}

function kindOfObject(value: object): string {
  return Array.isArray(value) ? "a list" : "an object";
}
