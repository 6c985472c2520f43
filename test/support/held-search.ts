/** A ripgrep that never ends: Pi's grep over a folder so large that a test can stop it in the middle. */

import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { makePipes } from "./pipe.ts";

export interface HeldSearch {
  /** Resolves with the process id when the search runs. Ask before the search starts. */
  running(): Promise<number>;
}

/** @param folder where Pi looks for its search programs, or a folder that comes first in PATH */
export function holdSearches(folder: string, options: { readonly isStubborn?: boolean } = {}): HeldSearch {
  mkdirSync(folder, { recursive: true });
  const pipe = join(folder, "running");
  makePipes(pipe);
  const script = [
    "#!/bin/sh",
    '[ "$1" = --version ] && exit 0',
    // An ignored signal stays ignored in the program that takes the shell's place.
    ...(options.isStubborn ? ["trap '' TERM"] : []),
    `echo $$ > '${pipe}'`,
    "exec sleep 600",
    "",
  ];
  writeFileSync(join(folder, "rg"), script.join("\n"), { mode: 0o755 });
  return {
    // A pipe ends for its reader when its writer has said what it had to say.
    running: async () => Number(await readFile(pipe, "utf8")),
  };
}

export function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}
