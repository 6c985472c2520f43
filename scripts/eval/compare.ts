// The whole comparison: proves the checks, runs what is not in the journal yet, so many at a time, and keeps every line
// as soon as it is there.

import type { Plan } from "./arguments.ts";
import type { Arm } from "./arms.ts";
import type { NamedEpisode } from "./episode.ts";
import type { Journal, Line, Makings, Setting } from "./journal.ts";
import { keyText } from "./journal.ts";
import { proveEpisode } from "./proof.ts";
import type { RunOptions } from "./run.ts";
import { keyOf, runOnce } from "./run.ts";
import type { Conduct } from "./scripted.ts";
import { CONDUCTS, playScript, SCRIPTED, wrongScores } from "./scripted.ts";

export interface Comparison {
  readonly plan: Plan;
  /** The folder of the results. */
  readonly out: string;
  readonly episodes: readonly NamedEpisode[];
  readonly arms: readonly Arm[];
  readonly journal: Journal;
  /** Of the Pi that is run. */
  readonly piVersion: string;
  /** The user's agent folder. */
  readonly agentDir: string;
  readonly signal: AbortSignal;
  readonly tell: (words: string) => void;
}

type Job = Pick<RunOptions, "episode" | "arm" | "run">;

export function settingOf({ models, asking }: Plan): Setting {
  const name = (model: { name: string; thinking: string }) => `${model.name}:${model.thinking}`;
  if (models === undefined) return { executor: "scripted", advisor: "scripted", asking };
  return { executor: name(models.executor), advisor: name(models.advisor), asking };
}

/** What is wrong with the checks of the episodes, in sentences. */
export async function proveEpisodes({
  episodes,
  plan,
  signal,
}: Pick<Comparison, "episodes" | "plan" | "signal">): Promise<string[]> {
  const problems: string[] = [];
  await inParallel(episodes, plan.parallel, signal, async (episode) => {
    problems.push(...(await proveEpisode(episode)));
  });
  return problems.sort();
}

/** Plays what is missing; returns what surprised the proof of the harness, which only scripted models can. */
export async function compare(comparison: Comparison): Promise<string[]> {
  const { plan, journal, piVersion, signal, tell } = comparison;
  const all = jobsOf(comparison);
  const jobs = all.filter((job) => !journal.has(keyOf(job), madeOf(job, piVersion)));
  tell(
    `${all.length} runs, ${all.length - jobs.length} of them in the journal already; ${plan.parallel} at a time.`,
  );
  const surprises = plan.models === undefined ? all.flatMap((job) => surprisesBefore(job, journal)) : [];
  let done = 0;
  await inParallel(jobs, plan.parallel, signal, async (job) => {
    const begun = performance.now();
    const started = new Date().toISOString();
    const result = await (plan.models === undefined
      ? play(comparison, job, surprises)
      : runReal(comparison, job));
    if (result === undefined) return;
    const line: Line = {
      version: 1,
      ...keyOf(job),
      ...settingOf(plan),
      right: job.episode.right,
      made: madeOf(job, piVersion),
      started,
      elapsedMs: Math.round(performance.now() - begun),
      result,
    };
    journal.add(line);
    done += 1;
    tell(
      `${done} of ${jobs.length}  ${keyText(line)}  ${inWords(result)}  ${(line.elapsedMs / 1000).toFixed(1)} s`,
    );
  });
  return surprises.sort();
}

function jobsOf({ plan, episodes, arms }: Comparison): Job[] {
  const runs = plan.models === undefined ? CONDUCTS.length : plan.runs;
  // Run by run, so that a comparison that is broken off has something of every episode and arm.
  return Array.from({ length: runs }, (_, index) => index + 1).flatMap((run) =>
    episodes.flatMap((episode) => arms.map((arm) => ({ episode, arm, run }))),
  );
}

function madeOf({ episode, arm: { version } }: Job, pi: string): Makings {
  return { pi, episode: episode.fingerprint, ...(version === undefined ? {} : { arm: version }) };
}

async function runReal(comparison: Comparison, job: Job): Promise<Line["result"] | undefined> {
  const { plan, out, agentDir, signal } = comparison;
  if (plan.models === undefined) throw new Error("Models are missing.");
  return runOnce({ ...job, ...plan, ...plan.models, out, source: { kind: "user", agentDir }, signal });
}

async function play(
  { plan, out, signal }: Comparison,
  job: Job,
  surprises: string[],
): Promise<Line["result"] | undefined> {
  await using script = await playScript(job.episode, job.arm, conductOf(job));
  const source = { kind: "scripted", url: script.url } as const;
  const result = await runOnce({ ...job, ...plan, ...SCRIPTED, out, source, signal });
  if (result !== undefined) surprises.push(...surprisesOf(job, result, script.surprises()));
  return result;
}

function conductOf({ run }: Job): Conduct {
  return CONDUCTS[run - 1] ?? "good";
}

/** Those of runs that stand in the journal already. */
function surprisesBefore(job: Job, journal: Journal): string[] {
  const line = journal.lines().find((one) => keyText(one) === keyText(keyOf(job)));
  return line?.result.kind === "scored" ? surprisesOf(job, line.result) : [];
}

function surprisesOf(job: Job, result: Line["result"], ofScript: readonly string[] = []): string[] {
  const conduct = conductOf(job);
  const wrong = [...wrongScores(job.episode, job.arm, conduct, result), ...ofScript];
  return wrong.length === 0 ? [] : [`${keyText(keyOf(job))} (known ${conduct}): ${wrong.join("; ")}`];
}

function inWords(result: Line["result"]): string {
  if (result.kind === "failed") return `failed: ${result.because}`;
  const words = result.score.hasRecovered ? "recovered" : `not recovered: ${result.because}`;
  return result.ended === "timeout" ? `${words} (time was up)` : words;
}

/** Starts nothing more once the signal is aborted; the first error stops it too, after what runs has ended. */
async function inParallel<T>(
  items: readonly T[],
  limit: number,
  signal: AbortSignal,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  let hasFailed = false;
  async function next(): Promise<void> {
    while (!signal.aborted && !hasFailed) {
      const item = waiting.shift();
      if (item === undefined) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: limit }, next));
  for (const lane of lanes) if (lane.status === "rejected" && !signal.aborted) throw lane.reason;
}
