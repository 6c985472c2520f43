// Esc for a consultation that runs while the session is idle, where Pi itself has nothing to interrupt. The
// key is taken only when Pi's own editor has the focus and would do nothing with it.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import { CustomEditor } from "@mariozechner/pi-coding-agent";
import type { Component, TUI } from "@mariozechner/pi-tui";
import { getKeybindings, isFocusable } from "@mariozechner/pi-tui";

export interface InterruptKey {
  readonly ctx: Pick<ExtensionContext, "ui" | "mode" | "isIdle">;
  readonly terminal: () => TUI | undefined;
  /** False while something else may wait for the key, such as a shell command of the user. */
  readonly isFree: () => boolean;
  readonly interrupt: () => void;
}

/** @returns stops listening */
export function listenForInterrupt({ ctx, terminal, isFree, interrupt }: InterruptKey): () => void {
  if (ctx.mode !== "tui") return () => {};
  return ctx.ui.onTerminalInput((data) => {
    if (!getKeybindings().matches(data, "app.interrupt")) return undefined;
    const tui = terminal();
    if (!tui || !ctx.isIdle() || !isFree() || tui.hasOverlay() || !isEditorListening(tui)) return undefined;
    interrupt();
    return { consume: true };
  });
}

function isEditorListening(tui: TUI): boolean {
  const editor = focusedIn(tui.children);
  if (!(editor instanceof CustomEditor) || editor.isShowingAutocomplete()) return false;
  // Pi's Esc leaves the shell mode of such a line.
  return !editor.getText().trimStart().startsWith("!");
}

/** Pi tells nobody what has the focus, but every component that can have it says so itself. */
function focusedIn(components: readonly Component[]): Component | undefined {
  for (const component of components) {
    if (isFocusable(component) && component.focused) return component;
    const inner: unknown = Reflect.get(component, "children");
    const found = Array.isArray(inner) ? focusedIn(inner) : undefined;
    if (found) return found;
  }
  return undefined;
}
