/** A captured terminal screen taken apart: each run of text in one style, with its place. */

import { visibleWidth } from "@mariozechner/pi-tui";

export interface Style {
  readonly fg?: string;
  readonly bg?: string;
  readonly isBold?: boolean;
  readonly isItalic?: boolean;
  readonly isUnderlined?: boolean;
  readonly isInverse?: boolean;
}

export interface Run {
  readonly text: string;
  readonly style: Style;
  readonly row: number;
  readonly column: number;
  readonly width: number;
}

/** Colour sequences change the style; every other sequence has no place in a picture. */
const ESCAPE = String.fromCharCode(27);
const COLOURS = `${ESCAPE}\\[([\\d;]*)m`;
const LINK = `${ESCAPE}\\].*?${ESCAPE}\\\\`;
const PIECE = new RegExp(`${COLOURS}|${LINK}|([^${ESCAPE}]+)`, "g");

export function readRuns(rows: readonly string[]): Run[] {
  const runs: Run[] = [];
  // tmux says what changes, also from one row to the next.
  let style: Style = {};
  for (const [row, line] of rows.entries()) {
    let column = 0;
    for (const [, codes, text] of line.matchAll(PIECE)) {
      if (codes !== undefined) style = restyle(style, codes.split(";").map(Number));
      if (text === undefined) continue;
      const width = visibleWidth(text);
      runs.push({ text, style, row, column, width });
      column += width;
    }
  }
  return runs;
}

function restyle(style: Style, [code, ...rest]: readonly number[]): Style {
  if (code === undefined) return style;
  if (code === 38 || code === 48) {
    const [kind, ...values] = rest;
    const taken = kind === 2 ? 3 : 1;
    const colour = kind === 2 ? hex(values.slice(0, 3)) : indexed(values[0] ?? 0);
    return restyle({ ...style, [code === 38 ? "fg" : "bg"]: colour }, values.slice(taken));
  }
  return restyle(applied(style, code), rest);
}

function applied(style: Style, code: number): Style {
  const { fg: _fg, ...withoutInk } = style;
  const { bg: _bg, ...withoutPaper } = style;
  switch (code) {
    case 0:
      return {};
    case 1:
      return { ...style, isBold: true };
    case 3:
      return { ...style, isItalic: true };
    case 4:
      return { ...style, isUnderlined: true };
    case 7:
      return { ...style, isInverse: true };
    case 22:
      return { ...style, isBold: false };
    case 23:
      return { ...style, isItalic: false };
    case 24:
      return { ...style, isUnderlined: false };
    case 27:
      return { ...style, isInverse: false };
    case 39:
      return withoutInk;
    case 49:
      return withoutPaper;
    default:
      return style;
  }
}

/** The colour cube and the greys of 256 colours; Pi's themes use no others. */
function indexed(index: number): string {
  if (index >= 232) return hex(Array<number>(3).fill(8 + (index - 232) * 10));
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
  const cube = index - 16;
  return hex([level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]);
}

function hex(values: readonly number[]): string {
  return `#${values.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
