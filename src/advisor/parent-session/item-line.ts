// An item on one line: ids, time, what it is, how much of it there is, its call and the end of its result.

import type { Branch } from "../../core/branch.ts";
import type { Contents } from "../../core/contents.ts";
import { wholeText } from "../../core/evidence.ts";
import type { Item, Operation, OperationResult, OtherItem } from "../../core/items.ts";
import { firstWords } from "../../core/naming.ts";
import { ANGEL_TOOL } from "../../core/tool-name.ts";
import { isMarkedError } from "../../core/view.ts";
import { callWords } from "./call-words.ts";
import { bytesOf, count, labelOf, nameOf, operationId } from "./wording.ts";

export const LINE_LEGEND =
  "[call entry→result entry] tool mark size: call ⇒ end of result; a size means that there is more than the line shows";

const OPENING_LENGTH = 200;
/** Characters of a result that a line shows; a shorter one is whole there. */
export const TAIL_LENGTH = 200;
/** Of a result marked as an error the beginning is shown too: the end may be the tool's own farewell. */
const ERROR_HEAD_LENGTH = 100;
/** A beginning that the end repeats this far is the end itself. */
const REPEATED_LENGTH = 20;
/** A result that ends with more blank lines or stack frames than this has no end to show. */
const MAX_LOOKED_AT = 200;

/** These answer a success with what the call already says, or with the file itself. */
const SELF_EVIDENT: readonly string[] = ["read", "edit", "write"];

interface Told {
  readonly words: string;
  readonly isWhole: boolean;
}

/** @param time with a blank behind it, or empty */
export function itemLine(item: Item, branch: Branch, time: string): string {
  return item.kind === "operation" ? operationLine(item, branch, time) : otherLine(item, branch, time);
}

function otherLine(item: OtherItem, branch: Branch, time: string): string {
  const contents = branch.contentsOf(item.entry);
  const { texts, edit, fault, withheldBlocks } = contents;
  const head = `[${item.entryId}] ${time}${labelOf(item)}`;
  const marks = [
    ...(item.kind === "shell" && isMarkedError(item, branch) ? ["error"] : []),
    ...(fault ? [firstWords(fault, OPENING_LENGTH)] : []),
    ...(edit ? [`${edit} by a context edit`] : []),
    ...(item.kind === "custom_message" ? ["body withheld"] : []),
    ...imageMark(contents),
    ...(texts.length === 0 && !edit && withheldBlocks > 0 ? ["thinking only, withheld"] : []),
  ];
  const words =
    item.kind === "shell" ? shellWords(contents) : firstWords(wholeText(contents), OPENING_LENGTH);
  const isWhole = wholeText(contents).length <= OPENING_LENGTH;
  return withWords([head, ...sizeMark(contents, isWhole)].join(" "), marks, words);
}

function operationLine(item: Operation, branch: Branch, time: string): string {
  const { call, result, otherHalf } = item;
  const head = `[${operationId(item)}] ${time}${nameOf(item.tool)}`;
  const missing = otherHalf ? `in ${otherHalf}, beyond this view` : "missing";
  const asked = call ? callWords(call) : `its call is ${missing}`;
  if (!result)
    return withWords(head, [otherHalf ? `its result is ${missing}` : "no result at the pin"], asked);
  const contents = branch.contentsOf(result.entry);
  const mark = result.isMarkedError ? " error" : "";
  const marks = [
    ...(contents.edit ? [`result ${contents.edit} by a context edit`] : []),
    ...imageMark(contents),
  ];
  const told = resultWords(item, result, contents);
  const isWhole = told?.isWhole ?? item.tool !== "read";
  const words = told?.words ? `${asked} ⇒ ${told.words}` : asked;
  return withWords([`${head}${mark}`, ...sizeMark(contents, isWhole)].join(" "), marks, words);
}

/** Undefined where the call has said it all. */
function resultWords(
  { tool }: Operation,
  { isMarkedError }: OperationResult,
  contents: Contents,
): Told | undefined {
  if (!isMarkedError && SELF_EVIDENT.includes(tool)) return undefined;
  const text = wholeText(contents);
  // Advice begins with what matters and ends with what its author did not see.
  if (tool === ANGEL_TOOL)
    return { words: firstWords(text, TAIL_LENGTH), isWhole: text.length <= TAIL_LENGTH };
  const tail = tailOf(contents);
  if (!isMarkedError || tail.isWhole || tail.words.startsWith(text.trimStart().slice(0, REPEATED_LENGTH)))
    return tail;
  return { words: `${firstWords(text, ERROR_HEAD_LENGTH)} … ${tail.words}`, isWhole: false };
}

function withWords(head: string, marks: readonly string[], words: string): string {
  const marked = [head, ...marks].join(", ");
  return words ? `${marked}: ${words}` : marked;
}

function sizeMark(contents: Contents, isWhole: boolean): string[] {
  return isWhole ? [] : [bytesOf(contents)];
}

function imageMark({ images }: Contents): string[] {
  return images.length > 0 ? [count(images.length, "image")] : [];
}

function shellWords(contents: Contents): string {
  const [command, ...output] = contents.texts;
  const tail = tailOf({ ...contents, texts: output });
  return `${firstWords(command?.text ?? "", OPENING_LENGTH)}${tail.words ? ` ⇒ ${tail.words}` : ""}`;
}

/** The last lines, as many as fit: the end of a result is where it says how it went. */
function tailOf({ texts }: Contents): Told {
  const text = texts.at(-1)?.text ?? "";
  const lines: string[] = [];
  let room = TAIL_LENGTH;
  let isTold = false;
  let isWhole = text.length <= TAIL_LENGTH && texts.length <= 1;
  let previous = "";
  for (const line of linesFromEnd(text)) {
    const isRepeated = line === previous;
    previous = line;
    // Stack frames push the message that they belong to out of sight.
    if (isRepeated || /^at \S/.test(line)) {
      isWhole = false;
      continue;
    }
    if (isTold && line.length > room) return { words: lines.join(" · "), isWhole: false };
    lines.unshift(firstWords(line, Math.max(room, TAIL_LENGTH / 2)));
    room -= line.length + 3;
    // Pi's own last line repeats the error mark; alone it tells nothing.
    isTold ||= !/^Command exited with code \d+$/.test(line);
  }
  return { words: lines.join(" · "), isWhole };
}

/** Trimmed, without blank ones, and no more of them than a look at the end is worth. */
function* linesFromEnd(text: string): Generator<string> {
  let end = text.length;
  for (let looked = 0; end > 0 && looked < MAX_LOOKED_AT; looked += 1) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    const line = text.slice(start, Math.min(end, start + TAIL_LENGTH * 4)).trim();
    end = start - 1;
    if (line !== "") yield line;
  }
}
