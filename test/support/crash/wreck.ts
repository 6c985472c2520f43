// What lies on disk after a crash: every file must load, and the advice is in the parent once or not at all.

import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import { SessionManager } from "@mariozechner/pi-coding-agent";

export interface Wreck {
  /** The advice stands in the parent where the executor reads it. */
  readonly isAdvised: boolean;
  /** People see it in a card, and the executor's call has no result: Pi writes the two one after the other. */
  readonly isCardOnly: boolean;
  /** Files whose last line was cut off. */
  readonly torn: number;
  /** In words. */
  readonly wrong: readonly string[];
}

export function inspect(parentFile: string, advice: string): Wreck {
  const folder = dirname(parentFile);
  // Pi makes a new file and then writes into it: a kill between the two leaves an empty one, which Pi passes over.
  const files = readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).size > 0);
  const children = files.filter((file) => file !== parentFile);
  const lines = files.map(linesOf);
  const entries = SessionManager.open(parentFile).getEntries();
  const spoken = entries.filter((entry) => isForExecutor(entry) && says(entry, advice)).length;
  const cards = entries.filter((entry) => isCard(entry) && says(entry, advice)).length;
  return {
    isAdvised: spoken > 0,
    isCardOnly: cards > 0 && spoken === 0,
    torn: lines.filter(({ isTorn }) => isTorn).length,
    wrong: [
      ...lines.flatMap(({ wrong }) => wrong),
      ...files.flatMap(brokenChain),
      ...children.flatMap((file) => strayChild(file, parentFile)),
      ...(spoken > 1 ? [`the advice stands ${spoken} times in the parent`] : []),
      ...(cards > 1 ? [`${cards} cards show the advice`] : []),
    ],
  };
}

/** Only the last line of a file may be cut off: an entry is appended in one piece, and nothing is rewritten. */
function linesOf(file: string): { readonly isTorn: boolean; readonly wrong: readonly string[] } {
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").filter(Boolean);
  const broken = lines.flatMap((line, n) => (isJson(line) ? [] : [n]));
  const isTorn = broken.length === 1 && broken[0] === lines.length - 1;
  const wrong = broken.length > 0 && !isTorn ? [`${basename(file)} has broken lines: ${broken}`] : [];
  return { isTorn, wrong };
}

/** Every entry hangs on one that is there. */
function brokenChain(file: string): string[] {
  const entries = SessionManager.open(file).getEntries();
  const ids = new Set(entries.map(({ id }) => id));
  return entries.flatMap(({ id, parentId }) =>
    parentId === null || ids.has(parentId)
      ? []
      : [`${basename(file)}: entry ${id} hangs on one that is not there`],
  );
}

/**
 * A child says from its first line on whose it is, so that nobody takes it for a session of people. Pi writes a new file
 * line by line, so a kill may leave that first line alone.
 */
function strayChild(file: string, parentFile: string): string[] {
  const [header = "", entry = ""] = readFileSync(file, "utf8").split("\n");
  const isLinked = header.includes(JSON.stringify(parentFile));
  const isMarked = entry.includes('"angel-consultation"') || !isJson(entry);
  if (isLinked && isMarked) return [];
  return [`${basename(file)} does not say whose child it is: ${header} ${entry}`];
}

function isForExecutor(entry: SessionEntry): boolean {
  if (entry.type === "message") return entry.message.role === "toolResult";
  return entry.type === "custom_message";
}

function isCard(entry: SessionEntry): boolean {
  return entry.type === "custom" && entry.customType === "angel-advice-card";
}

function says(entry: SessionEntry, advice: string): boolean {
  return JSON.stringify(entry).includes(advice);
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
