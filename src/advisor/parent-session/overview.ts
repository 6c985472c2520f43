// A page of metadata: where the advisor starts. The user's own words come first, for they decide most.

import { formatSize } from "@mariozechner/pi-coding-agent";
import type { Branch, Item, Operation } from "../../core/branch.ts";
import { firstWords } from "../../core/naming.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import type { View } from "../../core/view.ts";
import { isInView } from "../../core/view.ts";
import { callWords, clock, count, MARK_NOTE } from "./wording.ts";

/** The more the user said, the less of each entry: the page stays a page. */
const OPENING_LENGTHS = [
  { upTo: 20, length: 280 },
  { upTo: 60, length: 140 },
  { upTo: 200, length: 70 },
  { upTo: Number.POSITIVE_INFINITY, length: 30 },
] as const;
const SHOWN_USER_ENTRIES = 400;

export function overview(snapshot: Snapshot, triggers: readonly string[], view: View): string {
  const branch = snapshot.branch();
  const items = branch.items.filter((item) => isInView(item, view));
  return [
    ...heading(snapshot, branch, view),
    ...section("What the user wrote", userLines(items, branch)),
    ...section("What led to this consultation", triggerLines(triggers, branch)),
    ...section(`Kinds in view ${view}`, kindLines(items)),
    ...section("Operations by tool", toolLines(items)),
    ...section("Summaries", summaryLines(branch)),
    ...section("Earlier consultations", consultationLines(branch, triggers)),
    ...section("Withheld", withheldLines(branch)),
  ].join("\n");
}

function heading(snapshot: Snapshot, branch: Branch, view: View): string[] {
  const visible = branch.entries.length - branch.withheld.systemMessages - branch.withheld.privateShellRuns;
  const lost = visible - branch.entriesInContext;
  return [
    `Parent session ${snapshot.sessionId}, pinned at entry ${snapshot.leafId ?? "none (empty session)"}, folder ${snapshot.cwd}.`,
    `${count(visible, "entry", "entries")} on the branch: ${branch.entriesInContext} that the executor's model still sees (view context), ` +
      `${lost} that compaction took away (view lost). Shown here: view ${view}. ${MARK_NOTE}`,
    ...(branch.missingParentId
      ? [
          `The chain of entries is broken: parent ${branch.missingParentId} is missing, so anything older cannot be reached.`,
        ]
      : []),
  ];
}

function userLines(items: readonly Item[], branch: Branch): string[] {
  const users = items.filter((item) => item.kind === "user");
  const length = OPENING_LENGTHS.find(({ upTo }) => users.length <= upTo)?.length ?? 30;
  const shown =
    users.length > SHOWN_USER_ENTRIES
      ? [...users.slice(0, 20), ...users.slice(20 - SHOWN_USER_ENTRIES)]
      : users;
  const lines = shown.map((item) => {
    const { texts, images, edit } =
      item.kind === "user" ? branch.contentsOf(item.entry) : { texts: [], images: [] };
    const opening =
      edit === "omitted"
        ? "(omitted by a context edit)"
        : firstWords(texts.map(({ text }) => text).join(" "), length);
    return `[${item.entryId}] ${clock(item.at)} ${opening}${images.length > 0 ? ` (${count(images.length, "image")})` : ""}`;
  });
  const hidden = users.length - shown.length;
  if (hidden > 0) lines.splice(20, 0, `[${hidden} more here: list with kinds ["user"].]`);
  return lines;
}

function triggerLines(triggers: readonly string[], branch: Branch): string[] {
  const operations = triggers.map((id) => ({ id, operation: branch.operation(id) }));
  const lines = operations.map(({ id, operation }) => {
    if (!operation) return `call ${id}: not on the pinned branch`;
    const result = operation.result;
    const state = result
      ? `result [${result.entryId}] ${result.isMarkedError ? "failed" : "ok"}`
      : "no result at the pin";
    return `call ${id}: [${operation.entryId}] ${clock(operation.at)} ${operation.tool}, ${state} | ${callWords(operation)}`;
  });
  const places = operations.flatMap(({ operation }) => operation?.place ?? []);
  const first = Math.min(...places);
  const last = Math.max(...places);
  if (places.length < 2 || last <= first) return lines;
  const between = branch.items.filter(({ place }) => place > first && place < last).length;
  const ids = [branch.entries[first]?.id, branch.entries[last]?.id];
  lines.push(
    `${count(between, "line")} of the list between them: list with after "${ids[0]}", before "${ids[1]}", view "branch".`,
  );
  return lines;
}

function kindLines(items: readonly Item[]): string[] {
  const kinds = new Map<string, number>();
  for (const { kind } of items) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const calls = items.filter((item): item is Operation => item.kind === "operation");
  const unanswered = calls.filter(({ result }) => !result).length;
  const words = [...kinds].map(([kind, amount]) => `${kind} ${amount}`);
  return [
    `${words.join(", ") || "nothing"}${unanswered > 0 ? ` (${count(unanswered, "operation")} without a result)` : ""}`,
  ];
}

function toolLines(items: readonly Item[]): string[] {
  const tools = new Map<string, { calls: number; failures: number }>();
  for (const item of items) {
    if (item.kind !== "operation") continue;
    const tool = tools.get(item.tool) ?? { calls: 0, failures: 0 };
    tool.calls += 1;
    if (item.result?.isMarkedError) tool.failures += 1;
    tools.set(item.tool, tool);
  }
  const words = [...tools].map(
    ([name, { calls, failures }]) => `${name} ${calls}${failures > 0 ? ` (${failures} failed)` : ""}`,
  );
  return words.length > 0 ? [words.join(", ")] : [];
}

function summaryLines(branch: Branch): string[] {
  return branch.items.flatMap((item) => {
    if (item.kind !== "compaction" && item.kind !== "branch_summary") return [];
    const size = branch
      .contentsOf(item.entry)
      .texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    const what =
      item.kind === "compaction"
        ? item.isInContext
          ? "compaction, the one in force"
          : "compaction, superseded"
        : "branch summary";
    return [`[${item.entryId}] ${clock(item.at)} ${what}, ${formatSize(size)}`];
  });
}

function consultationLines(branch: Branch, triggers: readonly string[]): string[] {
  return branch.items.flatMap((item) => {
    if (item.kind === "operation") {
      if (item.tool !== "angel" || triggers.includes(item.callId)) return [];
      const answer = item.result
        ? `result [${item.result.entryId}] ${item.result.isMarkedError ? "failed" : "advised"}`
        : "no result";
      return [`[${item.entryId}] ${clock(item.at)} asked by the executor, ${answer} | ${callWords(item)}`];
    }
    if (item.entry.type !== "custom_message" || item.entry.customType !== "angel-advice") return [];
    return [`[${item.entryId}] ${clock(item.at)} advice given unasked or to the user (metadata only)`];
  });
}

function withheldLines({ withheld, items }: Branch): string[] {
  const bodies = items.filter(({ kind }) => kind === "custom_message").length;
  const parts = [
    ...(withheld.systemMessages > 0 ? [count(withheld.systemMessages, "system message")] : []),
    ...(withheld.privateShellRuns > 0 ? [count(withheld.privateShellRuns, "private shell run")] : []),
    ...(bodies > 0 ? [`the bodies of ${count(bodies, "custom message")}`] : []),
  ];
  return [
    `${parts.length > 0 ? `${parts.join(", ")}; ` : ""}thinking, tool details and other branches always.`,
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", `${title}:`, ...lines] : [];
}
