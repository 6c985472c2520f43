// What a consultation takes from its parent when it starts. It is read at once: Pi's own context may go stale at the
// first wait, and the pin is the moment of asking.

import { resolve } from "node:path";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Snapshot } from "../core/snapshot.ts";
import { pinSnapshot } from "../core/snapshot.ts";
import type { ParentView } from "./availability.ts";

export interface Place extends ParentView {
  readonly cwd: string;
  readonly isProjectTrusted: boolean;
  readonly snapshot: Snapshot;
}

export function readPlace(ctx: ExtensionContext): Place {
  const { cwd, sessionManager, modelRegistry, model } = ctx;
  return {
    ...{ cwd, sessionManager, modelRegistry, model },
    isProjectTrusted: ctx.isProjectTrusted(),
    snapshot: pin(sessionManager),
  };
}

/** Pi keeps a session folder as it was named, which may be relative; links have to hold from anywhere. */
export function pin(sessionManager: ExtensionContext["sessionManager"]): Snapshot {
  const snapshot = pinSnapshot(sessionManager);
  const { sessionFile } = snapshot;
  return sessionFile === undefined ? snapshot : { ...snapshot, sessionFile: resolve(sessionFile) };
}
