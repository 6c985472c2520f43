// Kills a real Pi in the middle of consultations of every origin, goes on with `pi -c`, and says what was left.
// `npm run crash` strikes 240 times; two numbers as arguments are how many times and the seed.

import { atEvent, crash } from "../test/support/crash/crashes.ts";
import type { Crash } from "../test/support/crash/life.ts";
import { STRUCK } from "../test/support/crash/moment.ts";
import { ORIGINS } from "../test/support/origins.ts";

const crashes = Number(process.argv[2] ?? 240);
const seed = Number(process.argv[3] ?? Date.now() % 100_000);

console.log(`${crashes} crashes with seed ${seed}`);
let done = 0;
const seen = await crash({
  crashes,
  seed,
  onLife: (life) => {
    done += life.length;
    console.log(`${done} of ${crashes}`);
    for (const one of life.filter(({ wrong }) => wrong.length > 0)) console.error(inWords(one));
  },
});

console.log(
  "\norigin    struck at        kills  child on disk  advice delivered  card only  torn lines  settings locked",
);
for (const origin of ORIGINS) {
  for (const struck of STRUCK) {
    const here = atEvent(seen, origin, struck);
    const cells: [number, number][] = [
      [here.length, 6],
      [count(here, ({ hasChild }) => hasChild), 15],
      [count(here, ({ isAdvised }) => isAdvised), 18],
      [count(here, ({ isCardOnly }) => isCardOnly), 11],
      [here.reduce((sum, { torn }) => sum + torn, 0), 12],
      [count(here, ({ isLockLeft }) => isLockLeft), 17],
    ];
    const figures = cells.map(([figure, width]) => String(figure).padStart(width)).join("");
    console.log(`${origin.padEnd(10)}${struck.padEnd(16)}${figures}`);
  }
}
const wrong = count(seen, (one) => one.wrong.length > 0);
console.log(`\n${seen.length} crashes, ${wrong} with something wrong afterwards.`);
process.exitCode = wrong > 0 || seen.length !== crashes ? 1 : 0;

function count(all: readonly Crash[], fits: (one: Crash) => boolean): number {
  return all.filter(fits).length;
}

function inWords({ origin, struck, delayMs, wrong }: Crash): string {
  return `${origin}, ${struck} and ${delayMs} ms: ${wrong.join("; ")}`;
}
