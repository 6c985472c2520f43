// A component of ready lines, each cut to the width it is drawn in: no line is ever wider.

import type { Component } from "@mariozechner/pi-tui";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@mariozechner/pi-tui";

const ESCAPE = String.fromCharCode(27);
const RESET = `${ESCAPE}[0m`;
const END_OF_TEXT_STYLES = `${ESCAPE}[22;23;24;39m`;

/** What does not fit ends in an ellipsis. */
export function cut(line: string, width: number): string {
  // Pi resets everything around the ellipsis, and so would take the background of whatever surrounds the line.
  return truncateToWidth(line, width, "…").replaceAll(RESET, END_OF_TEXT_STYLES);
}

/** One row a line. */
export function cutLines(lines: readonly string[]): Component {
  return { render: (width) => lines.map((line) => cut(line, width)), invalidate: () => {} };
}

/** As many rows as a line needs. */
export function wrappedLines(lines: readonly string[]): Component {
  return {
    render: (width) => lines.flatMap((line) => wrapTextWithAnsi(line, width)).map((line) => cut(line, width)),
    invalidate: () => {},
  };
}

/** As many rows as the line needs, but no more than `most`; the last one ends in an ellipsis when something is missing. */
export function cappedLines(line: string, most: number): Component {
  return {
    render: (width) => {
      const rows = wrapTextWithAnsi(line, width);
      const shown = rows.slice(0, most).map((row) => cut(row, width));
      if (rows.length > most) shown[most - 1] = cut(`${shown[most - 1]}…`, width);
      return shown;
    },
    invalidate: () => {},
  };
}

/** The rows of several components, one below the other. */
export function stacked(components: readonly Component[]): Component {
  return {
    render: (width) => components.flatMap((component) => component.render(width)),
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

export interface Fact {
  readonly text: string;
  /** Where room is short, the facts of the highest ranks stay. */
  readonly rank: number;
}

/** Stands between two facts. */
export const DOT = " · ";

/**
 * One row of facts with a dot between: the highest ranks that fit, each whole, in the order given.
 * @param paint the colour of the dots
 */
export function fittingLine(facts: readonly Fact[], paint: (dot: string) => string): Component {
  return {
    render: (width) => {
      const kept = new Set<Fact>();
      const row = () =>
        facts
          .filter((fact) => kept.has(fact))
          .map(({ text }) => text)
          .join(paint(DOT));
      for (const fact of facts.toSorted((one, other) => other.rank - one.rank)) {
        const isFirst = kept.size === 0;
        kept.add(fact);
        if (!isFirst && visibleWidth(row()) > width) kept.delete(fact);
      }
      return [cut(row(), width)];
    },
    invalidate: () => {},
  };
}
