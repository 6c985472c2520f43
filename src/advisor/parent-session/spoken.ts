// What decides most in an investigation: the user's own words and the summaries, shown as far as there is room.

import type { Branch } from "../../core/branch.ts";
import { wholeText } from "../../core/evidence.ts";
import type { Item, OtherItem } from "../../core/items.ts";
import { firstWords } from "../../core/naming.ts";
import { bytesOf, count, runningClock } from "./wording.ts";

/** Characters for all messages of the user together: enough to have a usual session's in full. */
const USER_ROOM = 6000;
const SHOWN_FIRST = 10;
const SHOWN_LAST = 90;
/** Characters for the summary in force, and for all others together. */
const SUMMARY_ROOM = 3000;
const OTHER_SUMMARIES_ROOM = 1500;
const SHOWN_SUMMARIES = 20;

export function userLines(branch: Branch): string[] {
  const users = branch.items.filter(isUser);
  const hidden = Math.max(0, users.length - SHOWN_FIRST - SHOWN_LAST);
  const shown = [...users.slice(0, SHOWN_FIRST), ...users.slice(SHOWN_FIRST + hidden)];
  const room = fairShare(
    shown.map((item) => textOf(item, branch).length),
    USER_ROOM,
  );
  const time = runningClock();
  const lines = shown.map((item) => {
    const { images, edit } = branch.contentsOf(item.entry);
    const marks = [
      ...(item.isInContext ? [] : ["lost"]),
      ...(edit ? [`${edit} by a context edit`] : []),
      ...(images.length > 0 ? [count(images.length, "image")] : []),
    ];
    const head = `[${item.entryId}] ${time(item.at)}${marks.length > 0 ? `(${marks.join(", ")}) ` : ""}`;
    return head + firstWords(textOf(item, branch), room);
  });
  if (hidden > 0)
    lines.splice(SHOWN_FIRST, 0, `[${hidden} more here: list with kinds ["user"], view "branch".]`);
  return lines;
}

export function summaryLines(branch: Branch): string[] {
  const summaries = branch.items.filter(isSummary);
  const shown = summaries.slice(-SHOWN_SUMMARIES);
  const others = shown.filter((item) => !isInForce(item)).map((item) => textOf(item, branch).length);
  const room = fairShare(others, OTHER_SUMMARIES_ROOM);
  const time = runningClock();
  const lines = shown.map((item) => {
    const what =
      item.kind === "branch_summary"
        ? "of a branch that was left"
        : isInForce(item)
          ? "in force"
          : "superseded";
    const words = firstWords(textOf(item, branch), isInForce(item) ? SUMMARY_ROOM : room);
    return `[${item.entryId}] ${time(item.at)}${what}, ${bytesOf(branch.contentsOf(item.entry))}: ${words}`;
  });
  const hidden = summaries.length - shown.length;
  return hidden > 0
    ? [`[${hidden} older ones: list with kinds ["compaction", "branch_summary"], view "branch".]`, ...lines]
    : lines;
}

function isUser(item: Item): item is OtherItem {
  return item.kind === "user";
}

function isSummary(item: Item): item is OtherItem {
  return item.kind === "compaction" || item.kind === "branch_summary";
}

function isInForce({ kind, isInContext }: Item): boolean {
  return kind === "compaction" && isInContext;
}

function textOf(item: OtherItem, branch: Branch): string {
  return wholeText(branch.contentsOf(item.entry));
}

/** The greatest length that all texts may have so that together they fit: short ones leave their rest to long ones. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room;
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) return share;
    left -= length;
  }
  return room;
}
