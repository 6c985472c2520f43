// Where secrets stand in a text, and the text without them. Lines are kept: a secret of five lines leaves five
// lines, so that what is quoted with a line number still has that number.

export interface Finding {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly kind: string;
}

/** Kinds that say how a secret was found and not what it is; any other names it better. */
const GENERAL: ReadonlySet<string> = new Set(["assignment", "key-block", "authorization", "url-userinfo"]);

/** A kind as it stands in a placeholder. */
export const KIND = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/;

export function placeholder(kind: string): string {
  return `<redacted:${kind}>`;
}

/** The placeholders of these kinds in the text. A name that is no kind could itself be a secret, so it is none. */
export function placeholdersIn(text: string, kinds: ReadonlySet<string>): Finding[] {
  return [...text.matchAll(/<redacted:([a-z0-9-]{1,40})>/g)].flatMap(({ 0: whole, 1: kind = "", index }) =>
    kinds.has(kind) ? [{ start: index, end: index + whole.length, kind }] : [],
  );
}

/** In order, none overlapping another. */
export function joinFindings(findings: readonly Finding[]): Finding[] {
  const joined: Finding[] = [];
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (!last || finding.start >= last.end) joined.push(finding);
    else
      joined[joined.length - 1] = {
        start: last.start,
        end: Math.max(last.end, finding.end),
        kind: GENERAL.has(last.kind) ? finding.kind : last.kind,
      };
  }
  return joined;
}

/** What of the findings lies outside of the given ranges; both are in order. */
export function without(findings: readonly Finding[], holes: readonly Finding[]): Finding[] {
  const left: Finding[] = [];
  let next = 0;
  for (const { start, end, kind } of findings) {
    while (next < holes.length && (holes[next]?.end ?? 0) <= start) next += 1;
    let from = start;
    for (let at = next; at < holes.length; at += 1) {
      const hole = holes[at];
      if (!hole || hole.start >= end) break;
      if (hole.start > from) left.push({ start: from, end: hole.start, kind });
      from = Math.max(from, hole.end);
    }
    if (from < end) left.push({ start: from, end, kind });
  }
  return left;
}

/** @param findings in order, none overlapping another */
export function replaceFindings(text: string, findings: readonly Finding[]): string {
  const pieces: string[] = [];
  let done = 0;
  for (const { start, end, kind } of findings) {
    pieces.push(text.slice(done, start), replaceLines(text.slice(start, end), placeholder(kind)));
    done = end;
  }
  return pieces.join("") + text.slice(done);
}

function replaceLines(secret: string, put: string): string {
  return secret
    .split(/(\r?\n)/)
    .map((piece) => (piece.trim() === "" ? piece : put))
    .join("");
}
