// What stands under an id: the pieces that get shows, each with a heading.

import { formatSize } from "@mariozechner/pi-coding-agent";
import type { Branch } from "../../core/branch.ts";
import type { Contents, Image } from "../../core/contents.ts";
import { wholeText } from "../../core/evidence.ts";
import type { Item, Operation, OtherItem } from "../../core/items.ts";
import { isMarkedError } from "../../core/view.ts";
import { callText } from "./call-text.ts";
import { bytesOf, clock, labelOf, nameOf, quote } from "./wording.ts";

/** One thing to show: a call, a result or an entry of its own. */
export interface Piece {
  /** The same for the same thing, whichever id asked for it. */
  readonly key: string;
  readonly heading: string;
  readonly body: string;
  readonly images: readonly Image[];
}

/** The pieces under an entry id, a call id or `call entry→result entry`; or the sentence that says why there are none. */
export function piecesOf(id: string, branch: Branch): readonly Piece[] | string {
  const operations = branch.operations(id);
  if (operations.length > 0) return operations.flatMap((operation) => operationPieces(operation, branch));
  const pair = /^\[?(.+?)→(.+?)\]?$/.exec(id);
  if (pair) {
    const [, call = "", result = ""] = pair;
    const found = branch.itemsOf(result).find(({ entryId }) => entryId === call);
    if (found?.kind === "operation") return operationPieces(found, branch);
  }
  const items = branch.itemsOf(id);
  if (items.length > 0) return items.flatMap((item) => entryPieces(id, item, branch));
  if (branch.placeOf(id) === undefined) {
    return `No entry or tool call ${quote(id)} in the pinned snapshot; take an id from list or search, in full as it stands there.`;
  }
  return `Entry ${quote(id)} is withheld, because it is a system message or a private shell run; go on without it.`;
}

/** What an entry id names: an assistant entry its text and calls, a result entry only the result. */
function entryPieces(id: string, item: Item, branch: Branch): Piece[] {
  if (item.kind !== "operation") return [otherPiece(item, branch)];
  if (item.result?.entryId === id) return [resultPiece(item, item.result, branch)];
  return callPieces(item);
}

function operationPieces(operation: Operation, branch: Branch): Piece[] {
  const { result } = operation;
  return [...callPieces(operation), ...(result ? [resultPiece(operation, result, branch)] : [])];
}

function callPieces({ entryId, at, tool, callId, call, result }: Operation): Piece[] {
  if (!call) return [];
  const answer = result ? `result in ${result.entryId}` : "no result at the pin";
  return [
    {
      key: `call ${entryId} ${callId} ${result?.entryId}`,
      heading: `=== [${entryId}] ${nameOf(tool)} call, ${clock(at)}, ${answer}`,
      body: callText(call),
      images: [],
    },
  ];
}

function resultPiece(
  { tool }: Operation,
  { entry, entryId, at, isMarkedError: isError }: NonNullable<Operation["result"]>,
  branch: Branch,
): Piece {
  const contents = branch.contentsOf(entry);
  const marks = [...(isError ? ["error mark"] : []), ...editMark(contents)];
  return {
    key: `result ${entryId}`,
    heading: `=== [${entryId}] ${[`${nameOf(tool)} result`, clock(at), bytesOf(contents), ...marks].join(", ")}`,
    body: bodyOf(contents),
    images: contents.images,
  };
}

function otherPiece(item: OtherItem, branch: Branch): Piece {
  const contents = branch.contentsOf(item.entry);
  const isMetadataOnly = item.kind === "custom_message" || item.kind === "bookkeeping";
  const marks = [
    ...(item.kind === "shell" ? ["the user's command and its output"] : []),
    ...(item.kind === "shell" && isMarkedError(item, branch) ? ["error mark"] : []),
    ...(contents.fault ? [`this message ${contents.fault}`] : []),
    ...editMark(contents),
  ];
  const size = isMetadataOnly ? [] : [bytesOf(contents)];
  return {
    key: `entry ${item.entryId}`,
    heading: `=== [${item.entryId}] ${[labelOf(item), clock(item.at), ...size, ...marks].join(", ")}`,
    body: isMetadataOnly ? "(metadata only, the rest of this entry is withheld)" : bodyOf(contents),
    images: contents.images,
  };
}

function editMark({ edit }: Contents): string[] {
  return edit ? [`${edit} by a context edit, so this is what the executor's model has`] : [];
}

/** Text first and as it is, so that its lines are those which search counts. */
function bodyOf(contents: Contents): string {
  const { texts, images, edit, withheldBlocks } = contents;
  const isEmpty = texts.length === 0 && images.length === 0;
  return [
    ...(texts.length > 0 ? [wholeText(contents)] : []),
    ...images.map(describeImage),
    ...(isEmpty && !edit ? [withheldBlocks > 0 ? "(thinking only, withheld)" : "(empty)"] : []),
  ].join("\n");
}

function describeImage({ mimeType, data }: Image): string {
  return `(image, ${nameOf(mimeType)}, ${formatSize(Math.floor((data.length * 3) / 4))})`;
}
