// The file that Pi's own tools open for a path that a model wrote. They forgive more than the file system does: a
// rule that read paths its own way could be walked around.

import { posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";

export interface PathHost {
  readonly isWindows: boolean;
  readonly home: string;
}

const UNICODE_SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
/** A drive as Git Bash, MSYS, Cygwin and WSL write it. */
const SHELL_DRIVE = /^\/(?:mnt\/|cygdrive\/)?([a-z])(?:\/(.*))?$/i;

/** The path itself, then the spellings that `read` tries when there is no such file, as macOS writes names. */
export function openedPaths(path: string, cwd: string, host: PathHost): string[] {
  const { resolve } = host.isWindows ? win32 : posix;
  const plain = resolve(cwd, writtenPath(path, host));
  const decomposed = plain.normalize("NFD");
  const curly = (name: string) => name.replaceAll("'", "\u2019");
  const spaced = plain.replace(/ (AM|PM)\./gi, "\u202f$1.");
  return [...new Set([plain, spaced, decomposed, curly(plain), curly(decomposed)])];
}

function writtenPath(path: string, { isWindows, home }: PathHost): string {
  const { join } = isWindows ? win32 : posix;
  const named = path.replace(UNICODE_SPACES, " ").replace(/^@/, "");
  const plain = isWindows ? ownDrive(named) : named;
  if (plain === "~") return home;
  if (/^~\//.test(plain) || (isWindows && plain.startsWith("~\\"))) return join(home, plain.slice(2));
  return plain.startsWith("file://") ? ofUrl(plain, isWindows) : plain;
}

function ownDrive(path: string): string {
  const match = path.includes("\\") ? null : SHELL_DRIVE.exec(path);
  return match ? `${match[1]?.toUpperCase()}:\\${(match[2] ?? "").replaceAll("/", "\\")}` : path;
}

function ofUrl(url: string, windows: boolean): string {
  try {
    return fileURLToPath(url, { windows });
  } catch {
    // No file of this machine: the tool says so itself.
    return url;
  }
}
