// Paths as git wants them: from the top of the repository, with slashes, and never outside of it.

import path from "node:path";

type Flavour = Pick<typeof path, "isAbsolute" | "relative" | "resolve" | "sep">;

export interface PathPlace {
  /** The folder that relative paths are meant from, absolute. */
  readonly cwd: string;
  /** The top of the repository, absolute; in a bare one paths are meant from its root. */
  readonly top?: string;
}

/** @throws Error with a full sentence for a path outside of the repository */
export function gitPath(given: string, { cwd, top }: PathPlace, flavour: Flavour = path): string {
  const named = given.startsWith("@") ? given.slice(1) : given;
  if (top === undefined) return slashed(named, flavour.sep);
  const inside = flavour.relative(top, flavour.resolve(cwd, named));
  if (inside === "") return ".";
  if (inside === ".." || inside.startsWith(`..${flavour.sep}`) || flavour.isAbsolute(inside))
    throw new Error(`${JSON.stringify(given)} lies outside of the repository, which is at ${top}.`);
  return slashed(inside, flavour.sep);
}

function slashed(name: string, sep: string): string {
  return name.split(sep).join("/");
}
