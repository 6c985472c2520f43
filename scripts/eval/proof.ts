// Looks at the checks before anything is run with them: one that always passes, never can or crashes would make every
// number after it worthless.

import { runCheck } from "./check.ts";
import type { Move, NamedEpisode } from "./episode.ts";
import { performMove } from "./past.ts";
import { makeWorkspace } from "./workspace.ts";

/** What is wrong with the episode, in sentences; none when its check can be trusted this far. */
export async function proveEpisode(episode: NamedEpisode): Promise<string[]> {
  const untouched = await verdictAfter(episode, []);
  const good = await verdictAfter(episode, episode.good.moves);
  const bad = await verdictAfter(episode, episode.bad.moves);
  const broken = [untouched, good, bad].find(({ kind }) => kind === "broken");
  const say = (words: string) => [`The check of episode "${episode.name}" is broken: ${words}`];
  if (broken?.kind === "broken") return say(`it crashes; ${broken.because}.`);
  if (good.kind === "not recovered") {
    return say(`it does not pass after the known good repair, so no run could (it says: ${good.because}).`);
  }
  if (bad.kind === "recovered")
    return say("it passes after the known bad repair, so it would pass whatever was done.");
  const passesUntouched = untouched.kind === "recovered";
  if (passesUntouched && episode.right !== "leave")
    return say("it passes on the untouched project, so it proves nothing.");
  if (!passesUntouched && episode.right === "leave") {
    return say("nothing needs changing there, and it does not pass on the untouched project.");
  }
  return [];
}

async function verdictAfter(episode: NamedEpisode, moves: readonly Move[]) {
  await using workspace = await makeWorkspace(episode);
  for (const move of moves) await performMove(move, workspace.project);
  return await runCheck(episode, workspace.project);
}
