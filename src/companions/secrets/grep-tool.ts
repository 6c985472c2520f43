// Pi's `grep`, whose every line is taken anew from the file it names, redacted as a whole. So a line that Pi cut in
// the middle of a secret, and a line out of the middle of a key, show nothing of it; lines of files that the advisor
// may not read, and lines whose file cannot be told, are left out and counted.

import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { GrepToolDetails } from "@mariozechner/pi-coding-agent";
import { createGrepToolDefinition, truncateLine } from "@mariozechner/pi-coding-agent";
import type { FileTexts } from "./file-texts.ts";
import type { PathRule } from "./path-rule.ts";
import type { Tally } from "./tally.ts";

export interface GrepToolParts {
  readonly cwd: string;
  readonly files: FileTexts;
  readonly rule: PathRule;
  readonly tally: Tally;
}

type GrepTool = ReturnType<typeof createGrepToolDefinition>;

export function redactingGrep({ cwd, files, rule, tally }: GrepToolParts): GrepTool {
  return {
    ...createGrepToolDefinition(cwd),
    async execute(id, input, signal, onUpdate, ctx) {
      let place: Place | undefined;
      const isDirectory = async (path: string) => {
        const reason = rule.fileRefusal(path);
        if (reason !== undefined) throw new Error(reason);
        const isFolder = (await stat(path)).isDirectory();
        place = isFolder ? { folder: path } : { folder: dirname(path), file: basename(path) };
        return isFolder;
      };
      const grep = createGrepToolDefinition(cwd, { operations: { isDirectory } });
      const { details, ...result } = await grep.execute(id, input, signal, onUpdate, ctx);
      const [block] = result.content;
      if (!place || block?.type !== "text" || block.text === NOTHING_FOUND) return { ...result, details };
      const search: Search = { place, files, rule, signal };
      const { text, leftOut } = await retakeLines(block.text, search);
      if (leftOut > 0) tally.withheld(leftOut);
      return {
        content: [{ type: "text", text: text + leftOutNote(leftOut) }],
        details: withoutText(details),
      };
    },
  };
}

const NOTHING_FOUND = "No matches found";

interface Place {
  readonly folder: string;
  /** When only one file was searched. */
  readonly file?: string;
}

interface Search {
  readonly place: Place;
  readonly files: FileTexts;
  readonly rule: PathRule;
  readonly signal: AbortSignal | undefined;
}

async function retakeLines(text: string, search: Search): Promise<{ text: string; leftOut: number }> {
  // Pi's own notices stand behind the last empty line.
  const notices = /\n\n(\[[^\n]*\])$/.exec(text);
  const lines = text.slice(0, notices?.index ?? text.length).split("\n");
  const kept: string[] = [];
  for (const line of lines) {
    search.signal?.throwIfAborted();
    const taken = await retakeLine(line, search);
    if (taken !== undefined) kept.push(taken);
  }
  const body = kept.length === 0 ? NOTHING_FOUND : kept.join("\n");
  return { text: body + (notices ? `\n\n${notices[1]}` : ""), leftOut: lines.length - kept.length };
}

/** `path:12: text`, and `path-12- text` for a line beside a hit. Path and text may hold such marks too. */
const MARK = /:(\d+): |-(\d+)- /g;
const CUT = /\.\.\. \[truncated\]$/;

async function retakeLine(line: string, { place, files, rule }: Search): Promise<string | undefined> {
  for (const { 0: mark, 1: hit, 2: beside, index } of line.matchAll(MARK)) {
    const name = line.slice(0, index);
    if (place.file !== undefined && name !== place.file) continue;
    const path = join(place.folder, name);
    if (!(await isFile(path))) continue;
    if (rule.fileRefusal(path) !== undefined) return undefined;
    const shown = line.slice(index + mark.length).replace(CUT, "");
    const taken = await lineOf(path, Number(hit ?? beside), shown, files);
    if (taken !== undefined) return line.slice(0, index) + mark + truncateLine(taken).text;
  }
  return undefined;
}

/** The line without its secrets; undefined when the file has no such line, or not any more. */
async function lineOf(
  path: string,
  number: number,
  shown: string,
  files: FileTexts,
): Promise<string | undefined> {
  const file = await files.read(path).catch(() => undefined);
  if (!file) return undefined;
  const raw = file.raw.split("\n")[number - 1];
  const redacted = file.redacted.split("\n")[number - 1];
  if (raw === undefined || redacted === undefined) return undefined;
  return bare(raw).startsWith(bare(shown)) ? redacted.replace(/\r$/, "") : undefined;
}

function bare(text: string): string {
  return text.replace(/^\ufeff/, "").replace(/\r$/, "");
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    // No such file: what looked like a mark is part of a name or of the text.
    return false;
  }
}

function leftOutNote(count: number): string {
  if (count === 0) return "";
  const lines = count === 1 ? "1 line" : `${count} lines`;
  return `\n\n[${lines} withheld: from files that hold credentials, lie outside the project or cannot be searched for secrets]`;
}

/** Pi keeps a long result in its details once more. */
function withoutText(details: GrepToolDetails | undefined): GrepToolDetails | undefined {
  return details?.truncation ? { ...details, truncation: { ...details.truncation, content: "" } } : details;
}
