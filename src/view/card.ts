// The advice card: the advice first and whole, everything else subdued below it.

import { getMarkdownTheme } from "@mariozechner/pi-coding-agent";
import type { Component } from "@mariozechner/pi-tui";
import { Box, Markdown, Spacer } from "@mariozechner/pi-tui";
import { readRecord } from "../core/read-record.ts";
import type { ConsultationRecord } from "../core/record.ts";
import { cutLines, wrappedLines } from "./lines.ts";
import { metadataLine, metadataLines } from "./metadata.ts";
import type { Palette } from "./palette.ts";
import { plainLine, plainText } from "./plain.ts";

export interface CardOptions {
  readonly expanded: boolean;
  readonly expandHint: string;
  /** Horizontal padding of the host's transcript, in columns. */
  readonly padding: number;
}

export function drawCard(advice: string, details: unknown, options: CardOptions, theme: Palette): Component {
  const record = readRecord(details);
  const box = new Box(options.padding, 1, (text) => theme.bg("customMessageBg", text));
  const origin = record ? theme.fg("muted", ` · ${occasion(record)}`) : "";
  box.addChild(cutLines([`${theme.fg("customMessageLabel", theme.bold("Angel"))}${origin}`]));
  box.addChild(new Spacer(1));
  box.addChild(
    new Markdown(plainText(advice), 0, 0, getMarkdownTheme(), {
      color: (text) => theme.fg("customMessageText", text),
    }),
  );
  if (!record) return box;
  box.addChild(new Spacer(1));
  const dim = (text: string) => theme.fg("dim", text);
  box.addChild(
    options.expanded
      ? wrappedLines(metadataLines(record).map(dim))
      : cutLines([`${dim(metadataLine(record))}${options.expandHint ? ` · ${options.expandHint}` : ""}`]),
  );
  return box;
}

function occasion({ origin, subject }: ConsultationRecord): string {
  const about = subject === undefined ? "" : ` · ${plainLine(subject)}`;
  switch (origin) {
    case "executor":
      return `asked by the executor${about}`;
    case "human":
      return `asked by you${about}`;
    case "error":
      return subject === undefined ? "an operation failed again" : `${plainLine(subject)} failed again`;
    default:
      return `${plainLine(origin)}${about}`;
  }
}
