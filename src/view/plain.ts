// A model's text made safe for a terminal: no control sequence passes, and characters that reorder
// or hide text become visible.

import { stripTerminalSequences } from "@mariozechner/pi-tui";

/** Keeps line breaks; tabs become blanks, whose width every terminal agrees on. */
export function plainText(text: string): string {
  return stripTerminalSequences(text)
    .replace(/\r\n?/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/(?!\n)\p{Cc}/gu, "�")
    .replace(
      /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
      (hidden) => `⟨${codePoint(hidden)}⟩`,
    );
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
