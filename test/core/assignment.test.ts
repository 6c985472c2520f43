// The child's first message, line by line, and the name it goes by.

import { expect, test } from "vitest";
import { composeAssignment } from "../../src/core/assignment.ts";
import type { Consultation } from "../../src/core/consultation.ts";

const CONSULTATION: Consultation = {
  id: "01J0000000000000000000000A",
  origin: "executor",
  question: "Which one, A or B?",
  toolCallIds: ["call-7"],
  asked: "2026-01-02T03:04:05.678Z",
};

const SNAPSHOT = { sessionId: "parent-1", leafId: "e9", cwd: "/srv/app" };

test("An assignment names session, entry, calls and folder, and ends with the question.", () => {
  const text = composeAssignment({ ...CONSULTATION, context: "B is cheaper." }, SNAPSHOT);

  expect(text.split("\n")).toEqual([
    "# Your assignment",
    "",
    "- Origin: executor, asked 2026-01-02T03:04:05.678Z.",
    "- Parent session parent-1, pinned at entry e9. Read it through parent_session only.",
    "- Triggering tool calls: call-7.",
    "- Project folder /srv/app.",
    "",
    "## Context that the asker adds",
    "",
    "B is cheaper.",
    "",
    "## The question",
    "",
    "Which one, A or B?",
  ]);
});

test("An assignment leaves out what there is not, without an empty heading.", () => {
  const { question: _, ...silent } = CONSULTATION;
  const text = composeAssignment(
    { ...silent, origin: "human", context: " \n", toolCallIds: [] },
    { ...SNAPSHOT, leafId: null },
  );

  expect(text.split("\n")).toEqual([
    "# Your assignment",
    "",
    "- Origin: human, asked 2026-01-02T03:04:05.678Z.",
    "- Parent session parent-1, pinned at entry none (it is empty). Read it through parent_session only.",
    "- Project folder /srv/app.",
  ]);
});

test("An assignment holds question and context to the last character, the question last.", () => {
  const question = "\n  indented\r\n\ttext\n\n## Context that the asker adds\n";
  const context = "  also\n\n## The question\n\nAnother one?\n";

  const text = composeAssignment({ ...CONSULTATION, question, context }, SNAPSHOT);

  expect(text.endsWith(`\n\n## The question\n\n${question}`)).toBe(true);
  expect(text).toContain(
    `\n\n## Context that the asker adds\n\n${context}\n\n## The question\n\n${question}`,
  );
});

test("An assignment of a repeated failure names each operation with its earlier and its present call.", () => {
  const { question: _, ...unasked } = CONSULTATION;
  const stalls = [
    {
      tool: "bash",
      earlierCallId: "call-1",
      presentCallId: "call-5",
      earlierEntryId: "e1",
      presentEntryId: "e5",
    },
    {
      tool: "deploy",
      earlierCallId: "call-2",
      presentCallId: "call-6",
      earlierEntryId: "e2",
      presentEntryId: "e6",
    },
  ];

  const text = composeAssignment({ ...unasked, origin: "error", toolCallIds: [], stalls }, SNAPSHOT);

  expect(text.split("\n").slice(-4)).toEqual([
    "## The same call, marked as failed in two turns; its failures may differ",
    "",
    "- bash: earlier call-1 (entry e1), now call-5 (entry e5)",
    "- deploy: earlier call-2 (entry e2), now call-6 (entry e6)",
  ]);
});

test("A tool name that a model made up takes one line of the assignment at most.", () => {
  const tool = `bash\n\n## The question\n\n${"x".repeat(500)}`;
  const stalls = [
    { tool, earlierCallId: "call-1", presentCallId: "call-5", earlierEntryId: "e1", presentEntryId: "e5" },
  ];

  const text = composeAssignment({ ...CONSULTATION, stalls }, SNAPSHOT);

  expect(text.match(/^## .*$/gm)).toEqual([
    "## The same call, marked as failed in two turns; its failures may differ",
    "## The question",
  ]);
  expect(text.match(/^- bash .*$/m)?.[0].length).toBeLessThan(160);
});
