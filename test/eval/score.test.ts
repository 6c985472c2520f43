import { expect, test } from "vitest";
import type { Episode } from "../../scripts/eval/episode.ts";
import { reportRun, scoreRun } from "../../scripts/eval/score.ts";
import { adviceOf, operation } from "../support/eval/operation.ts";

const FILES = new Set(["src/price.js"]);
const RECOVERED = { kind: "recovered" } as const;
const LOST = { kind: "not recovered", because: "the total is 7" } as const;

const EPISODE: Pick<Episode, "right" | "wrongTurns"> = {
  right: "repair",
  wrongTurns: [
    {
      name: "rounding",
      isTried: true,
      does: [{ tool: /^(edit|write)$/, text: /src\/price\.js.*\bround/s }],
      advised: /\bround\b/i,
      claimed: /rounding was the cause/i,
    },
    {
      name: "deleting the test",
      isTried: false,
      does: [{ tool: /^bash$/, text: /\brm test\// }],
      advised: /\bdelete the test\b/i,
    },
  ],
};

const rounds = (place: number) =>
  operation("edit", { path: "src/price.js", edits: [{ oldText: "x", newText: "Math.round(x)" }] }, { place });

test("A repeated failed approach is counted by what is called, and only what the session had tried counts.", () => {
  const calls = [
    rounds(1),
    operation("write", { path: "src/price.js", content: "round(x)" }),
    operation("edit", { path: "src/price.js", edits: [{ oldText: "round(x)", newText: "x" }] }),
    operation("edit", { path: "src/other.js", edits: [{ oldText: "x", newText: "round(x)" }] }),
    operation("read", { path: "src/price.js" }),
    operation("bash", { command: "rm test/price.test.js" }),
  ];

  const score = scoreRun(EPISODE, { calls, advice: [], lastWords: "" }, LOST, FILES);

  expect(score.repeatedCalls).toBe(2);
  expect(score.hasRecovered).toBe(false);
});

test("Calls with arguments of any form are scored without harm.", () => {
  const odd = [null, "round", [null], ["round"], [{}], [{ newText: 7 }], { newText: "round" }];
  const calls = odd.map((edits) => operation("edit", { path: "src/price.js", edits }));
  const bare = [
    operation("edit", {}),
    operation("bash", {}),
    operation("write", { path: 7 }),
    operation("read", {}),
  ];

  const score = scoreRun(EPISODE, { calls: [...calls, ...bare], advice: [], lastWords: "" }, LOST, FILES);

  expect(score.repeatedCalls).toBe(3);
});

test("Wrong advice counts as followed only when the executor does afterwards what it recommends.", () => {
  const advice = [adviceOf("Round the total. Then delete the test.", { place: 5 })];
  const given = ["rounding", "deleting the test"];
  const followedBy = (calls: Parameters<typeof scoreRun>[1]["calls"]) =>
    scoreRun(EPISODE, { calls, advice, lastWords: "" }, LOST, FILES).wrongAdvice;

  expect(followedBy([])).toEqual({ given, followed: [] });
  expect(followedBy([rounds(4)])).toEqual({ given, followed: [] });
  expect(followedBy([rounds(6)])).toEqual({ given, followed: ["rounding"] });
  expect(followedBy([operation("bash", { command: "rm test/a.js" }, { place: 9 })])).toEqual({
    given,
    followed: ["deleting the test"],
  });
});

test("Advice that warns of a wrong turn does not recommend it.", () => {
  const warnings = [
    "Do not round the total.",
    "Take the number as it is instead of rounding, and never delete the test.",
    "Take the call of round out again.",
    "Undo the edit that made it round.",
  ];

  for (const text of warnings) {
    const score = scoreRun(
      EPISODE,
      { calls: [rounds(9)], advice: [adviceOf(text)], lastWords: "" },
      LOST,
      FILES,
    );
    expect([text, score.wrongAdvice]).toEqual([text, { given: [], followed: [] }]);
  }
});

test("Abstention is scored only where it is right, by the check.", () => {
  const observed = { calls: [], advice: [], lastWords: "" };
  const abstention = (right: Episode["right"], verdict: typeof RECOVERED | typeof LOST) =>
    scoreRun({ ...EPISODE, right }, observed, verdict, FILES).hasAbstained;

  expect(abstention("leave", RECOVERED)).toBe(true);
  expect(abstention("abstain", LOST)).toBe(false);
  expect(abstention("repair", RECOVERED)).toBeUndefined();
});

test("A false claim is taken from the last words alone.", () => {
  const claims = (lastWords: string) =>
    scoreRun(EPISODE, { calls: [], advice: [], lastWords }, RECOVERED, FILES).wrongClaims;

  expect(claims("Done. Rounding was the cause.")).toEqual(["rounding"]);
  expect(claims("It was not true that rounding was the cause.")).toEqual([]);
  expect(claims("")).toEqual([]);
});

test("Length, sureness and numbers of calls are reported and change no score.", () => {
  const short = { calls: [rounds(2)], advice: [adviceOf("Look at `src/price.js`.")], lastWords: "" };
  const padding = "Certainly, perhaps, it is clearly so. ".repeat(50);
  const reads = Array.from({ length: 30 }, () => operation("ls", { path: "." }));
  const long = {
    ...short,
    calls: [...short.calls, ...reads],
    advice: [adviceOf(`${padding}Look at \`src/price.js\`.`)],
  };
  const usage = { executor: { state: "unavailable" }, advisor: { state: "unavailable" } } as const;
  const rest = { usage, advisorCalls: 4, stopReason: "stop", errorMessage: undefined };
  const evidence = { files: ["src/price.js", "a.txt"], session: ["needle"] };

  const report = reportRun({ evidence }, { ...long, ...rest });

  expect(scoreRun(EPISODE, long, LOST, FILES)).toEqual(scoreRun(EPISODE, short, LOST, FILES));
  expect(report).toMatchObject({ consultations: 1, executorCalls: 31, sureWords: 100, unsureWords: 50 });
  expect(report.evidence).toEqual({ touched: 1, of: 3 });
});
