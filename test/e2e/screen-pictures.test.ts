import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { ANGEL_FOLDER } from "../support/home.ts";
import { drawsAsToday } from "../support/pi-under-test.ts";

test("The pictures of README are what the terminal shows today, and can be made again.", async () => {
  const folder = mkdtempSync(join(tmpdir(), "angel-pictures-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));

  await promisify(execFile)(process.execPath, [join(ANGEL_FOLDER, "scripts/screens.ts"), folder], {
    timeout: 80_000,
  });

  const made = readdirSync(folder).toSorted();
  const shown = [...readFileSync(join(ANGEL_FOLDER, "README.md"), "utf8").matchAll(/\(docs\/(\S+\.svg)\)/g)];
  expect(shown.map(([, name]) => name).toSorted()).toEqual(made);
  for (const name of made) {
    const picture = readFileSync(join(folder, name), "utf8");
    expect(picture.length).toBeLessThan(40_000);
    if (drawsAsToday) expect(picture).toBe(readFileSync(join(ANGEL_FOLDER, "docs", name), "utf8"));
  }
});
