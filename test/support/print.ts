/** One-shot Pi: `runPi` for what a shell would see, `runJson` for the event stream. */

import { text } from "node:stream/consumers";
import type { Home } from "./home.ts";
import { createJsonLines } from "./json-lines.ts";
import type { PiEvent } from "./pi-event.ts";
import type { Exit } from "./pi-process.ts";
import { spawnPi } from "./pi-process.ts";

export interface RunOptions {
  /** Piped into Pi; without it stdin is empty. */
  readonly stdin?: string;
  readonly timeoutMs?: number;
}

export interface Run extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export interface JsonRun extends Run {
  readonly events: readonly PiEvent[];
  /** Lines of stdout that are no JSON objects. */
  readonly junk: readonly string[];
}

/** Stdin and stdout are pipes, so Pi prints its answer and exits, with or without `-p`. */
export async function runPi(home: Home, args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const pi = spawnPi(home, args);
  pi.child.stdin.end(options.stdin ?? "");
  const [exit, stdout] = await Promise.all([
    pi.exitWithin(options.timeoutMs ?? LONGEST_RUN_MS),
    text(pi.child.stdout),
  ]);
  return { ...exit, stdout, stderr: pi.stderr() };
}

export async function runJson(
  home: Home,
  args: readonly string[],
  options: RunOptions = {},
): Promise<JsonRun> {
  const run = await runPi(home, ["--mode", "json", ...args], options);
  const events: PiEvent[] = [];
  const junk: string[] = [];
  const lines = createJsonLines((record) => events.push(record as PiEvent), junk);
  lines.take(run.stdout);
  lines.end();
  return { ...run, events, junk };
}

const LONGEST_RUN_MS = 60_000;
