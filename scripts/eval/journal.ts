// The results so far: one JSON object a line, one line a run, in `results.jsonl`. A run that failed to run at all may be
// there again later; its last line counts.

import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { Asking } from "./arguments.ts";
import type { Consumption } from "./consumption.ts";
import type { RightOutcome } from "./episode.ts";
import type { Reported, Score } from "./score.ts";

/** What makes a run the same run. */
export interface RunKey {
  readonly episode: string;
  readonly arm: string;
  /** From 1; in scripted mode 1 is the known-good behaviour and 2 the known-bad one. */
  readonly run: number;
}

/** What has to be the same for all runs that stand in one table. */
export interface Setting {
  /** `provider/id:thinking`, or "scripted". */
  readonly executor: string;
  readonly advisor: string;
  readonly asking: Asking;
}

/** What the same run can be made of; another state of any of it makes another run. */
export interface Makings {
  readonly pi: string;
  /** The fingerprint of the episode's files. */
  readonly episode: string;
  /** The version of the arm's extension; absent where it has none. */
  readonly arm?: string;
}

export interface Line extends RunKey, Setting {
  readonly version: 1;
  readonly right: RightOutcome;
  readonly made: Makings;
  readonly started: string;
  readonly elapsedMs: number;
  readonly result:
    | {
        /** "timeout": ended by the limit, and scored as it stood then. */
        readonly kind: "scored";
        readonly ended: "finished" | "timeout";
        readonly because?: string;
        readonly score: Score;
        readonly reported: Reported;
        readonly usage: Consumption;
        /** What Pi wrote to standard error, such as an advisor that could not be used. */
        readonly complaints?: string;
        /** The sessions of the run, below the folder of the results. */
        readonly sessions: string;
      }
    /** Nothing to score: Pi, its provider or the check failed. */
    | { readonly kind: "failed"; readonly because: string };
}

export interface Journal {
  readonly lines: () => readonly Line[];
  /** @throws with a sentence when the run is there, and was made of something else */
  has(key: RunKey, made: Makings): boolean;
  add(line: Line): void;
}

/** @throws with a sentence when the file holds something else, or runs of another setting */
export function openJournal(folder: string, setting: Setting): Journal {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "results.jsonl");
  const byKey = new Map(readLines(path).map((line) => [keyText(line), line]));
  for (const line of byKey.values()) {
    const other = (["executor", "advisor", "asking"] as const).find((part) => line[part] !== setting[part]);
    if (other === undefined) continue;
    throw new Error(
      `${path} holds runs with the ${other} "${line[other]}", and now it is "${setting[other]}"; take another folder with --out.`,
    );
  }
  return {
    lines: () => [...byKey.values()],
    has(key, made) {
      const line = byKey.get(keyText(key));
      if (line?.result.kind !== "scored") return false;
      const other = (["pi", "episode", "arm"] as const).find((part) => line.made[part] !== made[part]);
      if (other === undefined) return true;
      throw new Error(
        `${path} holds the run ${keyText(key)} with another version of ${NAMES[other]} (${line.made[other] ?? "none"}, now ${made[other] ?? "none"}); take another folder with --out.`,
      );
    },
    add(line) {
      appendFileSync(path, `${JSON.stringify(line)}\n`);
      byKey.set(keyText(line), line);
    },
  };
}

const NAMES = { pi: "Pi", episode: "the episode", arm: "the advisor" } as const;

export function keyText({ episode, arm, run }: RunKey): string {
  return `${episode} · ${arm} · ${run}`;
}

/** A last line without its end was being written when the machine or the program stopped: it is dropped. */
function readLines(path: string): Line[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (whole.length < text.length) truncateSync(path, Buffer.byteLength(whole));
  return whole
    .split("\n")
    .flatMap((line, index) => (line === "" ? [] : [readLine(line, `${path}:${index + 1}`)]));
}

function readLine(text: string, place: string): Line {
  try {
    const line: Line = JSON.parse(text);
    if (line.version === 1 && typeof line.result?.kind === "string") return line;
  } catch {
    // The sentence below says it.
  }
  throw new Error(
    `${place} is no line that this version wrote; move the file away or take another folder with --out.`,
  );
}
