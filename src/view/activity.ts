// What the advisor is doing right now, in a few words.

import { firstWords } from "../core/naming.ts";
import type { Progress } from "../core/progress.ts";
import { plainLine } from "./plain.ts";

const SUBJECT_LENGTH = 60;

export function activityWords(progress: Progress): string {
  const tools =
    progress.toolCount > 0 ? ` · ${progress.toolCount} tool${progress.toolCount === 1 ? "" : "s"}` : "";
  return `${doing(progress)}${tools}`;
}

function doing({ tool, retry, provisional }: Progress): string {
  if (retry) return `waiting for the provider, retry ${retry.attempt} of ${retry.maxAttempts}`;
  if (!tool) return provisional === "" ? "thinking" : "writing";
  const subject = plainLine(firstWords(subjectOf(tool.args), SUBJECT_LENGTH));
  const action = tool.name === "parent_session" ? sessionAction(tool.args) : ownWord(tool.name);
  return [action ?? `using ${plainLine(tool.name)}`, ...(subject ? [subject] : [])].join(" ");
}

const TOOL_WORDS: Readonly<Record<string, string>> = {
  read: "reading",
  ls: "listing",
  find: "looking for",
  grep: "searching for",
};

/** A model may call a tool "constructor". */
function ownWord(name: string): string | undefined {
  return Object.hasOwn(TOOL_WORDS, name) ? TOOL_WORDS[name] : undefined;
}

function sessionAction(args: unknown): string {
  const action = field(args, "action");
  return action === "search" ? "searching the parent session for" : "reading the parent session";
}

function subjectOf(args: unknown): string {
  const named = field(args, "pattern") ?? field(args, "query") ?? field(args, "path");
  return typeof named === "string" ? named : "";
}

function field(args: unknown, name: string): unknown {
  return typeof args === "object" && args !== null ? Reflect.get(args, name) : undefined;
}
