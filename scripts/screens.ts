// Makes the pictures of README: plays scenes in a real Pi in a real terminal, with both models played by a script on
// this machine, and draws what the terminal shows. What differs from run to run (times, ids, the spinner's frame) is
// replaced by fixed values; everything else is as captured. `screens.ts <folder>` writes elsewhere.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Scene } from "../fixtures/demo/scenes.ts";
import { SCENES } from "../fixtures/demo/scenes.ts";
import { makeHome } from "../test/support/home.ts";
import { startModelServer } from "../test/support/model-server.ts";
import type { Tui } from "../test/support/tui.ts";
import { startTui } from "../test/support/tui.ts";
import { readDemoProject } from "./demo-project.ts";
import { drawPicture } from "./terminal-picture.ts";

/** Longer than any part of the screen takes to show what it has. */
const STILL_MS = 400;
const SPINNER = /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/;
const SHORT_ID = "0193ab5c-7d2e";

const folder = process.argv[2] ?? fileURLToPath(new URL("../docs", import.meta.url));
mkdirSync(folder, { recursive: true });
for (const scene of SCENES) {
  const path = join(folder, `${scene.name}.svg`);
  writeFileSync(path, await capture(scene));
  console.log(path);
}

async function capture({ cols, rows, theme, title, play }: Scene): Promise<string> {
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    project: readDemoProject(),
    settings: { theme },
    env: { COLORTERM: "truecolor" },
  });
  await using pi = await startTui(home, { cols, rows });
  await play(pi, server);
  return drawPicture({ rows: await stillScreen(pi), cols, isDark: theme === "dark", title });
}

/** The screen when nothing on it moves any more but what is replaced. */
async function stillScreen(pi: Tui, before: readonly string[] = []): Promise<readonly string[]> {
  await sleep(STILL_MS);
  const now = (await pi.screenWithColors()).map(withoutWhatVaries);
  return now.join("\n") === before.join("\n") ? now : stillScreen(pi, now);
}

/** What is replaced by something shorter or longer gets its blanks at the end of the row, so that nothing else moves. */
function withoutWhatVaries(row: string): string {
  const seconds = SPINNER.test(row) ? "4 s" : "4.2 s";
  const steady = row
    .replace(new RegExp(SPINNER, "g"), "⠹")
    .replace(/(?<=· )\d+(\.\d)? s\b/g, seconds)
    .replace(/(?<=Took )\d+\.\ds\b/g, "4.2s")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}\b/g, SHORT_ID);
  const missing = row.length - steady.length;
  return missing < 0 ? steady.replace(new RegExp(` {${-missing}}$`), "") : steady + " ".repeat(missing);
}
