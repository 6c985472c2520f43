// Where the advisor starts: the user's own words first, for they decide most, then what led here and
// how much there is. It shows the whole branch, because what compaction took is what matters.

import { truncateHead } from "@mariozechner/pi-coding-agent";
import { ADVICE_MESSAGE } from "../../core/advice-message.ts";
import type { Branch } from "../../core/branch.ts";
import { wholeText } from "../../core/evidence.ts";
import type { Operation } from "../../core/items.ts";
import { firstWords } from "../../core/naming.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import { ANGEL_TOOL } from "../../core/tool-name.ts";
import { countLines, toolLines, totalLine, withheldLine } from "./account.ts";
import { itemLine, TAIL_LENGTH } from "./item-line.ts";
import { brokenChain } from "./list.ts";
import { summaryLines, userLines } from "./spoken.ts";
import { clock, count, MARK_NOTE, nameOf, runningClock } from "./wording.ts";

const SHOWN_TRIGGERS = 10;
const SHOWN_CONSULTATIONS = 10;
/** Several triggers are failures to compare: up to so many characters of each are shown whole, and so many lines between. */
const WHOLE_RESULT = 1500;
const SHOWN_BETWEEN = 10;
const STANDING_LENGTH = 600;

export function overview(
  snapshot: Pick<Snapshot, "sessionId" | "leafId" | "cwd">,
  branch: Branch,
  triggers: readonly string[],
): string {
  const page = [
    `Parent session ${snapshot.sessionId}, pinned at entry ${snapshot.leafId ?? "none (empty session)"}${pinTime(branch)}, folder ${snapshot.cwd}. Times in UTC.`,
    totalLine(branch),
    ...brokenChain(branch),
    ...section('What the user wrote ("lost": the executor no longer has it)', userLines(branch)),
    ...section("Summaries, each a claim of the model that wrote it", summaryLines(branch)),
    ...section("What led to this consultation", triggerLines(triggers, branch)),
    ...section("Where the executor stands", triggers.length === 0 ? standingLines(branch) : []),
    ...section("Earlier consultations", consultationLines(branch, triggers)),
    ...section("Counts", [
      ...countLines(branch),
      ...toolLines(branch.items),
      withheldLine(branch),
      MARK_NOTE,
    ]),
  ].join("\n");
  // Its parts are bounded in characters; only where each takes several bytes can a page not hold them.
  const { content, truncated } = truncateHead(page);
  return truncated ? `${content}\n[The page is full; list and files have the rest.]` : page;
}

function pinTime({ entries }: Branch): string {
  const leaf = entries.at(-1);
  return leaf ? ` of ${clock(leaf.timestamp)}` : "";
}

function triggerLines(triggers: readonly string[], branch: Branch): string[] {
  const time = runningClock();
  const shown = triggers.slice(0, SHOWN_TRIGGERS);
  const operations = shown.map((id) => ({ id, operation: triggerOf(id, branch) }));
  const lines = operations.flatMap(({ id, operation }) =>
    operation
      ? [
          `${nameOf(operation.callId)} = ${itemLine(operation, branch, time(operation.at))}`,
          ...(triggers.length > 1 ? wholeResult(operation, branch) : []),
        ]
      : [`${nameOf(id)}: not on the pinned branch`],
  );
  if (triggers.length > shown.length) lines.push(`and ${triggers.length - shown.length} more calls`);
  return [
    ...lines,
    ...betweenLine(
      operations.flatMap(({ operation }) => operation?.place ?? []),
      branch,
    ),
  ];
}

function betweenLine(places: readonly number[], branch: Branch): string[] {
  const first = Math.min(...places);
  const last = Math.max(...places);
  if (places.length < 2 || last <= first) return [];
  const between = branch.items.filter(
    ({ place, kind }) => place > first && place < last && kind !== "bookkeeping",
  );
  const [after, before] = [branch.entries[first]?.id, branch.entries[last]?.id];
  const time = runningClock();
  return between.length <= SHOWN_BETWEEN
    ? [
        `Between them: ${count(between.length, "line")}.`,
        ...between.map((item) => itemLine(item, branch, time(item.at))),
      ]
    : [
        `Between them: ${count(between.length, "line")} of list with after "${after}", before "${before}", view "branch".`,
      ];
}

/** Nothing when it is too long to be read here, or when its line has said it all. */
function wholeResult({ result }: Operation, branch: Branch): string[] {
  const text = result ? wholeText(branch.contentsOf(result.entry)) : "";
  return text.length <= TAIL_LENGTH || text.length > WHOLE_RESULT
    ? []
    : [`  its result: ${text.trimEnd().replace(/\r\n?|[\n\u0085\u2028\u2029]/g, "\n  ")}`];
}

/** What the executor said last, for a question that no call of it led to. */
function standingLines(branch: Branch): string[] {
  const last = branch.items.findLast((item) => item.kind === "assistant");
  if (!last || last.kind === "operation") return [];
  return [
    `[${last.entryId}] ${clock(last.at)} ${firstWords(wholeText(branch.contentsOf(last.entry)), STANDING_LENGTH)}`,
  ];
}

/** By the entry of its result, or the last call of that id. */
function triggerOf(id: string, branch: Branch): Operation | undefined {
  const byEntry = branch.itemsOf(id).find((item) => item.kind === "operation");
  return byEntry?.kind === "operation" ? byEntry : branch.operations(id).at(-1);
}

function consultationLines(branch: Branch, triggers: readonly string[]): string[] {
  const own = new Set<unknown>(triggers.map((id) => triggerOf(id, branch)));
  const earlier = branch.items.filter((item) =>
    item.kind === "operation"
      ? item.tool === ANGEL_TOOL && !own.has(item)
      : item.entry.type === "custom_message" && item.entry.customType === ADVICE_MESSAGE,
  );
  const hidden = Math.max(0, earlier.length - SHOWN_CONSULTATIONS);
  const time = runningClock();
  return [
    ...(hidden > 0 ? [`[${hidden} older ones; list with view "branch" has them.]`] : []),
    ...earlier.slice(hidden).map((item) => itemLine(item, branch, time(item.at))),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", `${title}:`, ...lines] : [];
}
