// The temporary widget of a consultation that has no tool row: what it does now, and how to stop it.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Progress } from "../core/progress.ts";
import { activityWords } from "../view/activity.ts";

const WIDGET = "angel";

export interface LiveView {
  show(progress: Progress): void;
  close(): void;
}

/** @param heading who is being advised on what, and how to stop it */
export function openLiveView(ui: ExtensionContext["ui"], heading: string): LiveView {
  let shown = "";
  const draw = (words: string) => {
    if (words === shown) return;
    shown = words;
    ui.setWidget(WIDGET, [heading, `  ${words}`]);
  };
  draw("starting");
  return {
    show: (progress) => draw(activityWords(progress)),
    close: () => ui.setWidget(WIDGET, undefined),
  };
}
