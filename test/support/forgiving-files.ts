/** Files below one folder as macOS has them: another case and another spelling of an accent lead to the same file. */

import type * as Files from "node:fs";
import type { PathLike } from "node:fs";

/** Below `root` every name is stored in lower case, and composed. */
export function forgivingFiles(files: typeof Files, root: string): typeof Files {
  const stored = (path: PathLike) => {
    const given = String(path);
    const isBelow = given.toLowerCase().startsWith(root.toLowerCase());
    return isBelow ? root + given.slice(root.length).normalize("NFC").toLowerCase() : given;
  };
  return {
    ...files,
    statSync: ((path: PathLike, options?: Files.StatSyncOptions) =>
      files.statSync(stored(path), options)) as typeof Files.statSync,
    openSync: (path, ...rest) => files.openSync(stored(path), ...rest),
    // The system's own realpath would tell the stored name; Node's keeps the one that was given.
    realpathSync: ((path: PathLike) => {
      files.realpathSync(stored(path));
      return String(path);
    }) as typeof Files.realpathSync,
  };
}
