// What was held back, counted: for the status of the session and for the record of each consultation. A secret
// counts once a consultation, however often it comes by; only a digest of it is kept.

import { createHash } from "node:crypto";

export interface Tally {
  redacted(secrets: readonly { readonly kind: string; readonly secret: string }[]): void;
  /** @param call id of the tool call, or the path */
  refused(what: string): void;
  /** An image, lines of a search, or a text that could not be searched. */
  withheld(count?: number): void;
  counts(): Counts;
}

export interface Counts {
  readonly redacted: Readonly<Record<string, number>>;
  readonly refused: number;
  readonly withheld: number;
}

export const NOTHING: Counts = { redacted: {}, refused: 0, withheld: 0 };

export function beginTally(): Tally {
  const seen = new Map<string, string>();
  const refused = new Set<string>();
  let withheld = 0;
  return {
    redacted(secrets) {
      for (const { kind, secret } of secrets)
        seen.set(createHash("sha256").update(secret).digest("base64"), kind);
    },
    refused: (what) => void refused.add(what),
    withheld: (count = 1) => {
      withheld += count;
    },
    counts() {
      const redacted: Record<string, number> = {};
      for (const kind of seen.values()) redacted[kind] = (redacted[kind] ?? 0) + 1;
      return { redacted, refused: refused.size, withheld };
    },
  };
}

export function addCounts(a: Counts, b: Counts): Counts {
  const redacted: Record<string, number> = { ...a.redacted };
  for (const [kind, count] of Object.entries(b.redacted)) redacted[kind] = (redacted[kind] ?? 0) + count;
  return { redacted, refused: a.refused + b.refused, withheld: a.withheld + b.withheld };
}

export function totalOf({ redacted }: Counts): number {
  return Object.values(redacted).reduce((sum, count) => sum + count, 0);
}

/** The line of `/angel status`. */
export function describeCounts(counts: Counts): string {
  const kinds = Object.entries(counts.redacted)
    .toSorted(([a, n], [b, m]) => m - n || a.localeCompare(b))
    .map(([kind, count]) => `${count} ${kind}`);
  const total = totalOf(counts);
  const parts = [
    `${total} redacted${kinds.length === 0 ? "" : ` (${kinds.join(", ")})`}`,
    ...(counts.refused > 0 ? [`${counts.refused} ${counts.refused === 1 ? "path" : "paths"} refused`] : []),
    ...(counts.withheld > 0 ? [`${counts.withheld} withheld`] : []),
  ];
  return `${parts.join(", ")}; patterns find known forms of secrets, not every secret.`;
}
