// What it costs to draw an answer that streams fast, in processor time of a Pi in a terminal, beside the same Angel
// whose view is told nothing.

import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ANGEL_FOLDER } from "../../test/support/home.ts";
import { startTui } from "../../test/support/tui.ts";
import { endHome, looksOf, makeBenchHome } from "./asking.ts";
import type { Raw } from "./consultations.ts";
import type { Row } from "./figures.ts";
import { median } from "./figures.ts";
import type { BenchServer } from "./server.ts";

const TOKENS_A_SECOND = 2_000;
const SECONDS = 4;
/** What a provider sends at a time: a few tokens, about four characters each. */
const TOKENS_A_PIECE = 4;
const PIECES = Array.from({ length: (TOKENS_A_SECOND * SECONDS) / TOKENS_A_PIECE }, (_, n) =>
  n % 12 === 11 ? "and so it is.\n\n" : "this is a word, ",
);

const BLIND = `export function throttle() { return { pass() {}, end() {} }; }\n`;

export async function measureLiveView(
  server: BenchServer,
  rounds: number,
  raw: Raw,
): Promise<readonly Row[]> {
  const blind = mkdtempSync(join(tmpdir(), "angel-blind-"));
  try {
    for (const part of ["src", "prompts", "package.json"])
      cpSync(join(ANGEL_FOLDER, part), join(blind, part), { recursive: true });
    symlinkSync(join(ANGEL_FOLDER, "node_modules"), join(blind, "node_modules"));
    writeFileSync(join(blind, "src/host/throttle.ts"), BLIND);
    const seen: number[] = [];
    const unseen: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      seen.push(await stream(server, ANGEL_FOLDER));
      unseen.push(await stream(server, blind));
    }
    raw["processor time of a stream of 8,000 tokens, ms"] = { seen, unseen };
    return [
      {
        what: "streaming 2,000 tokens a second into the live view, processor time",
        goal: "≤ 1.1 × without the view",
        found: median(seen) / median(unseen),
        most: 1.1,
      },
    ];
  } finally {
    rmSync(blind, { recursive: true, force: true });
  }
}

async function stream(server: BenchServer, angel: string): Promise<number> {
  const home = await makeBenchHome(server, {
    angel: false,
    extensions: [angel],
    settings: { angel: { model: "local/adv" } },
  });
  try {
    await using tui = await startTui(home, { cols: 120, rows: 40 });
    const ask = async (replies: Parameters<BenchServer["play"]>[0], until: string) => {
      const played = server.play(replies);
      await tui.type("go on");
      await tui.press("Enter");
      await played;
      await tui.until(until);
    };
    const look = async (count: number) => {
      await tui.type("/bench_look");
      await tui.press("Enter");
      await tui.until(() => looksOf(home).length >= count);
    };
    const call = { call: "angel", args: { question: "Why?" } };
    await ask([call, { text: "Because." }, { text: "Noted-first." }], "Noted-first.");
    await look(1);
    const everyMs = (1000 * TOKENS_A_PIECE) / TOKENS_A_SECOND;
    await ask([call, { pieces: PIECES, everyMs }, { text: "Noted-second." }], "Noted-second.");
    await look(2);
    const [before, after] = looksOf(home);
    if (!before || !after) throw new Error("Pi did not look at itself.");
    return after.cpuMs - before.cpuMs;
  } finally {
    await endHome(home);
  }
}
