// Which file Pi's own file tools open for a path that a model wrote. They forgive more than the file
// system does, and a guard that resolved paths its own way could be walked around.

import { homedir } from "node:os";
import { posix, win32 } from "node:path";
import { fileURLToPath } from "node:url";

export interface PathHost {
  readonly isWindows: boolean;
  readonly home: string;
}

const UNICODE_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;
/** A drive as Git Bash, MSYS, Cygwin and WSL write it. */
const SHELL_DRIVE = /^\/(?:mnt\/|cygdrive\/)?([a-z])(?:\/(.*))?$/i;

/** The path itself, then the spellings that `read` tries when there is no such file, as macOS writes names. */
export function toolPaths(path: string, cwd: string, host: PathHost = thisHost()): string[] {
  const { resolve } = host.isWindows ? win32 : posix;
  const plain = resolve(cwd, normalize(path, host));
  const decomposed = plain.normalize("NFD");
  const spellings = [
    plain,
    plain.replace(/ (AM|PM)\./gi, "\u202F$1."),
    decomposed,
    curlyQuotes(plain),
    curlyQuotes(decomposed),
  ];
  return [...new Set(spellings)];
}

export function thisHost(): PathHost {
  return { isWindows: process.platform === "win32", home: homedir() };
}

function normalize(path: string, { isWindows, home }: PathHost): string {
  const { join } = isWindows ? win32 : posix;
  const spaced = path.replace(UNICODE_SPACES, " ");
  const named = spaced.startsWith("@") ? spaced.slice(1) : spaced;
  const plain = isWindows ? nativeDrive(named) : named;
  if (plain === "~") return home;
  if (plain.startsWith("~/") || (isWindows && plain.startsWith("~\\"))) return join(home, plain.slice(2));
  return plain.startsWith("file://") ? filePath(plain, isWindows) : plain;
}

/** `/c/notes` as `C:\notes`; anything else as it is. */
function nativeDrive(path: string): string {
  const [, drive, rest = ""] = path.includes("\\") ? [] : (SHELL_DRIVE.exec(path) ?? []);
  return drive === undefined ? path : `${drive.toUpperCase()}:\\${rest.replaceAll("/", "\\")}`;
}

function filePath(url: string, isWindows: boolean): string {
  try {
    return fileURLToPath(url, { windows: isWindows });
  } catch {
    // Not a URL of a file on this machine: the tool fails on it with words of its own.
    return url;
  }
}

function curlyQuotes(path: string): string {
  return path.replace(/'/g, "\u2019");
}
