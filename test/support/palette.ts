// A palette that colours like a terminal theme, so that widths are measured with escape sequences in place.

import { initTheme } from "@mariozechner/pi-coding-agent";
import type { Palette } from "../../src/view/palette.ts";

/** Markdown is drawn with Pi's own theme, which has to be there. */
export function palette(): Palette {
  initTheme("dark");
  const paint = (code: number) => (text: string) => `\u001b[${code}m${text}\u001b[0m`;
  return { fg: (_color, text) => paint(36)(text), bg: (_color, text) => paint(44)(text), bold: paint(1) };
}
