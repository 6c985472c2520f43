// The `angel` tool's row. Collapsed it is one line of question and one line of state, never the advice.

import type { Component } from "@mariozechner/pi-tui";
import { readRecord } from "../core/read-record.ts";
import { cutLines, wrappedLines } from "./lines.ts";
import { metadataLine, metadataLines } from "./metadata.ts";
import type { Palette } from "./palette.ts";
import { plainLine, plainText } from "./plain.ts";

export interface RowOptions {
  readonly expanded: boolean;
  /** "ctrl+o to expand", styled by the host. */
  readonly expandHint: string;
}

/** The head of a question that a collapsed line can show, with room to spare for any terminal. */
const LINE_HEAD = 1000;

/** The arguments may be half streamed: anything in them can be missing or of another type. */
export function drawCall(args: unknown, options: Pick<RowOptions, "expanded">, theme: Palette): Component {
  const question = textOf(args, "question");
  const context = textOf(args, "context");
  const title = theme.fg("toolTitle", theme.bold("angel"));
  if (!options.expanded) {
    return cutLines([`${title} ${theme.fg("accent", plainLine(question.slice(0, LINE_HEAD)))}`]);
  }
  return wrappedLines([
    title,
    ...plainText(question).split("\n"),
    ...(context ? [theme.fg("muted", "context:"), ...plainText(context).split("\n")] : []),
  ]);
}

/** While it runs: what the advisor does, as the tool's partial result says it. */
export function drawProgress(words: string, theme: Palette): Component {
  return cutLines([theme.fg("muted", plainLine(words.slice(0, LINE_HEAD)))]);
}

export function drawResult(details: unknown, text: string, options: RowOptions, theme: Palette): Component {
  const record = readRecord(details);
  // A result without a record: refused before there was a consultation, or written by another version.
  if (!record) return cutLines([theme.fg("muted", plainLine(text.slice(0, LINE_HEAD)))]);
  const state =
    record.outcome === "advised"
      ? theme.fg("success", "advised")
      : theme.fg(
          record.outcome === "failed" ? "error" : "warning",
          `${record.outcome}: ${plainLine(record.reason ?? "")}`,
        );
  if (options.expanded) {
    return wrappedLines([state, ...metadataLines(record).map((line) => theme.fg("muted", line))]);
  }
  const hint = options.expandHint ? ` · ${options.expandHint}` : "";
  return cutLines([`${state} ${theme.fg("muted", `· ${metadataLine(record)}`)}${hint}`]);
}

function textOf(args: unknown, name: string): string {
  const value: unknown = typeof args === "object" && args !== null ? Reflect.get(args, name) : undefined;
  return typeof value === "string" ? value : "";
}
