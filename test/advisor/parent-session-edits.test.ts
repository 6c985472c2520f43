// An extension may change what the executor's model has of an entry. Advice is about what the executor has.

import { expect, test } from "vitest";
import { openParentSession, withoutTimes } from "../support/ask-parent.ts";
import { buildSession } from "../support/session-builder.ts";

test("Content that a context edit replaced or omitted appears so in every view.", async () => {
  const session = buildSession();
  const { manager } = session;
  const lostUser = session.user("ORIGINAL one");
  const lostResult = session.operate("bash", { command: "make" }, "ORIGINAL two");
  const kept = session.user("ORIGINAL three");
  const keptResult = session.operate("bash", { command: "test" }, "ORIGINAL four");
  const note = manager.appendCustomMessageEntry("todo", "ORIGINAL five", true);
  manager.appendContextEdit(lostUser, { content: "INSTEAD one" });
  manager.appendContextEdit(lostResult.result, null);
  manager.appendContextEdit(kept, null);
  manager.appendContextEdit(keptResult.result, { content: "FIRST four" });
  manager.appendContextEdit(keptResult.result, { content: "INSTEAD four" });
  manager.appendContextEdit(note, null);
  manager.appendCompaction("sum", kept, 1);
  const { ask } = openParentSession(manager);

  const lists = await Promise.all(["context", "lost", "branch"].map((view) => ask({ action: "list", view })));
  const [context = "", lost = "", branch = ""] = lists.map(withoutTimes);
  const overview = withoutTimes(await ask({ action: "overview" }));
  const got = await ask({ action: "get", ids: [lostUser, lostResult.result, kept, keptResult.result, note] });
  const original = await ask({ action: "search", query: "ORIGINAL", view: "branch" });
  const instead = withoutTimes(await ask({ action: "search", query: "INSTEAD", view: "branch" }));

  const lines = {
    lostUser: `[${lostUser}] user, replaced by a context edit: INSTEAD one`,
    lostResult: `[${lostResult.call}→${lostResult.result}] bash, result omitted by a context edit: make`,
    kept: `[${kept}] user, omitted by a context edit`,
    keptResult: `[${keptResult.call}→${keptResult.result}] bash, result replaced by a context edit: test ⇒ INSTEAD four`,
    note: `[${note}] custom message of todo, omitted by a context edit, body withheld`,
  };
  expect(lost.split("\n").slice(1)).toEqual([lines.lostUser, lines.lostResult]);
  expect(context.split("\n").slice(1, 4)).toEqual([lines.kept, lines.keptResult, lines.note]);
  for (const line of Object.values(lines)) expect(branch.split("\n")).toContain(line);
  expect(overview).toContain(`[${lostUser}] (lost, replaced by a context edit) INSTEAD one`);
  expect(overview).toContain(`[${kept}] (omitted by a context edit)`);
  expect(
    got.match(/replaced by a context edit, so this is what the executor's model has\nINSTEAD/g),
  ).toHaveLength(2);
  expect(got.match(/omitted by a context edit/g)).toHaveLength(3);
  expect(original).toContain("none, 0 hits");
  expect(instead).toContain("2 hits in all");
  for (const answer of [context, lost, branch, overview, got]) expect(answer).not.toMatch(/ORIGINAL|FIRST/);
});

test("A call that was edited away leaves its result, which says that its call is missing.", async () => {
  const session = buildSession();
  const { call, result, callId } = session.operate("bash", { command: "ORIGINAL" }, "text");
  session.manager.appendContextEdit(call, { content: "Nothing was called." });
  const { ask } = openParentSession(session.manager);

  const list = withoutTimes(await ask({ action: "list" }));
  const got = await ask({ action: "get", ids: [callId] });

  expect(list).toContain(`[${call}] assistant, replaced by a context edit: Nothing was called.\n`);
  expect(list).toContain(`[${result}] bash: its call is missing ⇒ text`);
  expect(got).toMatch(/^=== \[\w+\] bash result, .*\ntext$/);
});
