// One sentence to the user, where each mode has a place for it, and, where asked for, never the same one twice.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { writeStandardOutput } from "./standard-output.ts";

export type Notify = (
  sentence: string,
  kind: "info" | "warning" | "error",
  ctx: Pick<ExtensionContext, "hasUI" | "ui" | "mode">,
) => void;

/** print and json mode have no notices, and their standard output belongs to the answer. */
export const notify: Notify = (sentence, kind, ctx) => {
  if (ctx.hasUI) ctx.ui.notify(sentence, kind);
  else console.error(sentence);
};

/** The answer to a command: print mode was started for nothing else, so there it is the output. */
export const tell: Notify = (sentence, kind, ctx) => {
  if (ctx.mode === "print") writeStandardOutput(`${sentence}\n`);
  else notify(sentence, kind, ctx);
};

export function onceEach(tell: Notify): Notify {
  const told = new Set<string>();
  return (sentence, kind, ctx) => {
    if (told.has(sentence)) return;
    told.add(sentence);
    tell(sentence, kind, ctx);
  };
}
