// The name of a child in the user's session list: one line that tells it from the others.

import { expect, test } from "vitest";
import type { Consultation } from "../../src/core/consultation.ts";
import { childSessionName, firstWords, subjectOf } from "../../src/core/naming.ts";

const CONSULTATION: Consultation = { id: "1", origin: "executor", toolCallIds: [], asked: "now" };

test.for([
  ["Why?", "Why?"],
  ["  Why\n\tdoes it\r\n\u2028hang? ", "Why does it hang?"],
  [`${"\n".repeat(5_000)}Why?`, "Why?"],
  ["\u001b]0;title\u0007Why\u0000?\u202e", "]0;title Why ?"],
  ["x".repeat(48), "x".repeat(48)],
  ["x".repeat(49), `${"x".repeat(48)}…`],
  [
    "one two three four five six seven eight nine ten eleven",
    "one two three four five six seven eight nine…",
  ],
  ["表".repeat(60), `${"表".repeat(48)}…`],
  ["👍".repeat(60), `${"👍".repeat(48)}…`],
  [`why${" ".repeat(5_000)}so`, "why…"],
  [`a${" ".repeat(382)}👍 and more`, "a…"],
  ["half a pair \ud83d", "half a pair"],
] as const)("The opening of %j is %j.", ([text, opening]) => {
  expect(firstWords(text, 48)).toBe(opening);
});

test("A question of many megabytes costs no time to name.", () => {
  const started = performance.now();

  const words = firstWords("word ".repeat(4_000_000), 48);

  expect(words).toBe("word word word word word word word word word…");
  expect(performance.now() - started).toBeLessThan(500);
});

test("A child is named by its origin and the question, or the tools that failed, or that there is none.", () => {
  const stall = {
    tool: "bash",
    earlierCallId: "1",
    presentCallId: "2",
    earlierEntryId: "a",
    presentEntryId: "b",
  };
  const asked = { ...CONSULTATION, question: "Why?" };
  const failed = { ...CONSULTATION, origin: "error", stalls: [stall, { ...stall, tool: "deploy" }, stall] };

  expect(childSessionName(asked)).toBe("Angel · executor · Why?");
  expect(childSessionName(failed)).toBe("Angel · error · bash, deploy");
  expect(subjectOf(CONSULTATION)).toBe("no question");
});
