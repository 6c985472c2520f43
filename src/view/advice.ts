// Advice on the screen: the whole of it as Markdown, made safe for a terminal.

import { getMarkdownTheme } from "@mariozechner/pi-coding-agent";
import type { Component } from "@mariozechner/pi-tui";
import { Markdown } from "@mariozechner/pi-tui";
import { wrappedLines } from "./lines.ts";
import type { Palette } from "./palette.ts";
import { plainText } from "./plain.ts";

export function drawAdvice(advice: string, theme: Palette): Component {
  if (advice.trim() === "")
    return wrappedLines([theme.fg("muted", "This entry holds no advice that can be read.")]);
  // Pi's themes mute the text of custom messages; advice is to be read like an answer.
  return new Markdown(plainText(advice), 0, 0, getMarkdownTheme(), {
    color: (text) => theme.fg("text", text),
  });
}
