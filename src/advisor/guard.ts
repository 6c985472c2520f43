// The one gate in the child: its file tools read regular files and folders, after resolving links,
// and never the session files of the parent or of any consultation; those have parent_session.

import { closeSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { CONSULTATION_ENTRY } from "./child-entry.ts";

const FILE_TOOLS: readonly string[] = ["read", "ls", "find", "grep"];

export function readGuard(options: {
  readonly cwd: string;
  readonly sessionFiles: readonly string[];
}): InlineExtension {
  return {
    name: "angel-guard",
    hidden: true,
    factory: (pi) => {
      pi.on("tool_call", ({ toolName, input }) => {
        if (!FILE_TOOLS.includes(toolName) || !("path" in input) || typeof input.path !== "string")
          return undefined;
        const reason = refusal(input.path, options);
        return reason ? { block: true, reason } : undefined;
      });
    },
  };
}

/** Why the path may not be opened; undefined when it may, or when the tool itself will say that it does not exist. */
export function refusal(
  path: string,
  { cwd, sessionFiles }: { readonly cwd: string; readonly sessionFiles: readonly string[] },
): string | undefined {
  const real = realPath(resolve(cwd, expandHome(path)));
  if (real === undefined) return undefined;
  const kind = statSync(real);
  // Opening a FIFO waits for a writer for ever, even beyond the end of Pi; devices may never end.
  if (!kind.isFile() && !kind.isDirectory())
    return `"${path}" is neither a regular file nor a folder, so it is not read.`;
  if (!kind.isFile()) return undefined;
  if (sessionFiles.some((file) => realPath(file) === real)) {
    return `"${path}" is a session file; read the parent session through parent_session.`;
  }
  if (real.endsWith(".jsonl") && isConsultation(real)) {
    return `"${path}" is the session file of a consultation; it is not evidence about the project.`;
  }
  return undefined;
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // Missing or unreadable: the tool's own error says so.
    return undefined;
  }
}

// Pi's file tools take "~" and a leading "@" the same way.
function expandHome(path: string): string {
  const plain = path.startsWith("@") ? path.slice(1) : path;
  return plain === "~" || plain.startsWith("~/") ? homedir() + plain.slice(1) : plain;
}

/** A consultation's file carries its entry right behind the header. */
function isConsultation(file: string): boolean {
  const head = Buffer.alloc(16 * 1024);
  const handle = openSync(file, "r");
  try {
    const length = readSync(handle, head, 0, head.length, 0);
    return head.subarray(0, length).toString("utf8").includes(`"customType":"${CONSULTATION_ENTRY}"`);
  } finally {
    closeSync(handle);
  }
}
