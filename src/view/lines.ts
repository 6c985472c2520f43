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
