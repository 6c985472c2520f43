// The one gate in the child: its file tools open regular files and folders, whatever links lead there,
// and show nothing of the session files of the parent or of any consultation.

import { statSync } from "node:fs";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { sessionFileKind } from "./session-file.ts";
import { withoutSessionHits } from "./session-hits.ts";
import { toolPaths } from "./tool-path.ts";

const FILE_TOOLS: readonly string[] = ["read", "ls", "find", "grep"];

export interface GuardedPlace {
  readonly cwd: string;
  /** The parent's session file and the child's own. */
  readonly sessionFiles: readonly string[];
}

export function readGuard(place: GuardedPlace): InlineExtension {
  return {
    name: "angel-guard",
    hidden: true,
    factory: (pi) => {
      pi.on("tool_call", ({ toolName, input }) => {
        if (!FILE_TOOLS.includes(toolName) || !("path" in input) || typeof input.path !== "string")
          return undefined;
        const reason = refusal(input.path, place);
        return reason ? { block: true, reason } : undefined;
      });
      // A search of a folder opens whatever lies in it.
      pi.on("tool_result", ({ toolName, input, content }) => {
        if (toolName !== "grep") return undefined;
        const [folder = place.cwd] = toolPaths(typeof input.path === "string" ? input.path : ".", place.cwd);
        return {
          content: content.map((block) =>
            block.type === "text"
              ? { ...block, text: withoutSessionHits(block.text, folder, place.sessionFiles) }
              : block,
          ),
        };
      });
    },
  };
}

/** Why the path may not be opened; undefined when it may, or when the tool itself will say that it does not exist. */
export function refusal(path: string, { cwd, sessionFiles }: GuardedPlace): string | undefined {
  for (const file of toolPaths(path, cwd)) {
    try {
      const kind = statSync(file);
      // Opening a FIFO waits for a writer for ever, even beyond the end of Pi; devices may never end.
      if (!kind.isFile() && !kind.isDirectory())
        return `"${path}" is neither a regular file nor a folder, so it is not read.`;
      const session = kind.isFile() ? sessionFileKind(file, sessionFiles) : undefined;
      if (session === "parent")
        return `"${path}" is a session file; read the parent session through parent_session.`;
      if (session === "sibling")
        return `"${path}" is another session file beside the parent's; sessions are not evidence about the project.`;
      if (session === "consultation")
        return `"${path}" is the session file of a consultation; it is not evidence about the project.`;
    } catch {
      // Missing or unreadable: the tool's own error says so.
    }
  }
  return undefined;
}
