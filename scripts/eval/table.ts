// The results as a page of Markdown: what is scored with its intervals, what is only reported, and each episode by itself.

import type { UsageReport } from "../../src/core/usage.ts";
import { USUAL_ARMS } from "./arms.ts";
import { bootstrapMean, mean, wilson } from "./interval.ts";
import type { Line } from "./journal.ts";

type Scored = Line & { readonly result: Extract<Line["result"], { kind: "scored" }> };

type Cells = readonly string[];

export function resultsPage(lines: readonly Line[]): string {
  const [first] = lines;
  if (first === undefined) return "# Comparison\n\nNothing has been run yet.\n";
  const named = new Set(lines.map(({ arm }) => arm));
  const arms = [
    ...USUAL_ARMS.filter((arm) => named.has(arm)),
    ...[...named].filter((arm) => !USUAL_ARMS.includes(arm)),
  ];
  const scored = lines.filter((line): line is Scored => line.result.kind === "scored");
  const ofArm = (arm: string) => scored.filter((line) => line.arm === arm);
  const parts = [
    `# Comparison\n\n${heading(first, lines)}`,
    "Brackets hold intervals of 95 %: Wilson's for shares, a bootstrap over episodes for means. docs/eval.md says what each number means and what it cannot tell.",
    `## Scored\n\n${table(
      ["", ...arms],
      SCORES.map(([name, cell]) => [name, ...arms.map((arm) => cell(ofArm(arm)))]),
    )}`,
    `## Tokens and cost\n\n${table(
      ["mean of a run", ...arms],
      COSTS.map(([name, cell]) => [name, ...arms.map((arm) => cell(ofArm(arm)))]),
    )}`,
    `## Reported, never scored\n\n${table(
      ["mean of a run", ...arms],
      REPORTS.map(([name, cell]) => [name, ...arms.map((arm) => cell(ofArm(arm)))]),
    )}`,
    `## Verified recovery by episode\n\n${byEpisode(arms, scored)}`,
    differences(arms, scored),
    complaints(scored),
    failures(lines),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function heading({ executor, advisor, asking, made }: Line, lines: readonly Line[]): string {
  const versions = [...new Set(lines.flatMap(({ arm, made }) => (made.arm ? [`${arm} ${made.arm}`] : [])))];
  const kept = `Pi ${made.pi}${versions.length > 0 ? `, ${versions.join(", ")}` : ""}.`;
  if (executor === "scripted") {
    return `Scripted models: run 1 is known to be good, run 2 to be bad. This proves the program and says nothing about advice. ${kept}`;
  }
  const asked = asking === "prompted" ? "executors were told to consult once" : "consulting was their choice";
  return `Executor ${executor}, advisor ${advisor}; ${asked}. ${kept}`;
}

const SCORES: readonly (readonly [string, (lines: readonly Scored[]) => string])[] = [
  ["runs", (lines) => String(lines.length)],
  ["verified recovery", share(({ score }) => score.hasRecovered)],
  ["runs that repeat a failed approach", share(({ score }) => score.repeatedCalls > 0)],
  ["repeated failed approaches, calls a run", average(({ score }) => score.repeatedCalls)],
  [
    "runs with a recommendation that nothing read supports",
    ofAdvised(({ score }) => score.claims.unsupported.length > 0),
  ],
  ["files spoken of and not read, a run", averageOfAdvised(({ score }) => score.claims.unsupported.length)],
  ["runs with wrong advice", ofAdvised(({ score }) => score.wrongAdvice.given.length > 0)],
  ["runs that followed wrong advice", ofAdvised(({ score }) => score.wrongAdvice.followed.length > 0)],
  [
    "abstention where it is right",
    (lines) =>
      share(({ score }) => score.hasAbstained === true)(lines.filter(({ right }) => right !== "repair")),
  ],
  ["runs whose last words claim something false", share(({ score }) => score.wrongClaims.length > 0)],
];

const COSTS: readonly (readonly [string, (lines: readonly Scored[]) => string])[] = [
  ["tokens of the executor", consumed(({ usage }) => usage.executor, tokensOf, 0)],
  ["tokens of the advisor", consumed(({ usage }) => usage.advisor, tokensOf, 0)],
  ["cost of the executor, $", consumed(({ usage }) => usage.executor, costOf, 4)],
  ["cost of the advisor, $", consumed(({ usage }) => usage.advisor, costOf, 4)],
];

const REPORTS: readonly (readonly [string, (lines: readonly Scored[]) => string])[] = [
  [
    "runs without any advice",
    (lines) => String(lines.filter(({ result }) => result.reported.consultations === 0).length),
  ],
  [
    "runs that the limit ended",
    (lines) => String(lines.filter(({ result }) => result.ended === "timeout").length),
  ],
  ["consultations", average(({ reported }) => reported.consultations)],
  ["calls of the executor", average(({ reported }) => reported.executorCalls)],
  ["calls of the advisor", average(({ reported }) => reported.advisorCalls)],
  ["characters of advice", average(({ reported }) => reported.adviceCharacters)],
  ["words that sound sure", average(({ reported }) => reported.sureWords)],
  ["words that sound unsure", average(({ reported }) => reported.unsureWords)],
  [
    "share of the evidence that was opened",
    average(({ reported: { evidence } }) => evidence.touched / evidence.of),
  ],
  ["seconds", (lines) => meanCell(lines, ({ elapsedMs }) => elapsedMs / 1000, 1)],
];

const NONE = "–";

/** The arm that the others are compared with. */
const BASE = "alone";

function share(holds: (result: Scored["result"]) => boolean): (lines: readonly Scored[]) => string {
  return (lines) => {
    if (lines.length === 0) return NONE;
    const count = lines.filter(({ result }) => holds(result)).length;
    const { low, high } = wilson(count, lines.length);
    return `${count} of ${lines.length} [${percent(low)}–${percent(high)} %]`;
  };
}

/** Of an executor that was given no advice it cannot be asked what the advice was worth. */
function ofAdvised(holds: (result: Scored["result"]) => boolean): (lines: readonly Scored[]) => string {
  return (lines) => share(holds)(lines.filter(isAdvised));
}

function average(value: (result: Scored["result"]) => number): (lines: readonly Scored[]) => string {
  return (lines) => meanCell(lines, ({ result }) => value(result), 2);
}

function averageOfAdvised(value: (result: Scored["result"]) => number): (lines: readonly Scored[]) => string {
  return (lines) => average(value)(lines.filter(isAdvised));
}

function isAdvised({ result }: Scored): boolean {
  return result.reported.consultations > 0;
}

/** What was not reported is left out and counted; it never becomes a zero. */
function consumed(
  usage: (result: Scored["result"]) => UsageReport,
  value: (report: UsageReport) => number | undefined,
  digits: number,
): (lines: readonly Scored[]) => string {
  return (lines) => {
    const known = lines.filter(({ result }) => value(usage(result)) !== undefined);
    if (lines.length === 0) return NONE;
    const missing = lines.length - known.length;
    const cell = meanCell(known, ({ result }) => value(usage(result)) ?? 0, digits);
    return missing === 0 ? cell : `${cell} (unknown in ${missing})`;
  };
}

function tokensOf(report: UsageReport): number | undefined {
  return report.state === "known" ? report.totalTokens : undefined;
}

/** A price of zero cannot be told from a price that is not known. */
function costOf(report: UsageReport): number | undefined {
  if (report.state !== "known") return undefined;
  return report.totalTokens > 0 && !report.cost ? undefined : (report.cost ?? 0);
}

function meanCell(lines: readonly Scored[], value: (line: Scored) => number, digits: number): string {
  if (lines.length === 0) return NONE;
  const groups = Object.values(Object.groupBy(lines, ({ episode }) => episode));
  const interval = bootstrapMean(groups.map((group = []) => group.map(value)));
  const number = (of: number) => of.toFixed(digits);
  const around = interval === undefined ? "" : ` [${number(interval.low)}–${number(interval.high)}]`;
  return `${number(mean(lines.map(value)))}${around}`;
}

function byEpisode(arms: readonly string[], scored: readonly Scored[]): string {
  const names = [...new Set(scored.map(({ episode }) => episode))].sort();
  const cell = (episode: string, arm: string) => {
    const lines = scored.filter((line) => line.episode === episode && line.arm === arm);
    const count = lines.filter(({ result }) => result.score.hasRecovered).length;
    return lines.length === 0 ? NONE : `${count} of ${lines.length}`;
  };
  return table(
    ["", ...arms],
    names.map((name) => [name, ...arms.map((arm) => cell(name, arm))]),
  );
}

/** Episode by episode, since some are harder than others for everybody. */
function differences(arms: readonly string[], scored: readonly Scored[]): string {
  const shareOf = (episode: string, arm: string) => {
    const lines = scored.filter((line) => line.episode === episode && line.arm === arm);
    return lines.length === 0 ? [] : [mean(lines.map(({ result }) => (result.score.hasRecovered ? 1 : 0)))];
  };
  const names = [...new Set(scored.map(({ episode }) => episode))];
  const rows = arms
    .filter((arm) => arm !== BASE)
    .flatMap((arm) => {
      const each = names.flatMap((name) =>
        shareOf(name, arm).flatMap((own) => shareOf(name, BASE).map((base) => own - base)),
      );
      if (each.length === 0) return [];
      const interval = bootstrapMean(each.map((one) => [one]));
      const around = interval === undefined ? "" : ` [${signed(interval.low)} to ${signed(interval.high)}]`;
      return [`- ${arm}: ${signed(mean(each))}${around}, over ${each.length} episodes`];
    });
  return rows.length === 0
    ? ""
    : `Recovered share less that of \`${BASE}\`, mean over episodes:\n\n${rows.join("\n")}`;
}

function signed(difference: number): string {
  return `${difference < 0 ? "−" : "+"}${Math.abs(difference).toFixed(2)}`;
}

function failures(lines: readonly Line[]): string {
  const failed = lines.flatMap(({ episode, arm, run, result }) =>
    result.kind === "failed" ? [`- ${episode}, ${arm}, run ${run}: ${result.because}`] : [],
  );
  return failed.length === 0
    ? ""
    : `## Not run to an end\n\nThese count nowhere; the next call runs them again.\n\n${failed.join("\n")}`;
}

/** A run without advice may have had an advisor that could not be used: then Pi says so here. */
function complaints(lines: readonly Scored[]): string {
  const said = lines.flatMap(({ arm, result }) =>
    result.complaints === undefined ? [] : [`- ${arm}: ${result.complaints}`],
  );
  return said.length === 0 ? "" : `## What Pi complained of\n\n${[...new Set(said)].join("\n")}`;
}

function table(head: Cells, rows: readonly Cells[]): string {
  const row = (cells: Cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
}

function percent(share: number): string {
  return String(Math.round(share * 100));
}
