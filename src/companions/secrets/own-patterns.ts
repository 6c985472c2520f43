// The user's own patterns, in an engine whose time grows with the text and never with the pattern: a pattern that
// would hang another engine cannot hold up a consultation.

import type { RE2JS } from "re2js";
import type { Finding } from "./finding.ts";

export interface OwnPattern {
  /** The kind that its placeholder names. */
  readonly name: string;
  readonly pattern: string;
}

export type FindOwn = (text: string) => Finding[];

/** @throws Error with a sentence about the pattern that is none */
export async function compileOwnPatterns(patterns: readonly OwnPattern[]): Promise<FindOwn> {
  if (patterns.length === 0) return () => [];
  const { RE2JS } = await import("re2js");
  const compiled = patterns.map(({ name, pattern }) => {
    try {
      return { name, expression: RE2JS.compile(pattern) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `the pattern "${name}" cannot be used: ${reason}; patterns are those of RE2, without look-around and back-references.`,
        { cause: error },
      );
    }
  });
  return (text) => compiled.flatMap(({ name, expression }) => matchesOf(expression, text, name));
}

function matchesOf(expression: RE2JS, text: string, kind: string): Finding[] {
  const findings: Finding[] = [];
  const matcher = expression.matcher(text);
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end > start) findings.push({ start, end, kind });
  }
  return findings;
}
