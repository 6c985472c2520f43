/** The screen of an in-process session, as far as notices go: it keeps them, and has nothing else. */

import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import type { SessionOptions } from "./in-process.ts";

export interface NoticeBoard {
  readonly bindings: NonNullable<SessionOptions["bindings"]>;
  /** All notices so far, oldest first, each with its kind in front: "error: …". */
  readonly notices: readonly string[];
}

export function hangNoticeBoard(): NoticeBoard {
  const notices: string[] = [];
  const screen: Pick<ExtensionUIContext, "notify" | "setWidget" | "setStatus"> = {
    notify: (message, kind = "info") => notices.push(`${kind}: ${message}`),
    setWidget: () => {},
    setStatus: () => {},
  };
  return { notices, bindings: { mode: "rpc", uiContext: screen as ExtensionUIContext } };
}
