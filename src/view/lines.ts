// A component of ready lines, each cut to the width it is drawn in: no line is ever wider.

import type { Component } from "@mariozechner/pi-tui";
import { truncateToWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui";

/** One row a line; what does not fit ends in an ellipsis. */
export function cutLines(lines: readonly string[]): Component {
  return { render: (width) => lines.map((line) => truncateToWidth(line, width, "…")), invalidate: () => {} };
}

/** As many rows as a line needs. */
export function wrappedLines(lines: readonly string[]): Component {
  return {
    render: (width) =>
      lines.flatMap((line) => wrapTextWithAnsi(line, width)).map((line) => truncateToWidth(line, width, "…")),
    invalidate: () => {},
  };
}

/** As many rows as the line needs, but no more than `most`; the last one ends in an ellipsis when something is missing. */
export function cappedLines(line: string, most: number): Component {
  return {
    render: (width) => {
      const rows = wrapTextWithAnsi(line, width);
      const shown = rows.slice(0, most).map((row) => truncateToWidth(row, width, "…"));
      if (rows.length > most) shown[most - 1] = truncateToWidth(`${shown[most - 1]}…`, width, "…");
      return shown;
    },
    invalidate: () => {},
  };
}

/** The rows of several components with one blank before each, wrapped lines too. */
export function indented(components: readonly Component[]): Component {
  return {
    render: (width) =>
      components.flatMap((component) => component.render(Math.max(1, width - 1)).map((row) => ` ${row}`)),
    invalidate: () => {},
  };
}
