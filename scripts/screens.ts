// Makes the pictures of README: plays scenes in a real Pi in a real terminal, with both models played by a script on
// this machine, and draws what the terminal shows. What differs from run to run (times, ids, the spinner's frame) is
// replaced by fixed values of the same width; everything else is as captured. `screens.ts <folder>` writes elsewhere.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scene } from "../fixtures/demo/scenes.ts";
import { SCENES } from "../fixtures/demo/scenes.ts";
import { makeHome } from "../test/support/home.ts";
import { startModelServer } from "../test/support/model-server.ts";
import { startTui } from "../test/support/tui.ts";
import { readDemoProject } from "./demo-project.ts";
import { drawPicture } from "./terminal-picture.ts";

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
  const screen = await pi.screenWithColors();
  return drawPicture({ rows: screen.map(withoutWhatVaries), cols, isDark: theme === "dark", title });
}

const ID = "0193ab5c7d2e71f4a6083c95be1d42f7";

/** Each replacement is as wide as what it replaces, so that nothing moves. */
function withoutWhatVaries(row: string): string {
  return row
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠹")
    .replace(/\b\d\.\d(?= ?s\b)/g, "4.2")
    .replace(/(?<=· )\d(?= s\b)/g, "4")
    .replace(/(?<=duration_ms )[\d.]+/g, (digits) =>
      "73.405128".padEnd(digits.length, "6").slice(0, digits.length),
    )
    .replace(/(?<=\()[\d.]+(?=ms\))/g, (digits) =>
      "1.405128".padEnd(digits.length, "6").slice(0, digits.length),
    )
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}\b/g, `${ID.slice(0, 8)}-${ID.slice(8, 12)}`);
}
