// A text as a reader takes it: without colour codes, invisible characters and the escapes of JSON. Whatever stands
// between the letters of a secret hides it from a pattern and from nobody else.

import type { Finding } from "./finding.ts";

export interface PlainView {
  readonly text: string;
  /** The finding in the text that this is a view of. */
  original(finding: Finding): Finding;
}

const ESCAPE = "\u001b";
/** Written with escapes: the characters themselves could not be seen here. */
const HIDDEN = new RegExp(
  [
    `${ESCAPE}\\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]`,
    `${ESCAPE}\\][^\\u0007${ESCAPE}]{0,300}(?:\\u0007|${ESCAPE}\\\\)`,
    `${ESCAPE}[@-Z\\\\-_]`,
    "[\\u0000\\u00ad\\u034f\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufe00-\\ufe0f\\ufeff]",
    "\\\\{1,16}u00[0-7][0-9a-fA-F]",
    '\\\\{1,16}[nrt"/]',
  ].join("|"),
  "g",
);

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Undefined when the text hides nothing. */
export function plainView(text: string): PlainView | undefined {
  const pieces: string[] = [];
  const starts = new Uint32Array(text.length);
  const ends = new Uint32Array(text.length);
  let length = 0;
  let done = 0;
  const copy = (until: number) => {
    pieces.push(text.slice(done, until));
    for (let at = done; at < until; at += 1) {
      starts[length] = at;
      ends[length] = at + 1;
      length += 1;
    }
  };
  for (const { 0: hidden, index } of text.matchAll(HIDDEN)) {
    copy(index);
    done = index + hidden.length;
    const shown = shownAs(hidden);
    if (shown === "") continue;
    pieces.push(shown);
    starts[length] = index;
    ends[length] = done;
    length += 1;
  }
  if (done === 0) return undefined;
  copy(text.length);
  return {
    text: pieces.join(""),
    original: ({ start, end, kind }) => ({ start: starts[start] ?? 0, end: ends[end - 1] ?? 0, kind }),
  };
}

function shownAs(hidden: string): string {
  if (!hidden.startsWith("\\")) return "";
  const code = /u00(..)$/.exec(hidden)?.[1];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  const last = hidden.slice(-1);
  return LETTERS[last] ?? last;
}
