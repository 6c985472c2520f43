// The fault matrix: every origin, every stage that a fault can strike, every fault, with the outcome that is right for
// it by a rule and not by hand; and the table that tells of it.

import type { Origin } from "../origins.ts";
import { ORIGINS } from "../origins.ts";
import type { Cell } from "./cell.ts";
import { judge } from "./cell.ts";
import { earlyCells } from "./early-cells.ts";
import { lateCells } from "./late-cells.ts";
import { listenerCells } from "./listener-cells.ts";
import { requestCells } from "./request-cells.ts";

export function faultMatrix(): Cell[] {
  return [...earlyCells(), ...listenerCells(), ...requestCells(), ...lateCells()];
}

/** Plays all cells of an origin, one after the other. @returns what was not as it must be, by stage and fault */
export async function playMatrix(
  origin: Origin,
  onPlayed: (cell: Cell, wrong: readonly string[]) => void = () => {},
): Promise<Record<string, string[]>> {
  const wrong: Record<string, string[]> = {};
  for (const cell of faultMatrix().filter((one) => one.origin === origin)) {
    const found = await cell.play().then(
      (seen) => judge(seen, cell.right),
      (error: unknown) => [`it could not be played: ${error}`],
    );
    if (found.length > 0) wrong[`${cell.stage}: ${cell.fault}`] = found;
    onPlayed(cell, found);
  }
  return wrong;
}

/** The page that is published. */
export function faultPage(cells: readonly Cell[]): string {
  return `# What was broken, and what came of it

Each cell is a consultation in a real Pi session that is struck by a fault at a stage, and the next one. It is right when
there is exactly one outcome, with the reason; nothing of half an answer or of one that came too late is kept or sent; every call
of the executor has its result; no connection of the advisor's stays open; and the next consultation gets its advice.

${ORIGINS.map((origin) => `${cells.filter((cell) => cell.origin === origin).length} of origin ${origin}`).join(", ")}: ${cells.length} cells in all. Where origins differ, each is named.

- advised: the fault passed, and the advice came home once
- failed, cancelled: one error result of the call, or one report, with the reason
- refused: the executor was not offered the tool; none: nothing starts
- told: the session itself cannot be written; people are told why, and what is kept where

${faultTable(cells)}

Made by \`npm run faults\`, which plays them all; the suite plays them too.
`;
}

/** One row a fault, one column a stage. */
function faultTable(cells: readonly Cell[]): string {
  const stages = unique(cells.map(({ stage }) => stage));
  const rows = unique(cells.map(({ fault }) => fault)).map((fault) => {
    const ofFault = cells.filter((cell) => cell.fault === fault);
    return `| ${[fault, ...stages.map((stage) => wordsFor(ofFault.filter((cell) => cell.stage === stage)))].join(" | ")} |`;
  });
  return [`| fault | ${stages.join(" | ")} |`, `| --- |${" --- |".repeat(stages.length)}`, ...rows].join(
    "\n",
  );
}

function wordsFor(cells: readonly Cell[]): string {
  const outcomes = unique(cells.map(({ right }) => right.outcome));
  const [only = ""] = outcomes;
  if (outcomes.length <= 1) {
    const origins = cells.map(({ origin }) => origin);
    return cells.length === 0 || cells.length === ORIGINS.length ? only : `${origins.join(", ")}: ${only}`;
  }
  return cells.map(({ origin, right }) => `${origin}: ${right.outcome}`).join("; ");
}

function unique(words: readonly string[]): string[] {
  return [...new Set(words)];
}
