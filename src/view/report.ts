// A report on the screen: a quiet sentence, never styled like advice.

import type { Component } from "@mariozechner/pi-tui";
import { readRecord } from "../core/read-record.ts";
import { cappedLines, DOT, indented, wrappedLines } from "./lines.ts";
import { metadataLines } from "./metadata.ts";
import type { Palette } from "./palette.ts";
import { plainLine } from "./plain.ts";

/** A reason that needs more is read in full when the report is expanded. */
const SHOWN_LINES = 3;

/** @param data what a report entry holds; another version may have written it */
export function drawReport(
  data: unknown,
  options: { readonly expanded: boolean; readonly expandHint: string },
  theme: Palette,
): Component {
  const { sentence, record: found } = readReport(data);
  const record = readRecord(found);
  const words = record?.reason
    ? [...(record.subject ? [record.subject] : []), `${record.outcome}: ${record.reason}`]
    : [sentence];
  const head = `${theme.fg("warning", "Angel")} ${theme.fg("muted", `· ${words.map(plainLine).join(" · ")}`)}`;
  const lines = options.expanded && record ? metadataLines(record) : [];
  const hint = options.expandHint && record ? `${theme.fg("muted", DOT)}${options.expandHint}` : "";
  const body = options.expanded ? wrappedLines([head]) : cappedLines(`${head}${hint}`, SHOWN_LINES);
  return indented([body, wrappedLines(lines.map((line) => theme.fg("dim", line)))]);
}

function readReport(data: unknown): { sentence: string; record: unknown } {
  if (typeof data !== "object" || data === null)
    return { sentence: "A report without words.", record: undefined };
  const sentence: unknown = Reflect.get(data, "sentence");
  return {
    sentence: typeof sentence === "string" ? sentence : "A report that this version cannot read.",
    record: Reflect.get(data, "record"),
  };
}
