// The context view against Pi's own: whatever happened to a session, the executor's model has exactly what the view shows.

import { buildSessionProjection } from "@mariozechner/pi-coding-agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Branch } from "../../src/core/branch.ts";
import { readBranch } from "../../src/core/branch.ts";
import { evidenceOf } from "../../src/core/evidence.ts";
import type { Item } from "../../src/core/items.ts";
import { kindOf } from "../../src/core/items.ts";
import type { View } from "../../src/core/view.ts";
import { itemsIn, VIEWS } from "../../src/core/view.ts";
import type { Deed } from "../support/random-history.ts";
import { history, live } from "../support/random-history.ts";
import type { SessionBuilder } from "../support/session-builder.ts";
import { buildSession } from "../support/session-builder.ts";

const EVERYTHING = { kinds: [], isErrorsOnly: false };
const WITHHELD: readonly string[] = ["system_message", "private_shell_run"];

test("The context view is what Pi sends to the executor, and lost is what the branch has beyond it.", {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(history, (deeds) => {
      const { session, branch } = play(deeds);
      const projected = projectionOf(session);

      expect(entriesIn(branch, "context")).toEqual(projected.map(({ id }) => id).toSorted());
      expect(textsIn(branch, "context")).toEqual(projected.flatMap(({ texts }) => texts).toSorted());
      expect(callsIn(branch, "context")).toEqual(projected.flatMap(({ calls }) => calls).toSorted());
      expect([...entriesIn(branch, "context"), ...entriesIn(branch, "lost")].toSorted()).toEqual(
        entriesIn(branch, "branch"),
      );
      expect([...textsIn(branch, "context"), ...textsIn(branch, "lost")].toSorted()).toEqual(
        textsIn(branch, "branch"),
      );
      expect(entriesIn(branch, "branch")).toEqual(
        branch.entries
          .filter((entry) => !WITHHELD.includes(kindOf(entry)))
          .map(({ id }) => id)
          .toSorted(),
      );
    }),
    { numRuns: 1500 },
  );
});

test("Every entry of a branch is counted once, in context or lost.", () => {
  fc.assert(
    fc.property(history, (deeds) => {
      const { branch } = play(deeds);

      const counts = [...branch.counts]
        .filter(([kind]) => !WITHHELD.includes(kind))
        .map(([, count]) => count);

      const total = [...branch.counts.values()].reduce(
        (sum, { inContext, lost }) => sum + inContext + lost,
        0,
      );
      expect(total).toBe(branch.entries.length);
      expect(counts.reduce((sum, { inContext }) => sum + inContext, 0)).toBe(
        entriesIn(branch, "context").length,
      );
      expect(counts.reduce((sum, { lost }) => sum + lost, 0)).toBe(entriesIn(branch, "lost").length);
    }),
    { numRuns: 500 },
  );
});

test("The items of every view stand in the order of the branch.", () => {
  fc.assert(
    fc.property(history, fc.constantFrom(...VIEWS), (deeds, view) => {
      const places = [...itemsIn(play(deeds).branch, view, EVERYTHING)].map(({ place }) => place);

      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});

test("A compaction that parts a call from its result shows each half in its own view.", () => {
  const session = buildSession();
  const call = session.call([{ tool: "bash", args: { command: "make" }, id: "one" }]);
  const summary = session.manager.appendCompaction("sum", null, 1);
  const result = session.result("one", "bash", "made");
  const branch = readBranch(session.manager.getBranch(), session.manager.getLeafId());

  const shown = (view: View) => [...itemsIn(branch, view, EVERYTHING)];

  expect(shown("context")).toMatchObject([
    { entryId: summary },
    { entryId: result, callId: "one", result: { entryId: result }, otherHalf: call },
  ]);
  expect(shown("context")[1]).not.toHaveProperty("call");
  expect(shown("lost")).toMatchObject([{ entryId: call, call: { name: "bash" }, otherHalf: result }]);
  expect(shown("lost")[0]).not.toHaveProperty("result");
  expect(shown("branch")).toMatchObject([
    { entryId: call, call: { name: "bash" }, result: { entryId: result } },
    { entryId: summary },
  ]);
});

function play(deeds: readonly Deed[]): { session: SessionBuilder; branch: Branch } {
  const session = buildSession();
  live(session, deeds);
  return { session, branch: readBranch(session.manager.getBranch(), session.manager.getLeafId()) };
}

/** What Pi's model has, entry by entry, without what is withheld and without the summaries that a newer one replaced. */
function projectionOf({ manager }: SessionBuilder) {
  const { entries } = buildSessionProjection(manager.getEntries(), manager.getLeafId());
  return entries.flatMap(({ sourceEntry, messages }, index) => {
    const kind = kindOf(sourceEntry);
    if (WITHHELD.includes(kind) || (kind === "compaction" && index > 0)) return [];
    const texts: string[] = [];
    const calls: string[] = [];
    for (const message of messages) {
      if (message.role === "compactionSummary" || message.role === "branchSummary")
        texts.push(message.summary);
      else if (message.role === "bashExecution") texts.push(message.command, message.output);
      else if (message.role === "user" || message.role === "assistant" || message.role === "toolResult") {
        if (typeof message.content === "string") texts.push(message.content);
        else
          for (const block of message.content) {
            if (block.type === "text") texts.push(block.text);
            if (block.type === "toolCall") calls.push(block.id);
          }
      }
    }
    return [{ id: sourceEntry.id, texts: texts.filter((text) => text !== ""), calls }];
  });
}

/** A result whose call is shown belongs to the call's item; an assistant message that only calls has no item but theirs. */
function entriesIn(branch: Branch, view: View): string[] {
  const ids = [...itemsIn(branch, view, EVERYTHING)].flatMap((item) =>
    item.kind === "operation" && item.result ? [item.entryId, item.result.entryId] : [item.entryId],
  );
  return [...new Set(ids)].toSorted();
}

function textsIn(branch: Branch, view: View): string[] {
  const isArgument = (where: string) => where.startsWith("argument") || where === "fault";
  return [...itemsIn(branch, view, EVERYTHING)]
    .flatMap((item) => [...evidenceOf(item, branch)].filter(({ where }) => !isArgument(where)))
    .map(({ text }) => text)
    .toSorted();
}

function callsIn(branch: Branch, view: View): string[] {
  const called = (item: Item) => (item.kind === "operation" && item.call ? [item.callId] : []);
  return [...itemsIn(branch, view, EVERYTHING)].flatMap(called).toSorted();
}
