// A model's text made safe for a terminal: no control sequence passes, and characters that reorder
// or hide text become visible.

import { stripTerminalSequences } from "@mariozechner/pi-tui";

/** What reorders or hides text, or shows as nothing; joiners stay, since scripts and emoji are written with them. */
const HIDDEN =
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}";
/** The flags of England, Scotland and Wales are spelt in hidden letters. */
const FLAG = "\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{5}\\u{e007f}";
const FLAG_OR_HIDDEN = new RegExp(`${FLAG}|[${HIDDEN}]`, "gu");

/** Keeps line breaks; tabs become blanks, whose width every terminal agrees on. */
export function plainText(text: string): string {
  return stripTerminalSequences(text)
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replaceAll("\t", "    ")
    .replace(/(?!\n)\p{Cc}/gu, "�")
    .replace(FLAG_OR_HIDDEN, (found) => (isFlag(found) ? found : `⟨${codePoint(found)}⟩`));
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

function isFlag(found: string): boolean {
  return found.length > 2;
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
