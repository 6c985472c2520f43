// How an item looks on one line, and the words that several answers share.

import { formatSize } from "@mariozechner/pi-coding-agent";
import type { Branch, Item, Operation } from "../../core/branch.ts";
import { argumentTexts } from "../../core/evidence.ts";
import { firstWords } from "../../core/naming.ts";
import { isMarkedError } from "../../core/view.ts";

const HEAD_LENGTH = 160;
const ARGUMENTS_LENGTH = 300;
const LAST_LINE_LENGTH = 160;

export const MARK_NOTE =
  '"failed" is the error mark on the result, not a verdict: a pipe hides an exit code, a search without a hit sets the mark.';

/** One line: ids, time, what it is, and as much of it as a line holds. */
export function itemLine(item: Item, branch: Branch): string {
  if (item.kind === "operation") return operationLine(item, branch);
  const { texts, images, edit, fault, withheldBlocks } = branch.contentsOf(item.entry);
  const size = formatSize(texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
  const head = `[${item.entryId}] ${clock(item.at)} ${labelOf(item)}`;
  if (item.kind === "custom_message") return `${head} (metadata only, its body is withheld)`;
  if (item.kind === "bookkeeping") return head;
  const marks = [
    ...(edit ? [`${edit} by a context edit`] : []),
    ...(fault ? [fault] : []),
    ...(images.length > 0 ? [`${images.length} image(s)`] : []),
    ...(texts.length === 0 && !edit && withheldBlocks > 0 ? ["thinking only, withheld"] : []),
    ...(item.kind === "shell" && isMarkedError(item, branch) ? ["failed"] : []),
  ];
  const opening = firstWords(
    texts.map(({ text }) => text.slice(0, HEAD_LENGTH * 8)).join(" → "),
    HEAD_LENGTH,
  );
  return [`${head} ${size}`, ...marks, ...(opening ? [opening] : [])].join(" | ");
}

function operationLine(item: Operation, branch: Branch): string {
  const { result } = item;
  const ids = result && result.entryId !== item.entryId ? `${item.entryId}→${result.entryId}` : item.entryId;
  const call = item.call ? callWords(item) : "the call is not visible here";
  const head = `[${ids}] ${clock(item.at)} ${item.tool}`;
  if (!result) return `${head} no result at the pin | ${call}`;
  const { texts, images, edit } = branch.contentsOf(result.entry);
  const size = formatSize(texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0));
  const last = edit ? `result ${edit} by a context edit` : lastTellingLine(texts.map(({ text }) => text));
  const pictures = images.length > 0 ? ` + ${images.length} image(s)` : "";
  return `${head} ${result.isMarkedError ? "failed" : "ok"} ${size}${pictures} | ${call}${last ? ` | ${last}` : ""}`;
}

/** The call's arguments, each as `path: value` on one line, bounded. */
export function callWords(item: Operation): string {
  if (!item.call) return "";
  let words = "";
  for (const { path, text } of argumentTexts(item.call)) {
    const value = firstWords(text, ARGUMENTS_LENGTH);
    words += `${words ? ", " : ""}${path ? `${path}: ` : ""}${value}`;
    if (words.length > ARGUMENTS_LENGTH) break;
  }
  return firstWords(words, ARGUMENTS_LENGTH) || "no arguments";
}

/** The end of a result is where it says how it went; Pi's exit-code line alone says too little. */
function lastTellingLine(texts: readonly string[]): string {
  const lines = lastLines(texts.at(-1) ?? "", 2);
  const last = lines.at(-1) ?? "";
  const shown = /^Command exited with code \d+$/.test(last) ? lines.join(" · ") : last;
  return firstWords(shown, LAST_LINE_LENGTH);
}

/** The last lines that hold more than blanks, looked for from the end so that a huge result costs nothing. */
function lastLines(text: string, count: number): string[] {
  const found: string[] = [];
  let end = text.length;
  // A tail of nothing but blank lines is not worth a walk to the start.
  for (let looked = 0; end > 0 && found.length < count && looked < 50; looked += 1) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + LAST_LINE_LENGTH * 8));
    if (line.trim() !== "") found.unshift(line.trim());
    end = start - 1;
  }
  return found;
}

/** A bookkeeping entry is named by what Pi calls it; a custom message by who wrote it. */
export function labelOf(item: Exclude<Item, Operation>): string {
  const { entry } = item;
  if (entry.type === "custom_message") return `custom message of ${firstWords(entry.customType, 60)}`;
  if (item.kind === "custom_message") return "custom message";
  if (entry.type === "custom") return `custom entry of ${firstWords(entry.customType, 60)}`;
  if (item.kind === "bookkeeping") return entry.type.replaceAll("_", " ");
  return item.kind.replaceAll("_", " ");
}

/** `2026-11-30 12:03:11`, UTC. */
export function clock(iso: string): string {
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? "unknown time" : time.toISOString().slice(0, 19).replace("T", " ");
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}
