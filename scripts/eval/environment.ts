// The environment that projects of episodes are run in: nothing of the caller's that could change what they print.

import { tmpdir } from "node:os";
import { delimiter, dirname } from "node:path";
import { rgPath } from "@vscode/ripgrep";

export function plainEnvironment(): Record<string, string> {
  return { PATH: searchPath(), HOME: tmpdir(), TMPDIR: tmpdir(), LANG: "C.UTF-8" };
}

/** This Node first, then a ripgrep that is certainly there. */
export function searchPath(): string {
  return [dirname(process.execPath), dirname(rgPath), process.env.PATH ?? ""].join(delimiter);
}
