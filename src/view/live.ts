// A consultation while it works: what it does, for how long, and the end of what it writes. All of it is
// provisional and bounded, and none of it is kept.

import type { Component } from "@mariozechner/pi-tui";
import { visibleWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui";
import { cut, fittingLine } from "./lines.ts";
import { seconds } from "./metadata.ts";
import type { Palette } from "./palette.ts";
import { plainLine, plainText } from "./plain.ts";

export interface Live {
  /** What it does, or what it waits for, in a few words. */
  readonly words: string;
  /** When it started, by the clock that draws it, in milliseconds; absent while it waits. */
  readonly sinceMs?: number;
  /** The end of the text that is being written. */
  readonly provisional?: string;
}

export interface LiveOptions {
  /** Milliseconds. */
  readonly now: () => number;
  /** Whether the last lines of what is being written stand below, instead of one beside the state. */
  readonly showsText: boolean;
  /** The key or command that stops it or shows more; empty: none. */
  readonly hint: string;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const FRAME_MS = 100;
const WAITING = "○";
const SHOWN_LINES = 3;
/** No more of a line than any terminal shows, so that a long one costs nothing. */
const LINE_END = 1000;
const BESIDE = " · provisional: ";
/** Less than this says nothing. */
const BESIDE_MIN = 16;

export function drawLive(live: Live, options: LiveOptions, theme: Palette): Component {
  const { words, provisional = "" } = live;
  return {
    render(width) {
      const state = stateRow({ ...live, words: plainLine(words.slice(0, LINE_END)) }, options, theme, width);
      if (!isText(provisional)) return [state];
      const dim = (text: string) => cut(theme.fg("dim", text), width);
      if (options.showsText) {
        const rows = lastRows(provisional, width - 2).map((row) => dim(`│ ${row}`));
        return [state, dim("┌ provisional, may still change"), ...rows];
      }
      const room = width - visibleWidth(state) - BESIDE.length;
      if (room < BESIDE_MIN) return [state];
      return [`${state}${theme.fg("dim", `${BESIDE}${lastRows(provisional, room).at(-1) ?? ""}`)}`];
    },
    invalidate: () => {},
  };
}

/** The frame goes by the clock: whoever redraws the screen turns the spinner, and no timer is left behind. */
function stateRow(
  { words, sinceMs, provisional }: Live,
  { now, hint, showsText }: LiveOptions,
  theme: Palette,
  width: number,
): string {
  const muted = (text: string) => theme.fg("muted", text);
  const frame = FRAMES[Math.floor(now() / FRAME_MS) % FRAMES.length] ?? FRAMES[0];
  const mark = sinceMs === undefined ? muted(WAITING) : theme.fg("accent", frame);
  const isTextBeside = !showsText && isText(provisional);
  const facts = [
    { text: `${mark} ${muted(words)}`, rank: 3 },
    ...(sinceMs === undefined ? [] : [{ text: muted(seconds(now() - sinceMs, "whole")), rank: 1 }]),
    ...(hint === "" || isTextBeside ? [] : [{ text: muted(hint), rank: 2 }]),
  ];
  const [row = ""] = fittingLine(facts, muted).render(width);
  return row;
}

/** The last lines that say something; a line of signs alone, such as the start of a list, is passed over. */
function lastRows(text: string, width: number): string[] {
  const lines = plainText(text).split("\n").filter(isText).slice(-SHOWN_LINES);
  return lines
    .flatMap((line) => wrapTextWithAnsi(endOf(line), Math.max(1, width)))
    .slice(-SHOWN_LINES)
    .map((row) => cut(row, Math.max(1, width)));
}

function isText(words = ""): boolean {
  return /[\p{L}\p{N}]/u.test(words);
}

/** Not from the middle of a character. */
function endOf(line: string): string {
  return line.slice(-LINE_END).replace(/^[\uDC00-\uDFFF]/, "");
}
