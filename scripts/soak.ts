// Endurance: many consultations in one process, and what is left after each hundred of them. `npm run soak`
// plays 300; a number as the argument plays as many. It fails when something that must not grow has grown.

import type { SoakFigures } from "../test/support/soak.ts";
import { soak } from "../test/support/soak.ts";

const consultations = Number(process.argv[2] ?? 300);
const every = Math.max(1, Math.round(consultations / 6));

console.log("consultations  heap MB  median ms  resources  listeners  files  parent entries  children");
const { figures, surprises } = await soak(consultations, every, (seen) => console.log(row(seen)));

const [, warm] = figures;
const last = figures.at(-1);
const growth =
  warm === undefined || last === undefined
    ? 0
    : (last.heap - warm.heap) / (last.consultations - warm.consultations) / 1024;
console.log(
  `\nHeap after warm-up: ${growth.toFixed(1)} KB a consultation, the parent session's own entries included.`,
);
const grown = warm && last ? leaks(warm, last) : ["too few consultations to tell"];
for (const line of [...surprises, ...grown]) console.error(line);
process.exitCode = surprises.length + grown.length > 0 ? 1 : 0;

function row(seen: SoakFigures): string {
  const { heap, medianMs, openFiles } = seen;
  const cells: [string | number, number][] = [
    [seen.consultations, 13],
    [(heap / 2 ** 20).toFixed(1), 9],
    [medianMs.toFixed(1), 11],
    [seen.resources, 11],
    [seen.listeners, 11],
    [openFiles ?? "unknown", 7],
    [seen.parentEntries, 16],
    [seen.children, 10],
  ];
  return cells.map(([cell, width]) => String(cell).padStart(width)).join("");
}

function leaks(before: SoakFigures, after: SoakFigures): string[] {
  const counts = ["resources", "listeners", "openFiles"] as const;
  return counts.flatMap((name) => {
    const [was = 0, is = 0] = [before[name], after[name]];
    return is > was ? [`${name} grew from ${was} to ${is}`] : [];
  });
}
