// Which repository the project lies in, and what of it would start a program.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GitPlace } from "./program.ts";
import { runGit } from "./program.ts";

export interface Repository extends GitPlace {
  readonly filters: readonly string[];
  readonly isShallow: boolean;
}

/** @throws Error with a full sentence where there is none, or git does not open it */
export async function openRepository(cwd: string, signal: AbortSignal | undefined): Promise<Repository> {
  const workTree = findWorkTree(cwd);
  const place: GitPlace = { cwd: workTree ?? cwd, ...(workTree === undefined ? {} : { workTree }) };
  const { output } = await runGit(["rev-parse", "--is-shallow-repository"], place, signal);
  return { ...place, filters: await configuredFilters(place, signal), isShallow: output.trim() === "true" };
}

function findWorkTree(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findWorkTree(parent);
}

/** Git has no switch that turns content filters off, so each is named and emptied. */
async function configuredFilters(place: GitPlace, signal: AbortSignal | undefined): Promise<string[]> {
  const { output } = await runGit(["config", "--null", "--name-only", "--list"], place, signal);
  const names = output.split("\0").flatMap((key) => /^filter\.([\s\S]+)\.[^.]+$/.exec(key)?.[1] ?? []);
  return [...new Set(names)];
}
