// A report on the screen: one or two quiet lines.

import type { Component } from "@mariozechner/pi-tui";
import { readRecord } from "../core/read-record.ts";
import { cutLines, wrappedLines } from "./lines.ts";
import { metadataLine, metadataLines } from "./metadata.ts";
import type { Palette } from "./palette.ts";
import { plainLine } from "./plain.ts";

/** @param data what a report entry holds; another version may have written it */
export function drawReport(
  data: unknown,
  options: { readonly expanded: boolean },
  theme: Palette,
): Component {
  const { sentence, record: found } = readReport(data);
  const record = readRecord(found);
  const head = ` ${theme.fg("warning", "Angel")} ${theme.fg("muted", plainLine(sentence))}`;
  if (options.expanded) {
    return wrappedLines([
      head,
      ...(record ? metadataLines(record) : []).map((line) => ` ${theme.fg("dim", line)}`),
    ]);
  }
  return cutLines([head, ...(record?.childSessionId ? [` ${theme.fg("dim", metadataLine(record))}`] : [])]);
}

function readReport(data: unknown): { sentence: string; record: unknown } {
  if (typeof data !== "object" || data === null)
    return { sentence: "left a report without words.", record: undefined };
  const sentence: unknown = Reflect.get(data, "sentence");
  return {
    sentence: typeof sentence === "string" ? sentence : "left a report that this version cannot read.",
    record: Reflect.get(data, "record"),
  };
}
