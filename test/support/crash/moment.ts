// Where in a consultation a crash may strike: an event of it that can be seen from outside, and a few
// milliseconds behind it, so that what lies between two events is struck too.

import { existsSync, readdirSync, readFileSync, watch } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import type { LoggedRequest, ModelServer } from "../model-server.ts";
import type { Origin } from "../origins.ts";
import type { PiEvent } from "../pi-event.ts";
import type { Rpc } from "../rpc.ts";
import type { Seeded } from "../seeded.ts";

export const STRUCK = [
  "asked",
  "child file",
  "first request",
  "child tool",
  "second request",
  "streaming",
  "answer",
  "delivery",
] as const;
export type Struck = (typeof STRUCK)[number];

export interface Moment {
  readonly struck: Struck;
  readonly delayMs: number;
}

/** One consultation that is under way, and from where on its events are its own. */
export interface UnderWay {
  readonly pi: Rpc;
  readonly server: ModelServer;
  readonly origin: Origin;
  readonly parentFile: string;
  /** What its advice says and nothing else does. */
  readonly advice: string;
  readonly fromEvent: number;
  readonly fromRequest: number;
  readonly filesBefore: number;
}

/** Longer than Pi takes from any of these events to the next one. */
const LONGEST_DELAY_MS = 40;

export function pickMoment(struck: Struck, random: Seeded): Moment {
  // Half of them right at the event, where files are written.
  return { struck, delayMs: random.below(2) === 0 ? random.below(4) : random.below(LONGEST_DELAY_MS) };
}

/** Resolves at the moment; rejects when the consultation never gets there. */
export async function reach({ struck, delayMs }: Moment, underWay: UnderWay): Promise<void> {
  await arrive(struck, underWay);
  // Not waited for anything: it is the moment itself.
  if (delayMs > 0) await later(delayMs);
}

async function arrive(struck: Struck, underWay: UnderWay): Promise<void> {
  const { pi, server, parentFile, advice, fromEvent, fromRequest, filesBefore } = underWay;
  const request = (n: number): Promise<LoggedRequest> => server.nextRequest("adv", fromRequest + n);
  switch (struck) {
    case "asked":
      await pi.waitFor((event) => isAsked(event, underWay), "sign that Angel was asked", fromEvent);
      return;
    case "child file":
      await inFolder(parentFile, () => sessionFiles(parentFile) > filesBefore);
      return;
    case "first request":
      await request(1);
      return;
    case "child tool":
      await (await request(1)).done;
      return;
    case "second request":
      await request(2);
      return;
    case "streaming":
      await request(3);
      return;
    case "answer":
      await (await request(3)).done;
      return;
    case "delivery":
      await inFolder(parentFile, () => readFileSync(parentFile, "utf8").includes(advice));
      return;
  }
}

/** The human origin shows itself on the board, the others by the calls of the executor. */
function isAsked(event: PiEvent, { origin }: UnderWay): boolean {
  switch (origin) {
    case "human":
      return event.type === "extension_ui_request" && event.method === "setWidget";
    case "executor":
      return event.type === "tool_execution_start" && event.toolName === "angel";
    case "error":
      return event.type === "tool_execution_end" && event.toolName === "flaky";
  }
}

export function sessionFiles(parentFile: string): number {
  return existsSync(dirname(parentFile)) ? readdirSync(dirname(parentFile)).length : 0;
}

/** Resolves when what is looked for is there; every change in the folder of the sessions looks again. */
async function inFolder(parentFile: string, isThere: () => boolean): Promise<void> {
  const found = Promise.withResolvers<void>();
  const look = () => {
    if (isThere()) found.resolve();
  };
  const watcher = watch(dirname(parentFile), look);
  const limit = setTimeout(() => found.reject(new Error("The session folder never got there.")), 30_000);
  look();
  try {
    await found.promise;
  } finally {
    clearTimeout(limit);
    watcher.close();
  }
}
