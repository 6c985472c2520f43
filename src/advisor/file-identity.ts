// Whether two paths lead to the same file or folder. Names do not tell: links, hard links, and on many file systems
// other cases of a letter and other spellings of an accent lead there too, and Node's realpath keeps those as given.

import { statSync } from "node:fs";

/** Undefined when there is nothing. */
export function fileIdentity(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}:${found.ino}`;
}
