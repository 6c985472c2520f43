// The advice card: the advice first and whole, everything else subdued below it.

import type { Component } from "@mariozechner/pi-tui";
import { Box, Spacer } from "@mariozechner/pi-tui";
import { readRecord } from "../core/read-record.ts";
import type { ConsultationRecord } from "../core/record.ts";
import { drawAdvice } from "./advice.ts";
import { cutLines, fittingLine, wrappedLines } from "./lines.ts";
import { metadataFacts, metadataLines } from "./metadata.ts";
import type { Palette } from "./palette.ts";
import { plainLine } from "./plain.ts";

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
  box.addChild(drawAdvice(advice, theme));
  if (!record) return box;
  box.addChild(new Spacer(1));
  const dim = (text: string) => theme.fg("dim", text);
  box.addChild(
    options.expanded
      ? wrappedLines(metadataLines(record).map(dim))
      : fittingLine(
          [
            ...metadataFacts(record).map(({ text, rank }) => ({ text: dim(text), rank })),
            ...(options.expandHint ? [{ text: options.expandHint, rank: 8 }] : []),
          ],
          dim,
        ),
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
