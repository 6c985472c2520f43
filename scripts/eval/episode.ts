// An episode: a small project with a real failure, the session of an executor that is stuck in it, and what tells a
// good way out from a bad one. `fixtures/episodes/<name>/` holds `episode.ts` (this, as `episode`), `project/` and
// `check.mjs`.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { JsonObject } from "@mariozechner/pi-ai";

/** What a good run ends in. "leave": nothing needs changing; "abstain": the evidence does not suffice to know. */
export type RightOutcome = "repair" | "leave" | "abstain";

/** A step of the session so far. Calls are played again in the copy, so that their results are real. */
export type PastStep =
  | { readonly user: string }
  | { readonly say: string }
  | {
      readonly tool: "read" | "bash" | "edit" | "write" | "grep" | "ls";
      readonly args: JsonObject;
      /** What the executor says before the call. */
      readonly words?: string;
      /** A result that cannot be had again, such as one from another machine; it is taken as it stands. */
      readonly recorded?: { readonly text: string; readonly isError?: boolean };
    };

/** What a call looks like: the name of its tool, and its text as `callText` writes it. */
export interface CallPattern {
  readonly tool: RegExp;
  readonly text: RegExp;
}

export interface WrongTurn {
  readonly name: string;
  /** The prepared session has it already, without success: doing it again is a repeated failed approach. */
  readonly isTried: boolean;
  /** Any of these calls is it. */
  readonly does: readonly CallPattern[];
  /** A sentence of advice that recommends it. */
  readonly advised: RegExp;
  /** A sentence of the executor's last message that claims something false. */
  readonly claimed?: RegExp;
}

export interface Move {
  readonly tool: "read" | "bash" | "edit" | "write";
  readonly args: JsonObject;
}

/** A scripted behaviour, for the proof of the harness. */
export interface Behaviour {
  /** What an advisor that has read the evidence says. */
  readonly advice: string;
  /** What the executor does. */
  readonly moves: readonly Move[];
  /** Its last message. */
  readonly says: string;
}

export interface Episode {
  readonly title: string;
  readonly right: RightOutcome;
  /** What the user writes last; the same in every arm. */
  readonly task: string;
  readonly past: readonly PastStep[];
  /** What a good investigation touches: files of the project, and texts that stand in entries of the session. */
  readonly evidence: { readonly files: readonly string[]; readonly session: readonly string[] };
  readonly wrongTurns: readonly WrongTurn[];
  readonly good: Behaviour & {
    /** What an advisor may say that saw the session and none of the project: no file that the session did not open. */
    readonly hint: string;
  };
  readonly bad: Behaviour;
}

export interface NamedEpisode extends Episode {
  readonly name: string;
  readonly folder: string;
  /** Of all its files: runs of another state of an episode are other runs. */
  readonly fingerprint: string;
}

export const EPISODES_FOLDER = fileURLToPath(new URL("../../fixtures/episodes", import.meta.url));

function episodeNames(folder = EPISODES_FOLDER): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "episode.ts")))
    .map((entry) => entry.name)
    .sort();
}

/** @throws with a sentence when a name is unknown or an episode is not whole */
export async function loadEpisodes(
  names: readonly string[],
  folder = EPISODES_FOLDER,
): Promise<NamedEpisode[]> {
  if (!existsSync(folder)) throw new Error(`There is no folder of episodes ${folder}.`);
  const known = episodeNames(folder);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Error(`There is no episode "${unknown.join('", "')}". There are: ${known.join(", ")}.`);
  }
  if (known.length === 0) throw new Error(`${folder} holds no episode: no folder in it has an episode.ts.`);
  const wanted = names.length === 0 ? known : known.filter((name) => names.includes(name));
  return Promise.all(wanted.map((name) => loadEpisode(name, join(folder, name))));
}

async function loadEpisode(name: string, folder: string): Promise<NamedEpisode> {
  const module: { readonly episode?: Episode } = await import(pathToFileURL(join(folder, "episode.ts")).href);
  if (module.episode === undefined) throw new Error(`${folder}/episode.ts exports no \`episode\`.`);
  for (const part of ["project", "check.mjs"]) {
    if (!existsSync(join(folder, part))) throw new Error(`The episode "${name}" has no ${part}.`);
  }
  return { ...module.episode, name, folder, fingerprint: fingerprintOf(folder) };
}

function fingerprintOf(folder: string): string {
  const hash = createHash("sha256");
  for (const path of filesBelow(folder)) hash.update(`${path}\0`).update(readFileSync(join(folder, path)));
  return hash.digest("hex").slice(0, 12);
}

/** With slashes, sorted. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort();
}
