// What Angel costs a turn in which nothing fails, beside a handler of turn_end that does nothing. Pi rebuilds the whole
// context before each such handler, so a long parent makes visible what would be lost in noise.

import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { fauxSay } from "../../test/support/faux-models.ts";
import { startSession } from "../../test/support/in-process.ts";
import type { Raw } from "./consultations.ts";
import type { Row } from "./figures.ts";
import { median } from "./figures.ts";
import { writeParent } from "./parents.ts";

const ENTRIES = 20_000;

const EMPTY_HANDLER: InlineExtension = {
  name: "empty-handler",
  factory: (pi) => {
    pi.on("turn_end", () => {});
  },
};

export async function measureTurns(rounds: number, raw: Raw): Promise<readonly Row[]> {
  const angel: number[] = [];
  const empty: number[] = [];
  const alone = () => turns(rounds, { angel: false, factories: [EMPTY_HANDLER] });
  const beside = () => turns(rounds, { angel: true });
  // What runs first in a process pays for its warming up, so one session of each goes before, and the order changes.
  await alone();
  await beside();
  for (let round = 0; round < 4; round += 1) {
    if (round % 2 === 0) empty.push(...(await alone()));
    angel.push(...(await beside()));
    if (round % 2 === 1) empty.push(...(await alone()));
  }
  raw["a turn without failures, ms"] = { angel, empty };
  return [
    {
      what: `a turn without failures, at ${ENTRIES.toLocaleString("en")} entries`,
      goal: "≤ 1.5 × an empty turn_end handler",
      found: median(angel) / median(empty),
      most: 1.5,
    },
  ];
}

async function turns(
  rounds: number,
  options: { readonly angel: boolean; readonly factories?: readonly InlineExtension[] },
): Promise<readonly number[]> {
  await using pi = await startSession({
    ...options,
    sessionManager: (home) =>
      SessionManager.open(
        writeParent({ cwd: home.project, sessionDir: home.sessionDir, entries: ENTRIES, isCompacted: false }),
      ),
  });
  const times: number[] = [];
  for (let round = 0; round < rounds + 2; round += 1) {
    pi.faux.exec.handle.setResponses([fauxSay("Fine.")]);
    const startedMs = performance.now();
    await pi.session.prompt("go on");
    if (round >= 2) times.push(performance.now() - startedMs);
  }
  return times;
}
