/** Dark, light and without colour: the same words everywhere, and advice never looks like what is not advice. */

import { expect, test } from "vitest";
import { aboveEditor } from "../support/golden.ts";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { call, drip, gate, say } from "../support/steps.ts";
import type { Style } from "../support/styled-runs.ts";
import { readRuns } from "../support/styled-runs.ts";
import { startTui } from "../support/tui.ts";

const LOOKS = {
  dark: { settings: { theme: "dark" }, env: { COLORTERM: "truecolor" } },
  light: { settings: { theme: "light" }, env: { COLORTERM: "truecolor" } },
  plain: { settings: { theme: "dark" }, env: { NO_COLOR: "1" } },
} as const;

/** One run of all moments: a call with advice, a question in the middle, a failed question. */
async function play(look: keyof typeof LOOKS) {
  await using server = await startModelServer();
  await using home = await makeHome({ server, ...LOOKS[look] });
  await using pi = await startTui(home, { cols: 100, rows: 40 });
  const answer = gate(drip(["HALF ", "WHOLE"], { pauseMs: 1 }), { after: 1 });
  server.script("exec", [call("angel", { question: "Which?" }), say("DONE")]);
  server.script("adv", [say("ADVICE"), say(""), say(""), answer]);

  await pi.type("work");
  await pi.press("Enter");
  await pi.until("DONE");
  await pi.type("/angel Is it?");
  await pi.press("Enter");
  await pi.until("failed:");
  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  const words = aboveEditor(await pi.until("HALF"), "angel");
  return { words, runs: readRuns(await pi.screenWithColors()) };
}

function styleOf(runs: ReturnType<typeof readRuns>, words: string): Style {
  const run = runs.findLast(({ text }) => text.includes(words));
  if (run === undefined) throw new Error(`Not on the screen: ${words}`);
  return run.style;
}

test("In every theme the card stands out, what is provisional is subdued, and a report looks like neither.", async () => {
  const [dark, light, plain] = [await play("dark"), await play("light"), await play("plain")];

  for (const { runs } of [dark, light]) {
    const [advice, metadata] = [styleOf(runs, "ADVICE"), styleOf(runs, "1.3k tokens")];
    const [provisional, report] = [styleOf(runs, "provisional"), styleOf(runs, "failed:")];
    expect(advice.bg).toBeDefined();
    expect(provisional.bg).toBeUndefined();
    expect(report.bg).toBeUndefined();
    expect(new Set([advice.fg, provisional.fg, report.fg]).size).toBe(3);
    expect(metadata.fg).not.toBe(advice.fg);
  }
  for (const words of ["ADVICE", "provisional"])
    expect(styleOf(light.runs, words)).not.toEqual(styleOf(dark.runs, words));
  expect(light.words).toBe(dark.words);
  expect(plain.words).toBe(dark.words);
  for (const words of ["advised", "ADVICE", "failed:", "provisional, may still change"])
    expect(plain.words).toContain(words);
});
