// Takes secrets out of a text. Nothing is thrown and nothing unread gets through: a text that cannot be searched is
// withheld as a whole, with the kind of the fault and without its words, which may quote the text.

import { findAssignments } from "./assignments.ts";
import type { CommonScanner, Scanner } from "./common-scanner.ts";
import type { Finding } from "./finding.ts";
import { joinFindings, placeholdersIn, replaceFindings, without } from "./finding.ts";
import { ADDRESS_KINDS, findHeadersAndUrls } from "./headers-and-urls.ts";
import { findKeyBlocks, KEY_KINDS } from "./key-blocks.ts";
import { findTokens, TOKEN_KINDS } from "./known-tokens.ts";
import type { FindOwn } from "./own-patterns.ts";
import { plainView } from "./plain-view.ts";

export interface Redactor {
  /** Never rejects. */
  redact(text: string): Promise<Redaction>;
}

export interface Redaction {
  readonly text: string;
  /** What was taken out, by kind and itself, for whoever counts; empty when nothing was. */
  readonly secrets: readonly { readonly kind: string; readonly secret: string }[];
  /** Set when the text could not be searched and is therefore withheld. */
  readonly isWithheld?: true;
}

export interface Scanners {
  readonly common: CommonScanner;
  readonly own: FindOwn;
  readonly ownKinds: readonly string[];
}

/** No secret is shorter. */
const SHORTEST = 6;
/** A noncharacter: what is a placeholder already is none of any pattern's letters. */
const FILLER = "\ufdd0";

export function createRedactor({ common, own, ownKinds }: Scanners): Redactor {
  const kinds = new Set([
    ...["assignment", ...TOKEN_KINDS, ...KEY_KINDS, ...ADDRESS_KINDS],
    ...common.kinds,
    ...ownKinds,
  ]);
  const scanners: readonly Scanner[] = [
    async (text) => [...findTokens(text), ...findKeyBlocks(text), ...findHeadersAndUrls(text), ...own(text)],
    common.scan,
    async (text) => findAssignments(text),
  ];

  async function findIn(text: string): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const scan of scanners) findings.push(...(await scan(text)));
    return findings;
  }

  async function search(text: string): Promise<Redaction> {
    const done = placeholdersIn(text, kinds);
    const open = replaceWithFiller(text, done);
    const view = plainView(open);
    const hidden = view ? (await findIn(view.text)).map(view.original) : [];
    const findings = without(joinFindings([...(await findIn(open)), ...hidden]), done);
    if (findings.length === 0) return { text, secrets: [] };
    return {
      text: replaceFindings(text, findings),
      secrets: findings.map(({ start, end, kind }) => ({ kind, secret: text.slice(start, end) })),
    };
  }

  const remembered = remember(search);
  return {
    async redact(text) {
      if (text.length < SHORTEST) return { text, secrets: [] };
      try {
        return await remembered(text);
      } catch (error) {
        const fault = error instanceof Error ? error.name : "unknown fault";
        return { text: `[withheld: redaction failed: ${fault}]`, secrets: [], isWithheld: true };
      }
    },
  };
}

function replaceWithFiller(text: string, ranges: readonly Finding[]): string {
  let at = 0;
  const pieces: string[] = [];
  for (const { start, end } of ranges) {
    pieces.push(text.slice(at, start), FILLER.repeat(end - start));
    at = end;
  }
  return pieces.length === 0 ? text : pieces.join("") + text.slice(at);
}

/** A request repeats all that was said before, so most texts come again. */
const MOST_REMEMBERED = 4_000_000;

function remember(search: (text: string) => Promise<Redaction>): (text: string) => Promise<Redaction> {
  const known = new Map<string, Redaction>();
  let characters = 0;
  return async (text) => {
    const before = known.get(text);
    if (before) return before;
    const found = await search(text);
    if (text.length > MOST_REMEMBERED / 4) return found;
    characters += text.length;
    if (characters > MOST_REMEMBERED) {
      known.clear();
      characters = text.length;
    }
    known.set(text, found);
    return found;
  };
}
