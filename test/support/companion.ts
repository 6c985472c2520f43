/** A companion of a test's own, mounted as any other: through the engine that Pi's event bus leads to. */

import type { ExtensionContext, InlineExtension } from "@mariozechner/pi-coding-agent";
import type { AngelEngine, Companion, EngineCall } from "../../src/core/seam.ts";
import { ENGINE_CHANNEL } from "../../src/core/seam.ts";

export interface Mounted {
  /** To be loaded after Angel. */
  readonly extension: InlineExtension;
  /** The engine, once a session has started. */
  engine(): AngelEngine;
  /** The context of the session, as handlers of the extension get it. */
  ctx(): ExtensionContext;
}

/** Settings that switch it on, with an advisor of the consulting session. */
export const switchedOn = (name = "probe") => ({ angel: { model: "local/adv", companions: { [name]: {} } } });

export function mountCompanion(...companions: readonly Companion[]): Mounted {
  let engine: AngelEngine | undefined;
  let context: ExtensionContext | undefined;
  return {
    extension: {
      name: "companions-of-a-test",
      factory: (pi) => {
        pi.on("session_start", async (_event, ctx) => {
          context = ctx;
          const call: EngineCall = {
            version: 1,
            receive: (found) => {
              engine = found;
            },
          };
          pi.events.emit(ENGINE_CHANNEL, call);
          for (const companion of companions) engine?.mount(companion);
          await engine?.refresh(ctx);
        });
      },
    },
    engine: () => present(engine, "engine"),
    ctx: () => present(context, "context"),
  };
}

function present<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`There is no ${name} yet.`);
  return value;
}
