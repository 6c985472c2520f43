// The `angel` tool's row. Collapsed it is one line of question and one line of state, never the advice.

import type { Component } from "@mariozechner/pi-tui";
import { Spacer, visibleWidth } from "@mariozechner/pi-tui";
import { readRecord } from "../core/read-record.ts";
import { drawAdvice } from "./advice.ts";
import { cut, cutLines, DOT, fittingLine, stacked, wrappedLines } from "./lines.ts";
import { metadataFacts, metadataLines } from "./metadata.ts";
import type { Palette } from "./palette.ts";
import { plainLine, plainText } from "./plain.ts";

export interface RowOptions {
  readonly expanded: boolean;
  /** "ctrl+o to expand", styled by the host. */
  readonly expandHint: string;
  /** Whether no card stands beside the row, as on an exported page: then it holds the advice when expanded. */
  readonly isAlone: boolean;
}

/** The head of a question that a collapsed line can show, with room to spare for any terminal. */
const LINE_HEAD = 1000;
/** A shorter part of a reason says nothing. */
const REASON_MIN = 24;

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

export function drawResult(details: unknown, text: string, options: RowOptions, theme: Palette): Component {
  const muted = (words: string) => theme.fg("muted", words);
  const record = readRecord(details);
  // A result without a record: refused before there was a consultation, or written by another version.
  if (!record) return cutLines([muted(plainLine(text.slice(0, LINE_HEAD)))]);
  const state =
    record.outcome === "advised"
      ? theme.fg("success", "advised")
      : theme.fg(
          record.outcome === "failed" ? "error" : "warning",
          `${record.outcome}: ${plainLine(record.reason ?? "")}`,
        );
  if (options.expanded) {
    const lines = wrappedLines([state, ...metadataLines(record).map(muted)]);
    return options.isAlone && record.outcome === "advised"
      ? stacked([lines, new Spacer(1), drawAdvice(text, theme)])
      : lines;
  }
  return {
    render: (width) => {
      // A long reason leaves room for the key that shows the whole of it.
      const room = width - DOT.length - visibleWidth(options.expandHint);
      const facts = [
        { text: room < REASON_MIN ? state : cut(state, room), rank: 9 },
        ...metadataFacts(record).map(({ text: fact, rank }) => ({ text: muted(fact), rank })),
        ...(options.expandHint ? [{ text: options.expandHint, rank: 8 }] : []),
      ];
      return fittingLine(facts, muted).render(width);
    },
    invalidate: () => {},
  };
}

function textOf(args: unknown, name: string): string {
  const value: unknown = typeof args === "object" && args !== null ? Reflect.get(args, name) : undefined;
  return typeof value === "string" ? value : "";
}
