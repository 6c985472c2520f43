// Many lives with many crashes, every origin struck at every event in turn.

import type { Origin } from "../origins.ts";
import { ORIGINS } from "../origins.ts";
import { seeded } from "../seeded.ts";
import type { Blow, Crash } from "./life.ts";
import { liveThroughCrashes } from "./life.ts";
import type { Struck } from "./moment.ts";
import { STRUCK } from "./moment.ts";

/** A life of this length is played again in seconds, and its session holds the traces of many crashes. */
const CRASHES_IN_A_LIFE = 12;
/** Each Pi takes a core while it starts. */
const LIVES_AT_ONCE = 2;

export interface CrashPlan {
  readonly crashes: number;
  readonly seed: number;
  readonly onLife?: (crashes: readonly Crash[]) => void;
}

export async function crash({ crashes, seed, onLife = () => {} }: CrashPlan): Promise<Crash[]> {
  const blows = seeded(seed).shuffle(Array.from({ length: crashes }, (_, n) => blowOf(n)));
  const length = Math.min(CRASHES_IN_A_LIFE, Math.ceil(crashes / LIVES_AT_ONCE));
  const lives = Array.from({ length: Math.ceil(crashes / length) }, (_, n) => ({
    blows: blows.slice(n * length, (n + 1) * length),
    // Which life is played first must not change what happens in it.
    random: seeded(seed + 1 + n),
  }));
  const done: Crash[] = [];
  const play = async () => {
    for (let life = lives.shift(); life !== undefined; life = lives.shift()) {
      const seen = await liveThroughCrashes(life.blows, life.random);
      done.push(...seen);
      onLife(seen);
    }
  };
  await Promise.all(Array.from({ length: LIVES_AT_ONCE }, play));
  return done;
}

/** Eight events and three origins have no common divisor, so that counting goes through all pairs. */
function blowOf(n: number): Blow {
  return { origin: at(ORIGINS, n), struck: at(STRUCK, n) };
}

export function atEvent(crashes: readonly Crash[], origin: Origin, struck: Struck): Crash[] {
  return crashes.filter((one) => one.origin === origin && one.struck === struck);
}

function at<T>(values: readonly T[], n: number): T {
  const value = values[n % values.length];
  if (value === undefined) throw new Error("There is nothing to strike.");
  return value;
}
