// `npm run eval`: the same executor on the same failures, alone and with advisors. docs/eval.md says how to read it.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getAgentDir } from "@mariozechner/pi-coding-agent";
import type { Plan } from "./eval/arguments.ts";
import { HELP, readArguments } from "./eval/arguments.ts";
import { prepareArms } from "./eval/arms.ts";
import type { Comparison } from "./eval/compare.ts";
import { compare, proveEpisodes, settingOf } from "./eval/compare.ts";
import { loadEpisodes } from "./eval/episode.ts";
import { openJournal } from "./eval/journal.ts";
import { modelProblems } from "./eval/models.ts";
import { piVersion } from "./eval/pi-run.ts";
import { resultsPage } from "./eval/table.ts";

/** What a shell expects of a program that Ctrl+C ended. */
const INTERRUPTED = 130;

const interruption = new AbortController();
// Each time: a second Ctrl+C must not leave a Pi behind that the first one is about to end.
process.on("SIGINT", () => interruption.abort());
process.on("SIGTERM", () => interruption.abort());

try {
  const reading = readArguments(process.argv.slice(2));
  if (reading.kind === "help") console.log(HELP);
  else process.exitCode = await run(reading.plan);
} catch (error) {
  const isInterrupted = interruption.signal.aborted;
  console.error(
    isInterrupted ? "Interrupted before anything was run." : error instanceof Error ? error.message : error,
  );
  process.exitCode = isInterrupted ? INTERRUPTED : 1;
}

async function run(plan: Plan): Promise<number> {
  const { signal } = interruption;
  const agentDir = getAgentDir();
  const episodes = await loadEpisodes(plan.episodes, plan.episodesFolder);
  const problems = await modelProblems(plan);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const out = plan.out ?? mkdtempSync(join(tmpdir(), "angel-eval-results-"));
  const journal = openJournal(out, settingOf(plan));
  const packages = mkdtempSync(join(tmpdir(), "angel-eval-arms-"));
  try {
    const arms = await prepareArms(plan.arms, packages, signal);
    console.log(`Proving the checks of ${episodes.length} episodes.`);
    const broken = await proveEpisodes({ episodes, plan, signal });
    if (broken.length > 0) throw new Error(`${broken.join("\n")}\nNothing was run.`);
    const pi = piVersion();
    return await finish({
      plan,
      out,
      episodes,
      arms,
      journal,
      piVersion: pi,
      agentDir,
      signal,
      tell: console.log,
    });
  } finally {
    rmSync(packages, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function finish(comparison: Comparison): Promise<number> {
  const { out, journal, signal } = comparison;
  const surprises = signal.aborted ? [] : await compare(comparison);
  const page = resultsPage(journal.lines());
  const place = join(out, "results.md");
  writeFileSync(place, page);
  console.log(`\n${page}\nKept in ${place} and ${join(out, "results.jsonl")}.`);
  if (signal.aborted) {
    console.error("Interrupted. What was done is kept; the same call goes on from there.");
    return INTERRUPTED;
  }
  if (surprises.length > 0)
    console.error(`The harness did not tell good from bad:\n- ${surprises.join("\n- ")}`);
  const failed = journal.lines().filter(({ result }) => result.kind === "failed").length;
  if (failed > 0) console.error(`${failed} runs could not be scored; the same call runs them again.`);
  return surprises.length + failed > 0 ? 1 : 0;
}
