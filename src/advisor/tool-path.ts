// Which file Pi's own file tools open for a path that a model wrote. They forgive more than the file
// system does, and a guard that resolved paths its own way could be walked around.

import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const UNICODE_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/** The path itself, then the spellings that `read` tries when there is no such file, as macOS writes names. */
export function toolPaths(path: string, cwd: string): string[] {
  const plain = resolve(cwd, normalize(path));
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

function normalize(path: string): string {
  const spaced = path.replace(UNICODE_SPACES, " ");
  const plain = spaced.startsWith("@") ? spaced.slice(1) : spaced;
  if (plain === "~") return homedir();
  if (plain.startsWith("~/")) return join(homedir(), plain.slice(2));
  return plain.startsWith("file://") ? filePath(plain) : plain;
}

function filePath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    // Not a URL of a file on this machine: the tool fails on it with words of its own.
    return url;
  }
}

function curlyQuotes(path: string): string {
  return path.replace(/'/g, "\u2019");
}
