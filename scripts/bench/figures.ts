// The arithmetic of the benchmark: medians, ratios, and whether a goal is met.

export interface Row {
  readonly what: string;
  /** As people read it, such as "≤ 2.5 × the bare fetch". */
  readonly goal: string;
  /** What was found, as a ratio or a count without a unit of time; absent: not measured in this run. */
  readonly found?: number;
  /** What the number is, where it is no ratio: "bytes", "KB". */
  readonly unit?: string;
  readonly most: number;
  /** Why it was not measured, or what to know about it. */
  readonly note?: string;
}

export type Verdict = "met" | "not met" | "not measured";

export function verdictOf({ found, most }: Row): Verdict {
  if (found === undefined || Number.isNaN(found)) return "not measured";
  return found <= most ? "met" : "not met";
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** What is lost in noise, on either side, is no measure for anything: a goal is not met by it. */
export function ratioOf(own: number, other: number): Pick<Row, "found" | "note"> {
  if (!(other > 0)) return { note: "what it is compared with was lost in noise" };
  return own >= 0 ? { found: own / other } : { note: "it was lost in noise itself" };
}

export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => [row.what, row.goal, foundWords(row), verdictOf(row), row.note ?? ""]);
  const head = ["what", "goal", "found", "", "note"];
  return [head, head.map(() => "---"), ...cells].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function foundWords({ found, unit }: Row): string {
  if (found === undefined || Number.isNaN(found)) return "";
  const digits = unit === undefined ? (found < 0.1 ? 3 : 2) : found < 100 ? 1 : 0;
  return `${found.toFixed(digits)}${unit === undefined ? " ×" : ` ${unit}`}`;
}

const BEGIN = "<!-- bench -->";
const END = "<!-- /bench -->";

/** @throws Error when the page has no place for the table */
export function withTable(page: string, table: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin)
    throw new Error(`The page has no place for the table: it belongs between ${BEGIN} and ${END}.`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${page.slice(end)}`;
}
