// A captured terminal screen as an SVG picture. Every run of one style gets its exact place and width, so that
// the columns stand whatever font the viewer has.

import type { Run } from "../test/support/styled-runs.ts";
import { readRuns } from "../test/support/styled-runs.ts";

export interface Picture {
  /** The rows of the screen with the escape sequences of their colours, as `tmux capture-pane -e` gives them. */
  readonly rows: readonly string[];
  readonly cols: number;
  readonly isDark: boolean;
  /** What the picture shows, for those who cannot see it. */
  readonly title: string;
}

const CELL = { width: 8.4, height: 18, baseline: 13.5, fontSize: 14 } as const;
const MARGIN = 14;
const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
const DARK = { fg: "#d4d4d4", bg: "#16181d" } as const;
const LIGHT = { fg: "#24292f", bg: "#ffffff" } as const;

export function drawPicture({ rows, cols, isDark, title }: Picture): string {
  const plain = isDark ? DARK : LIGHT;
  const width = Math.ceil(cols * CELL.width + 2 * MARGIN);
  const height = rows.length * CELL.height + 2 * MARGIN;
  const body = readRuns(rows).flatMap((run) => drawRun(run, plain));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="${CELL.fontSize}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${plain.bg}"/>`,
    ...body,
    "</svg>\n",
  ].join("\n");
}

function drawRun({ text, style, row, column, width }: Run, plain: { fg: string; bg: string }): string[] {
  const { fg = plain.fg, bg = plain.bg, isInverse, isBold, isItalic, isUnderlined } = style;
  const [ink, paper] = isInverse ? [bg, fg] : [fg, bg];
  const [x, top, length] = [MARGIN + column * CELL.width, MARGIN + row * CELL.height, width * CELL.width];
  const place = `x="${round(x)}"`;
  const looks =
    (isBold ? ' font-weight="bold"' : "") +
    (isItalic ? ' font-style="italic"' : "") +
    (isUnderlined ? ' text-decoration="underline"' : "");
  return [
    ...(paper === plain.bg
      ? []
      : [
          `<rect ${place} y="${round(top)}" width="${round(length)}" height="${CELL.height}" fill="${paper}"/>`,
        ]),
    ...(text.trim() === ""
      ? []
      : [
          `<text ${place} y="${round(top + CELL.baseline)}" fill="${ink}"${looks} textLength="${round(length)}" xml:space="preserve">${escapeXml(text)}</text>`,
        ]),
  ];
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
