// Plays every fault at every stage for every origin, and writes docs/faults.md when all came out right.
// `npm run faults`.

import { writeFileSync } from "node:fs";
import { faultMatrix, faultPage, playMatrix } from "../test/support/faults/matrix.ts";
import { ORIGINS } from "../test/support/origins.ts";

let played = 0;
const cells = faultMatrix();
for (const origin of ORIGINS) {
  const wrong = await playMatrix(origin, () => {
    played += 1;
    if (played % 50 === 0) console.log(`${played} of ${cells.length}`);
  });
  for (const [place, words] of Object.entries(wrong)) {
    console.error(`${origin}, ${place}: ${words.join("; ")}`);
    process.exitCode = 1;
  }
}
if (process.exitCode === undefined) {
  writeFileSync(new URL("../docs/faults.md", import.meta.url), faultPage(cells));
  console.log(`${played} of ${cells.length} came out right; docs/faults.md is written.`);
}
