// Exact content by id, each piece once, whatever the view.

import { DEFAULT_MAX_BYTES } from "@mariozechner/pi-coding-agent";
import type { Branch } from "../../core/branch.ts";
import type { Image } from "../../core/contents.ts";
import { cutContent } from "./cut.ts";
import type { Piece } from "./pieces.ts";
import { piecesOf } from "./pieces.ts";
import type { Query } from "./query.ts";
import { count } from "./wording.ts";

export interface Gotten {
  readonly text: string;
  readonly images: readonly Image[];
}

/** Less room than this for a further piece only makes a crumb of it. */
const LEAST_BYTES = 2048;
/** A list of wrong ids is one mistake; the first few tell it. */
const SHOWN_REFUSALS = 5;
const SHOWN_IDS = 20;
/** Enough for what a session usually holds side by side, and a bound on one answer. */
const USUAL_IMAGES = 8;

/** @throws Error with a full sentence when the pinned branch has none of the ids */
export function getEntries(branch: Branch, query: Query): Gotten {
  const ids = [...new Set(query.ids)];
  const isPaged = query.offset !== undefined || query.column !== undefined || query.limit !== undefined;
  if (isPaged && ids.length > 1) {
    throw new Error(
      "offset, column and limit of get count within one content, so give one id at a time with them.",
    );
  }
  const start = { line: query.offset ?? 1, column: query.column ?? 1 };
  const seen = new Set<string>();
  const shown: string[] = [];
  const images: Image[] = [];
  const refusals: string[] = [];
  let bytes = 0;

  for (const [index, id] of ids.entries()) {
    const found = piecesOf(id, branch);
    if (typeof found === "string") {
      refusals.push(found);
      continue;
    }
    const fresh = found.filter(({ key }) => !seen.has(key));
    for (const { key } of fresh) seen.add(key);
    if (fresh.length === 0) continue;
    const room = DEFAULT_MAX_BYTES - bytes;
    if (shown.length > 0 && room < LEAST_BYTES) {
      shown.push(leftOut(ids.slice(index)));
      break;
    }
    const cut = showPieces(fresh, start, {
      maxBytes: room,
      ...(query.limit ? { maxLines: query.limit } : {}),
    });
    bytes += Buffer.byteLength(cut);
    shown.push(cut);
    // Further pages of one content would only repeat them.
    const pictures = start.line === 1 && start.column === 1 ? fresh.flatMap((piece) => piece.images) : [];
    if (images.length > 0 && images.length + pictures.length > USUAL_IMAGES) {
      shown.push(`[${count(pictures.length, "image")} of this entry left out; get it alone for them.]`);
    } else images.push(...pictures);
  }
  if (shown.length === 0 && refusals[0]) throw new Error(refusals[0]);
  return { text: [...shown, ...refusalLines(refusals)].join("\n\n"), images };
}

/** A call and its result read as one content, so that offset counts through both. */
function showPieces(
  pieces: readonly Piece[],
  start: { line: number; column: number },
  size: { maxBytes: number; maxLines?: number },
): string {
  const [first, ...others] = pieces;
  if (!first) return "";
  const content = [first.body, ...others.map(({ heading, body }) => `${heading}\n${body}`)].join("\n\n");
  const { text, note } = cutContent(content, start, size);
  return [first.heading, text, ...(note ? [note] : [])].join("\n");
}

function leftOut(ids: readonly string[]): string {
  const named = ids
    .slice(0, SHOWN_IDS)
    .join(", ")
    .slice(0, LEAST_BYTES / 2);
  const more = ids.length > SHOWN_IDS ? ` and ${ids.length - SHOWN_IDS} more` : "";
  return `[The page is full. Not shown: ${named}${more}. Ask for them in another get.]`;
}

function refusalLines(refusals: readonly string[]): string[] {
  const more = refusals.length - SHOWN_REFUSALS;
  return [
    ...refusals.slice(0, SHOWN_REFUSALS).map((sentence) => `[${sentence}]`),
    ...(more > 0 ? [`[${count(more, "further id")} of this call gave nothing either.]`] : []),
  ];
}
