// The rows of the board: first the consultation that runs, then what waits, and no more of them than leave room for
// everything else.

import type { Component } from "@mariozechner/pi-tui";
import { cutLines, indented, stacked } from "./lines.ts";
import type { Live } from "./live.ts";
import { drawLive } from "./live.ts";
import type { Palette } from "./palette.ts";
import { plainLine } from "./plain.ts";

export interface BoardRow {
  /** Who asks what. */
  readonly heading: string;
  /** The key or command that stops it. */
  readonly hint: string;
  readonly live: Live;
}

const SHOWN_ROWS = 3;

export function drawBoard(rows: readonly BoardRow[], now: () => number, theme: Palette): Component {
  const more = rows.length - SHOWN_ROWS;
  const byState = rows.toSorted((one, other) => Number(isWaiting(one)) - Number(isWaiting(other)));
  return indented([
    ...byState.slice(0, SHOWN_ROWS).map((row) => drawRow(row, now, theme)),
    ...(more > 0 ? [cutLines([theme.fg("muted", `and ${more} more that wait`)])] : []),
  ]);
}

/** The same for clients that show lines. */
export function boardText(rows: readonly BoardRow[]): string[] {
  return rows.flatMap(({ heading, live, hint }) => [
    plainLine(`Angel · ${heading}`),
    `  ${plainLine(`${live.words} · ${hint}`)}`,
  ]);
}

function isWaiting({ live }: BoardRow): boolean {
  return live.sinceMs === undefined;
}

function drawRow({ heading, hint, live }: BoardRow, now: () => number, theme: Palette): Component {
  return stacked([
    cutLines([theme.fg("muted", plainLine(`Angel · ${heading}`))]),
    drawLive(live, { showsText: true, now, hint }, theme),
  ]);
}
