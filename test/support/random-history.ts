/** Random histories of a session: whatever Pi's SessionManager can be told to do, in any order. */

import fc from "fast-check";
import type { SessionBuilder } from "./session-builder.ts";

/** `at` picks one of the entries so far. */
export type Deed =
  | { readonly kind: "user" | "say" | "system" | "custom" | "note" | "model" | "shell" | "private" | "image" }
  | {
      readonly kind: "call";
      readonly calls: number;
      readonly hasWords: boolean;
      readonly isRepeated: boolean;
    }
  | { readonly kind: "result"; readonly isError: boolean }
  | { readonly kind: "compaction"; readonly at: number | null }
  | { readonly kind: "edit"; readonly at: number; readonly isOmitted: boolean }
  | { readonly kind: "branch" | "summarize"; readonly at: number };

const at = fc.nat({ max: 1000 });
const simple = ["user", "say", "system", "custom", "note", "model", "shell", "private", "image"] as const;

const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constantFrom(...simple) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("call" as const),
      calls: fc.integer({ min: 1, max: 3 }),
      hasWords: fc.boolean(),
      isRepeated: fc.boolean(),
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("result" as const), isError: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("compaction" as const), at: fc.option(at) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("edit" as const), at, isOmitted: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("branch" as const, "summarize" as const), at }) },
);

export const history: fc.Arbitrary<readonly Deed[]> = fc.array(deed, { maxLength: 60, size: "max" });

export function live(session: SessionBuilder, deeds: readonly Deed[]): void {
  const open: string[] = [];
  for (const [step, one] of deeds.entries()) carryOut(session, one, step, open);
}

/** @param open ids of calls that no result has answered yet */
function carryOut(session: SessionBuilder, deed: Deed, step: number, open: string[]): void {
  const { manager } = session;
  const entries = manager.getEntries();
  const pick = (index: number) => entries[index % entries.length]?.id;
  switch (deed.kind) {
    case "user":
      session.user(`user ${step}`);
      return;
    case "say":
      session.say(`say ${step}`, { thinking: `thought ${step}` });
      return;
    case "system":
      session.system(`system ${step}`);
      return;
    case "custom":
      manager.appendCustomMessageEntry("note", `custom ${step}`, true);
      return;
    case "note":
      manager.appendCustomEntry("note", { step });
      return;
    case "model":
      manager.appendModelChange("local", "exec");
      return;
    case "shell":
    case "private":
      session.shell(`command ${step}`, `output ${step}`, { isPrivate: deed.kind === "private" });
      return;
    case "image":
      session.user([{ type: "image", data: "AAAA", mimeType: "image/png" }]);
      return;
    case "call": {
      // Some providers count their ids anew in every message.
      const ids = Array.from({ length: deed.calls }, (_, n) =>
        deed.isRepeated ? `call_${n}` : `call_${step}_${n}`,
      );
      session.call(
        ids.map((id) => ({ tool: "bash", args: { command: `argument ${step}` }, id })),
        deed.hasWords ? `words ${step}` : undefined,
      );
      open.push(...ids);
      return;
    }
    case "result":
      session.result(open.shift() ?? "nobody's", "bash", `result ${step}`, { isError: deed.isError });
      return;
    case "compaction":
      manager.appendCompaction(`summary ${step}`, deed.at === null ? null : (pick(deed.at) ?? null), 1000);
      return;
    case "edit": {
      const target = editable(session)[deed.at % Math.max(1, editable(session).length)];
      if (target) manager.appendContextEdit(target, deed.isOmitted ? null : { content: `edited ${step}` });
      return;
    }
    case "branch":
    case "summarize": {
      const from = pick(deed.at);
      if (from === undefined) return;
      if (deed.kind === "branch") manager.branch(from);
      else manager.branchWithSummary(from, `left ${step}`);
      return;
    }
    default:
      deed satisfies never;
  }
}

/** The entries of the branch that Pi lets an extension edit. */
function editable({ manager }: SessionBuilder): string[] {
  return manager.getBranch().flatMap((entry) => {
    const isMessage =
      entry.type === "message" && ["user", "assistant", "toolResult"].includes(entry.message.role);
    return isMessage || entry.type === "custom_message" ? [entry.id] : [];
  });
}
