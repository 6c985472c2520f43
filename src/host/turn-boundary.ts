// Listens to turn_end only while there is a reason. Pi rebuilds the whole context before every handler of
// that event, so a handler that has nothing to do would still cost each turn of a long session.

import type { ExtensionAPI, ExtensionContext, TurnEndEvent } from "@mariozechner/pi-coding-agent";

export interface TurnBoundary {
  listen(): void;
}

export function openTurnBoundary(
  pi: Pick<ExtensionAPI, "on">,
  completed: (event: TurnEndEvent, ctx: ExtensionContext) => Promise<void>,
  isExpecting: () => boolean,
): TurnBoundary {
  let stop: (() => void) | undefined;
  return {
    listen() {
      stop ??= pi.on("turn_end", async (event, ctx) => {
        try {
          await completed(event, ctx);
        } finally {
          if (!isExpecting()) {
            stop?.();
            stop = undefined;
          }
        }
      });
    },
  };
}

/** Resolves when the present turn is over and what Pi kept for its end stands in the session. */
export function turnOver(pi: Pick<ExtensionAPI, "on">): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stops = [pi.on("turn_start", () => resolve()), pi.on("agent_settled", () => resolve())];
  return promise.finally(() => {
    for (const stop of stops) stop();
  });
}
