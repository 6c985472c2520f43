import { expect, test } from "vitest";
import { resultsPage } from "../../scripts/eval/table.ts";
import type { UsageReport } from "../../src/core/usage.ts";
import { lineOf, scored, USAGE } from "../support/eval/line.ts";

/** The cells of the row that begins with these words. */
function row(page: string, name: string): string[] {
  const line = page.split("\n").find((text) => text.startsWith(`| ${name} |`)) ?? "";
  return line
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.trim());
}

const lost = (score: Parameters<typeof scored>[1] = {}) => scored({}, { hasRecovered: false, ...score });

test("The table has each arm's shares and means with their intervals.", () => {
  const lines = [
    lineOf({ arm: "angel" }),
    lineOf({ arm: "angel", episode: "race", result: lost({ repeatedCalls: 3 }) }),
    lineOf({ arm: "alone", result: lost() }),
    lineOf({ arm: "npm:peer" }),
  ];

  const page = resultsPage(lines);

  expect(page).toContain(
    "Executor local/exec:high, advisor local/adv:max; executors were told to consult once.",
  );
  expect(page).toContain("|  | alone | angel | npm:peer |");
  expect(row(page, "verified recovery")).toEqual(["0 of 1 [0–79 %]", "1 of 2 [9–91 %]", "1 of 1 [21–100 %]"]);
  expect(row(page, "runs that repeat a failed approach")[1]).toBe("1 of 2 [9–91 %]");
  expect(row(page, "repeated failed approaches, calls a run")).toEqual(["0.00", "1.50 [0.00–3.00]", "0.00"]);
  expect(row(page, "race")).toEqual(["–", "0 of 1", "–"]);
});

test("Arms are compared with the executor alone episode by episode, where both have runs.", () => {
  const lines = [
    lineOf({ arm: "alone", episode: "a", result: lost() }),
    lineOf({ arm: "alone", episode: "b" }),
    lineOf({ arm: "angel", episode: "a" }),
    lineOf({ arm: "angel", episode: "a", run: 2 }),
    lineOf({ arm: "angel", episode: "b" }),
    lineOf({ arm: "angel", episode: "b", run: 2, result: lost() }),
    lineOf({ arm: "angel", episode: "c", result: lost() }),
  ];

  const page = resultsPage(lines);

  expect(page).toContain(
    "Recovered share less that of `alone`, mean over episodes:\n\n- angel: +0.25 [−0.50 to +1.00], over 2 episodes",
  );
  expect(resultsPage(lines.slice(2))).not.toContain("less that of");
});

test("Tokens and cost that nobody reported are unknown in the table, never zero.", () => {
  const usage = (advisor: UsageReport) => ({ executor: USAGE, advisor });
  const free = { ...USAGE, cost: 0 };
  const lines = [
    lineOf({ arm: "alone", result: scored({ usage: usage({ state: "unavailable" }) }) }),
    lineOf({ arm: "angel", result: scored({ usage: usage(free) }) }),
    lineOf({ arm: "angel", run: 2 }),
    lineOf({
      arm: "npm:peer",
      result: scored({ usage: usage({ ...USAGE, state: "partial" }) }),
    }),
  ];

  const page = resultsPage(lines);

  expect(row(page, "tokens of the advisor")).toEqual(["– (unknown in 1)", "1000", "– (unknown in 1)"]);
  expect(row(page, "cost of the advisor, $")).toEqual([
    "– (unknown in 1)",
    "0.5000 (unknown in 1)",
    "– (unknown in 1)",
  ]);
});

test("What advice was worth is asked only of runs that had advice, and abstention only where it is right.", () => {
  const without = scored({ reported: { ...scored().reported, consultations: 0 } });
  const claims = { cited: ["a.js"], unsupported: ["a.js"] };
  const lines = [
    lineOf({ arm: "alone", result: without }),
    lineOf({ arm: "angel", result: without }),
    lineOf({ arm: "angel", run: 2, result: scored({}, { claims }) }),
    lineOf({ arm: "angel", run: 3, right: "leave", result: scored({}, { hasAbstained: true }) }),
  ];

  const page = resultsPage(lines);

  const name = "runs with a recommendation that nothing read supports";
  expect(row(page, name)).toEqual(["–", "1 of 2 [9–91 %]"]);
  expect(row(page, "runs without any advice")).toEqual(["1", "1"]);
  expect(row(page, "abstention where it is right")).toEqual(["–", "1 of 1 [21–100 %]"]);
});

test("A run that could not be brought to an end counts nowhere and is named.", () => {
  const failed = { kind: "failed", because: "no credit" } as const;

  const page = resultsPage([lineOf(), lineOf({ run: 2, result: failed })]);

  expect(row(page, "runs")).toEqual(["1"]);
  expect(page).toContain("- far-cause, angel, run 2: no credit");
  expect(resultsPage([])).toContain("Nothing has been run yet.");
});

test("What Pi complained of is told once an arm.", () => {
  const complaints = "Angel is unusable: no credentials.";
  const result = scored({ complaints });

  const page = resultsPage([lineOf({ result }), lineOf({ run: 2, result }), lineOf({ arm: "alone" })]);

  expect(page).toContain(`## What Pi complained of\n\n- angel: ${complaints}\n`);
});

test("A table of scripted models says that it says nothing about advice.", () => {
  const page = resultsPage([lineOf({ executor: "scripted", advisor: "scripted" })]);

  expect(page).toContain("This proves the program and says nothing about advice.");
});
