// The board above the editor: one line for each consultation that has no tool row, while it waits or runs.
// It is there only as long as somebody has a line on it.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { TUI } from "@mariozechner/pi-tui";
import { cutLines } from "../view/lines.ts";
import { plainLine } from "../view/plain.ts";

const WIDGET = "angel";

export interface BoardLine {
  say(words: string): void;
  close(): void;
}

export interface Board {
  /** @param heading who asks what; @param hint the key or command that stops it */
  open(surface: Surface, heading: string, hint: string): BoardLine;
  /** The terminal that the board is drawn in; undefined outside of one, or while the board is empty. */
  terminal(): TUI | undefined;
}

export type Surface = Pick<ExtensionContext, "ui" | "mode">;

interface Row {
  readonly heading: string;
  readonly hint: string;
  words: string;
}

export function hangBoard(): Board {
  const rows = new Set<Row>();
  let terminal: TUI | undefined;

  const lines = () =>
    [...rows]
      .flatMap(({ heading, words, hint }) => [`Angel · ${heading}`, `  ${words} · ${hint}`])
      .map(rowLine);

  const draw = ({ ui, mode }: Surface) => {
    if (rows.size === 0) {
      terminal = undefined;
      ui.setWidget(WIDGET, undefined);
    } else if (mode !== "tui") ui.setWidget(WIDGET, lines());
    else if (terminal) terminal.requestRender();
    else {
      ui.setWidget(WIDGET, (tui, theme) => {
        terminal = tui;
        return {
          render: (width) => cutLines(lines().map((line) => theme.fg("muted", line))).render(width),
          invalidate: () => {},
        };
      });
    }
  };

  return {
    open(surface, heading, hint) {
      const row: Row = { heading, hint, words: "starting" };
      rows.add(row);
      draw(surface);
      return {
        say(words) {
          if (words === row.words || !rows.has(row)) return;
          row.words = words;
          draw(surface);
        },
        close() {
          if (rows.delete(row)) draw(surface);
        },
      };
    },
    terminal: () => terminal,
  };
}

/** Two blanks at the start set the second line of a row off. */
function rowLine(line: string): string {
  return (line.startsWith("  ") ? "  " : "") + plainLine(line);
}
