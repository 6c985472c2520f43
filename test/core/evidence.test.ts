// The one door through which text of an item leaves.

import { expect, test } from "vitest";
import { readBranch } from "../../src/core/branch.ts";
import { evidenceOf } from "../../src/core/evidence.ts";
import { buildSession } from "../support/session-builder.ts";

test("Evidence is the arguments with their paths, then the result with its lines.", () => {
  const session = buildSession();
  const args = { path: "a.ts", edits: [{ oldText: "x", n: 2 }], dry: false, none: null };
  const { call, result } = session.operate("edit", args, [
    { type: "text", text: "one\ntwo" },
    { type: "text", text: "three" },
  ]);
  const branch = readBranch(session.manager.getBranch(), session.manager.getLeafId());

  const evidence = branch.items.flatMap((item) => [...evidenceOf(item, branch)]);

  expect(evidence).toEqual([
    { entryId: call, where: "argument path", text: "a.ts" },
    { entryId: call, where: "argument edits.0.oldText", text: "x" },
    { entryId: call, where: "argument edits.0.n", text: "2" },
    { entryId: call, where: "argument dry", text: "false" },
    { entryId: result, where: "result", text: "one\ntwo", firstLine: 1 },
    { entryId: result, where: "result", text: "three", firstLine: 3 },
  ]);
});

test("Arguments of absurd depth end the walk, not the advisor.", () => {
  const session = buildSession();
  let deep: unknown = "bottom";
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  session.call([{ tool: "todo", args: { deep, top: "seen" } as never }]);
  const branch = readBranch(session.manager.getBranch(), session.manager.getLeafId());

  const evidence = branch.items.flatMap((item) => [...evidenceOf(item, branch)]);

  expect(evidence.map(({ text }) => text)).toEqual(["seen"]);
});
