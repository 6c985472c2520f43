/** A named pipe: whoever opens it waits for the other side. */

import { execFileSync } from "node:child_process";

/** A program of every system that has pipes, and no package of this one. */
const MAKE_PIPE = "mkfifo";

export function makePipes(...paths: readonly string[]): void {
  execFileSync(MAKE_PIPE, paths);
}
