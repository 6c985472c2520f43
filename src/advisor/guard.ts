// The one gate in the child: its file tools open regular files and folders, whatever links lead there,
// and show nothing of the session files of the parent or of any consultation.

import { realpathSync, statSync } from "node:fs";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { isRecord } from "../core/is-record.ts";
import { sessionFileKind, withOrigins } from "./session-file.ts";
import { withoutSessionHits } from "./session-hits.ts";
import { READING_TOOLS } from "./tool-names.ts";
import { toolPaths } from "./tool-path.ts";

/** Regular files by their kind, and yet each gives bytes for ever, or waits for the kernel to have some. */
const ENDLESS = /^\/(?:proc|sys)\/(?:.*\/)?(?:kmsg|kcore|pagemap|trace_pipe|trace_pipe_raw)$/;

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
        const reason = READING_TOOLS.includes(toolName) ? callRefusal(toolName, input, place) : undefined;
        return reason ? { block: true, reason } : undefined;
      });
      // A search of a folder opens whatever lies in it.
      pi.on("tool_result", ({ toolName, input, content, details }) => {
        if (toolName !== "grep") return undefined;
        const [folder = place.cwd] = toolPaths(typeof input.path === "string" ? input.path : ".", place.cwd);
        const clean = (text: string) => withoutSessionHits(text, folder, place.sessionFiles);
        return {
          content: content.map((block) =>
            block.type === "text" ? { ...block, text: clean(block.text) } : block,
          ),
          ...cleanDetails(details, clean),
        };
      });
    },
  };
}

/** Why the path may not be opened; undefined when it may, or when the tool itself will say that it does not exist. */
export function refusal(path: string, { cwd, sessionFiles }: GuardedPlace): string | undefined {
  const known = withOrigins(sessionFiles);
  for (const file of toolPaths(path, cwd)) {
    try {
      const reason = fileRefusal(file, known);
      if (reason) return `"${path}" ${reason}`;
    } catch {
      // Missing or unreadable: the tool's own error says so.
    }
  }
  return undefined;
}

function callRefusal(
  toolName: string,
  input: Readonly<Record<string, unknown>>,
  place: GuardedPlace,
): string | undefined {
  if (typeof input.path !== "string") return undefined;
  return refusal(input.path, place) ?? (toolName === "read" ? rangeRefusal(input) : undefined);
}

function fileRefusal(file: string, known: readonly string[]): string | undefined {
  const kind = statSync(file);
  if (kind.isDirectory()) return undefined;
  // Opening a FIFO waits for a writer for ever, even beyond the end of Pi; devices may never end.
  if (!kind.isFile()) return "is neither a regular file nor a folder, so it is not read.";
  if (ENDLESS.test(realpathSync(file))) return "has no end, so it is not read.";
  switch (sessionFileKind(file, known)) {
    case "parent":
      return "is a session file; read the parent session through parent_session.";
    case "sibling":
      return "is another session file beside the parent's; sessions are not evidence about the project.";
    case "consultation":
      return "is the session file of a consultation; it is not evidence about the project.";
    case undefined:
      return undefined;
  }
}

/** For any other range Pi's `read` takes the whole file into memory, however large it is. */
function rangeRefusal({ offset, limit }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof offset === "number" && !Number.isInteger(offset))
    return `"offset" must be a whole number; found ${offset}.`;
  if (typeof limit === "number" && !(Number.isInteger(limit) && limit >= 0))
    return `"limit" must be a whole number of at least 0; found ${limit}.`;
  return undefined;
}

/** Pi's grep keeps a long result in its details once more, and those go into the child's file. */
function cleanDetails(details: unknown, clean: (text: string) => string): { details?: unknown } {
  const truncation = isRecord(details) ? details.truncation : undefined;
  if (!isRecord(details) || !isRecord(truncation) || typeof truncation.content !== "string") return {};
  return { details: { ...details, truncation: { ...truncation, content: clean(truncation.content) } } };
}
