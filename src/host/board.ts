// The board above the editor: what each consultation that has no tool row does, while it waits or runs.
// It is there only as long as somebody has a line on it.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { TUI } from "@mariozechner/pi-tui";
import type { BoardRow } from "../view/board-rows.ts";
import { boardText, drawBoard } from "../view/board-rows.ts";
import type { Live } from "../view/live.ts";

const WIDGET = "angel";

export interface BoardLine {
  say(words: string): void;
  /** What the consultation does, and what it writes meanwhile. */
  show(live: Live): void;
  close(): void;
}

export interface Board {
  /** @param heading who asks what; @param hint the key or command that stops it */
  open(surface: Surface, heading: string, hint: string): BoardLine;
  /** The terminal that the board is drawn in; undefined outside of one, or while the board is empty. */
  terminal(): TUI | undefined;
}

export type Surface = Pick<ExtensionContext, "ui" | "mode">;

interface Place {
  row: BoardRow;
}

/** Often enough for a spinner and to read along; each time the terminal draws itself anew. */
const DRAW_EVERY_MS = 300;

/** @param now milliseconds, the clock of what is shown */
export function hangBoard(now: () => number): Board {
  const places = new Set<Place>();
  let terminal: TUI | undefined;
  const rows = () => [...places].map(({ row }) => row);

  const draw = ({ ui, mode }: Surface) => {
    if (places.size === 0) {
      terminal = undefined;
      ui.setWidget(WIDGET, undefined);
    } else if (mode !== "tui") ui.setWidget(WIDGET, boardText(rows()));
    else if (!terminal) {
      ui.setWidget(WIDGET, (tui, theme) => {
        terminal = tui;
        // What changes is drawn with the next turn of the spinner.
        const drawing = setInterval(() => tui.requestRender(), DRAW_EVERY_MS);
        return {
          render: (width) => drawBoard(rows(), now, theme).render(width),
          invalidate: () => {},
          dispose: () => clearInterval(drawing),
        };
      });
    }
  };

  return {
    open(surface, heading, hint) {
      const place: Place = { row: { heading, hint, live: { words: "starting" } } };
      places.add(place);
      draw(surface);
      const show = (live: Live) => {
        // Where every change is an event for a client, only words are news.
        const isNews = live.words !== place.row.live.words || surface.mode === "tui";
        if (!isNews || !places.has(place)) return;
        place.row = { ...place.row, live };
        draw(surface);
      };
      return {
        say: (words) => show({ words }),
        show,
        close() {
          if (places.delete(place)) draw(surface);
        },
      };
    },
    terminal: () => terminal,
  };
}
