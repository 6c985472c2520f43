// Which files the advisor may open: those of the project that are not made to hold credentials, and the skills and
// instructions that Pi itself named to it. A path is judged as it is written and as its links lead. A second name
// of the same file (a hard link) cannot be told from the first.

import { realpathSync } from "node:fs";
import { posix, win32 } from "node:path";
import { makeDenyList } from "./deny-list.ts";
import type { SecretsSettings } from "./settings.ts";
import type { PathHost } from "./tool-path.ts";
import { openedPaths } from "./tool-path.ts";

export interface PathRuleOptions {
  readonly cwd: string;
  readonly settings: Pick<SecretsSettings, "deny" | "allow">;
  readonly host: PathHost;
  /** Folders and files outside the project that Pi named to the advisor; asked at each path. */
  readonly roots: () => readonly string[];
  /** Where links lead; throws like `realpathSync`, which it is if absent. */
  readonly realPath?: (path: string) => string;
}

export interface PathRule {
  /** Why what the model wrote must not be opened; undefined when it may. */
  refusal(written: string): string | undefined;
  /** The same for a full path that is about to be opened. */
  fileRefusal(file: string): string | undefined;
}

export function createPathRule(options: PathRuleOptions): PathRule {
  const { cwd, settings, host, roots, realPath = realpathSync } = options;
  const { isWindows } = host;
  const { isAbsolute, relative } = isWindows ? win32 : posix;
  const isFullPath = (path: string) => isAbsolute(path) || /^~(?:[\\/]|$)/.test(path);
  const full = (path: string) => openedPaths(path, cwd, host)[0] ?? path;
  const allowedRoots = settings.allow.filter(isFullPath).map(full);
  const denies = makeDenyList(
    settings.deny,
    settings.allow.filter((glob) => !isFullPath(glob)),
  );

  function real(path: string): string {
    return realOfDeepest(path, realPath, isWindows);
  }

  function isWithin(root: string, path: string): boolean {
    const way = relative(root, path);
    return way === "" || !(isAbsolute(way) || /^\.\.(?:[\\/]|$)/.test(way));
  }

  function judge(path: string): string | undefined {
    const glob = denies(withSlashes(path, isWindows));
    if (glob !== undefined)
      return `is not read: "${glob}" is on the list of files that hold credentials. Ask the user for what you need from it.`;
    const isInside = [cwd, ...allowedRoots, ...roots()].some(
      (root) => isWithin(root, path) || isWithin(safeReal(root), path),
    );
    return isInside ? undefined : "lies outside the project, so it is not read.";
  }

  function safeReal(root: string): string {
    try {
      return real(root);
    } catch {
      // A root that cannot be resolved is only what it is called.
      return root;
    }
  }

  function fileRefusal(file: string): string | undefined {
    const asWritten = judge(file);
    if (asWritten !== undefined) return asWritten;
    try {
      return judge(real(file));
    } catch {
      return "is not read: where it leads cannot be found out.";
    }
  }

  return {
    refusal(written) {
      if (written.includes("\0")) return "The path has a null character in it, so nothing is read.";
      for (const file of openedPaths(written, cwd, host)) {
        const reason = fileRefusal(file);
        if (reason !== undefined) return `"${written}" ${reason}`;
      }
      return undefined;
    },
    fileRefusal,
  };
}

/** The path with every link followed, as far as it exists. */
function realOfDeepest(path: string, realPath: (path: string) => string, isWindows: boolean): string {
  const { dirname, join, basename } = isWindows ? win32 : posix;
  const missing: string[] = [];
  for (let at = path; ; at = dirname(at)) {
    try {
      return join(realPath(at), ...missing);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if ((code !== "ENOENT" && code !== "ENOTDIR") || dirname(at) === at) throw error;
      missing.unshift(basename(at));
    }
  }
}

/** On Windows a name may end in dots and spaces that do not count, and name a stream behind a colon. */
function withSlashes(path: string, isWindows: boolean): string {
  if (!isWindows) return path.replace(/^\/+/, "");
  const [drive = "", ...rest] = path.replaceAll("\\", "/").split("/");
  const names = rest.map((name) => name.replace(/:.*$/, "").replace(/[. ]+$/, "") || name);
  return [drive, ...names].join("/").replace(/^\/+/, "");
}
