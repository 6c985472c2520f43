// Which files a piece of advice speaks of, and which of them the advisor had opened. An approximation: a claim without a
// file is not seen, and a file that was opened may still not say what is claimed of it.

import type { Operation } from "./observe.ts";

export interface Claims {
  /** Files that the advice names, each once. */
  readonly cited: readonly string[];
  /** Those among them of which nothing was read. */
  readonly unsupported: readonly string[];
}

const EXTENSIONS = "m?[jt]sx?|cjs|jsonl?|txt|md|csv|key|lock|log|ya?ml|toml|sh|env";
const SPAN = /`([^`\s]+)`/g;
/** A command names files without claiming anything about them. */
const CODE = /`[^`]*`/g;
const WORD = new RegExp(
  `(?<![\\w/.:@-])(?:\\.?[\\w@-][\\w.@-]*/)+[\\w.@-]+\\.(?:${EXTENSIONS})(?::\\d+)?(?![\\w/])`,
  "g",
);
const NAME = new RegExp(`^\\.?[\\w@-][\\w.@/-]*\\.(?:${EXTENSIONS})$`);

export function claimsOf(advice: string, shown: readonly Operation[], files: ReadonlySet<string>): Claims {
  const cited = [...new Set(sentencesOf(advice).flatMap((sentence) => citedIn(sentence, files)))];
  return { cited, unsupported: cited.filter((path) => !shown.some((operation) => opens(operation, path))) };
}

/** Sentences and lines; a full stop inside a path ends none. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?:;])\s+|\n+/).filter((sentence) => sentence.trim() !== "");
}

function citedIn(sentence: string, files: ReadonlySet<string>): string[] {
  const spans = [...sentence.matchAll(SPAN)].map(([, span = ""]) => span);
  const words = sentence.replace(CODE, " ").match(WORD) ?? [];
  const isToBeMade = /\b(create|write|add|make)\b/i.test(sentence);
  return [...spans, ...words].flatMap((text) => {
    const [path, hasLine] = withoutLine(text);
    if (/^\w+:\/\//.test(text)) return [];
    if (files.has(path)) return [path];
    // What is not there is a claim only if it is spoken of as if it were.
    return (hasLine || NAME.test(path)) && !isToBeMade ? [path] : [];
  });
}

function withoutLine(text: string): [path: string, hasLine: boolean] {
  const path = text.replace(/:\d+(?:[-:]\d+)?$/, "").replace(/^\.\//, "");
  return [path, /:\d/.test(text) && /^[\w.@/-]+$/.test(path) && /[./]/.test(path)];
}

/** Whether the operation showed something of what is in the file. A mere listing does not. */
function opens({ tool, args, result }: Operation, path: string): boolean {
  const isNamed = JSON.stringify(args).includes(path);
  switch (tool) {
    case "ls":
    case "find":
      return false;
    case "parent_session":
      return (args.action === "get" || args.action === "search") && result.includes(path);
    case "grep":
      return (
        isNamed ||
        hasLineOf(result, path) ||
        result.split("\n").some((line) => line.startsWith(`${baseOf(path)}:`))
      );
    default:
      return isNamed || hasLineOf(result, path);
  }
}

/** `src/config.js:7`, as searches and traces of errors write it. */
function hasLineOf(result: string, path: string): boolean {
  const at = result.indexOf(`${path}:`);
  return at >= 0 && /\d/.test(result[at + path.length + 1] ?? "");
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
