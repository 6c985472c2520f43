// Exact content by id, each piece once, whatever the view.

import { DEFAULT_MAX_BYTES, formatSize } from "@mariozechner/pi-coding-agent";
import type { Branch, Item, Operation, OtherItem } from "../../core/branch.ts";
import type { Contents, Image } from "../../core/contents.ts";
import { callText } from "./call-text.ts";
import type { Cut } from "./cut.ts";
import { cutContent } from "./cut.ts";
import type { Query } from "./query.ts";
import { clock, count, labelOf } from "./wording.ts";

export interface Gotten {
  readonly text: string;
  readonly images: readonly Image[];
}

/** One thing to show: a call, a result or an entry of its own. */
interface Piece {
  readonly key: string;
  readonly heading: string;
  readonly body: string;
  readonly images: readonly Image[];
}

/** Less room than this for a further piece only makes a crumb of it. */
const LEAST_BYTES = 2048;
/** A list of wrong ids is one mistake; the first few tell it. */
const SHOWN_REFUSALS = 5;
/** Enough for what a session usually holds side by side, and a bound on one answer. */
const SHOWN_IMAGES = 8;

/** @throws Error with a full sentence when the pinned branch has none of the ids */
export function getEntries(branch: Branch, query: Query): Gotten {
  const isPaged = query.offset !== undefined || query.column !== undefined || query.limit !== undefined;
  if (isPaged && query.ids.length > 1) {
    throw new Error(
      "offset, column and limit of get count within one content, so they take one id at a time.",
    );
  }
  const start = { line: query.offset ?? 1, column: query.column ?? 1 };
  const seen = new Set<string>();
  const shown: string[] = [];
  const images: Image[] = [];
  const refusals: string[] = [];
  let bytes = 0;

  for (const [index, id] of query.ids.entries()) {
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
      shown.push(leftOut(query.ids.slice(index)));
      break;
    }
    const cut = showPieces(fresh, start, {
      maxBytes: room,
      ...(query.limit ? { maxLines: query.limit } : {}),
    });
    bytes += Buffer.byteLength(cut);
    shown.push(cut);
    images.push(...fresh.flatMap((piece) => piece.images));
  }
  if (shown.length === 0 && refusals[0]) throw new Error(refusals[0]);
  shown.push(...refusals.slice(0, SHOWN_REFUSALS).map((sentence) => `[${sentence}]`));
  if (images.length > SHOWN_IMAGES)
    shown.push(`[${count(images.length - SHOWN_IMAGES, "further image")} not shown.]`);
  return { text: shown.join("\n\n"), images: images.slice(0, SHOWN_IMAGES) };
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
  const cut: Cut = cutContent(content, start, size);
  return [first.heading, cut.text, ...(cut.note ? [cut.note] : [])].join("\n");
}

/** The pieces under an id, or the sentence that says why there are none. */
function piecesOf(id: string, branch: Branch): Piece[] | string {
  const operation = branch.operation(id);
  if (operation) return operationPieces(operation, branch);
  const items = branch.itemsOf(id);
  if (items.length > 0) return items.flatMap((item) => entryPieces(id, item, branch));
  if (branch.placeOf(id) !== undefined) {
    return `Entry "${id}" is withheld: it is a system message or a private shell run.`;
  }
  const shown = id.length > 80 ? `${id.slice(0, 80)}…` : id;
  return `No entry or tool call "${shown}" in the pinned snapshot; take an id from list or search, in full as it stands there.`;
}

/** What an entry id names: an assistant entry its text and calls, a result entry only the result. */
function entryPieces(id: string, item: Item, branch: Branch): Piece[] {
  if (item.kind !== "operation") return [otherPiece(item, branch)];
  if (item.entryId !== id) return operationPieces(item, branch).filter(({ key }) => key.startsWith("result"));
  return operationPieces(item, branch).filter(({ key }) => key.startsWith("call") || item.call === undefined);
}

function operationPieces(item: Operation, branch: Branch): Piece[] {
  const { call, result, callId } = item;
  const pieces: Piece[] = [];
  if (call) {
    const answer = result ? `, result in ${result.entryId}` : ", no result at the pin";
    pieces.push({
      key: `call ${item.entryId} ${callId}`,
      heading: `=== [${item.entryId}] call of ${item.tool}, ${clock(item.at)}, call id ${callId}${answer}`,
      body: callText(call),
      images: [],
    });
  }
  if (result) {
    const contents = branch.contentsOf(result.entry);
    const mark = result.isMarkedError ? "marked as an error" : "no error mark";
    pieces.push({
      key: `result ${result.entryId}`,
      heading: `=== [${result.entryId}] result of ${item.tool}, ${clock(result.at)}, call id ${callId}, ${mark}${sizeOf(contents)}`,
      body: bodyOf(contents),
      images: contents.images,
    });
  }
  return pieces;
}

function otherPiece(item: OtherItem, branch: Branch): Piece {
  const contents = branch.contentsOf(item.entry);
  const isMetadataOnly = item.kind === "custom_message" || item.kind === "bookkeeping";
  return {
    key: `entry ${item.entryId}`,
    heading: `=== [${item.entryId}] ${labelOf(item)}, ${clock(item.at)}${isMetadataOnly ? "" : sizeOf(contents)}`,
    body: isMetadataOnly ? "(metadata only: the rest of this entry is withheld)" : bodyOf(contents),
    images: contents.images,
  };
}

function bodyOf({ texts, images, edit, fault, withheldBlocks }: Contents): string {
  const isNamed = texts.some(({ part }) => part === "command" || part === "output");
  return [
    ...(edit ? [`(${edit} by a context edit: this is what the executor's model has)`] : []),
    ...texts.map(({ part, text }) => (isNamed ? `${part}:\n${text}` : text)),
    ...images.map(
      ({ mimeType, data }) => `(image, ${mimeType}, ${formatSize(Math.floor((data.length * 3) / 4))})`,
    ),
    ...(fault ? [`(this message ${fault})`] : []),
    ...(texts.length === 0 && images.length === 0 && !edit
      ? [withheldBlocks > 0 ? "(thinking only, withheld)" : "(empty)"]
      : []),
  ].join("\n");
}

function sizeOf({ texts }: Contents): string {
  return `, ${formatSize(texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0))}`;
}

function leftOut(ids: readonly string[]): string {
  const named = ids.slice(0, 20).join(", ");
  const more = ids.length > 20 ? ` and ${ids.length - 20} more` : "";
  return `[The page is full. Not shown: ${named}${more}. Ask for them in another get.]`;
}
