// Looks at the checks before anything is run with them: one that always passes, never can or crashes would make every
// number after it worthless.

import type { Verdict } from "./check.ts";
import { runCheck } from "./check.ts";
import type { Move, NamedEpisode } from "./episode.ts";
import { performMove } from "./past.ts";
import { makeWorkspace } from "./workspace.ts";

/** What is wrong with the episode, in sentences; none when its check can be trusted this far. */
export async function proveEpisode(episode: NamedEpisode): Promise<string[]> {
  const untouched = await outcomeOf(episode, []);
  const good = await outcomeOf(episode, episode.good.moves);
  const bad = await outcomeOf(episode, episode.bad.moves);
  const problem = problemOf(episode, untouched.verdict, good.verdict, bad.verdict);
  return [
    ...[...good.failed, ...bad.failed].map(
      (step) => `Episode "${episode.name}" has a known step that cannot be done: ${step}`,
    ),
    ...(problem === undefined ? [] : [`The check of episode "${episode.name}" is broken: ${problem}`]),
  ];
}

function problemOf(
  { right }: NamedEpisode,
  untouched: Verdict,
  good: Verdict,
  bad: Verdict,
): string | undefined {
  const passesUntouched = untouched.kind === "recovered";
  for (const verdict of [untouched, good, bad]) {
    if (verdict.kind === "broken") return `it crashes; ${verdict.because}.`;
  }
  if (good.kind === "not recovered") {
    return `it does not pass after the known good repair, so no run could (it says: ${good.because}).`;
  }
  if (bad.kind === "recovered")
    return "it passes after the known bad repair, so it would pass whatever was done.";
  if (passesUntouched && right !== "leave")
    return "it passes on the untouched project, so it proves nothing.";
  if (passesUntouched || right !== "leave") return undefined;
  return "nothing needs changing there, and it does not pass on the untouched project.";
}

async function outcomeOf(
  episode: NamedEpisode,
  moves: readonly Move[],
): Promise<{ readonly verdict: Verdict; readonly failed: readonly string[] }> {
  await using workspace = await makeWorkspace(episode);
  const failed: string[] = [];
  for (const move of moves) {
    const { text, isError = false } = await performMove(move, workspace.project);
    // A command may well fail: what it shows is the failure.
    if (isError && move.tool !== "bash") failed.push(text);
  }
  return { verdict: await runCheck(episode, workspace.project), failed };
}
