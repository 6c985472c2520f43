import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ANGEL_FOLDER } from "../support/home.ts";

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The demo keeps its folder for the reader; here it is put where it can be thrown away. */
function runDemo(folder: string, args: readonly string[]): Promise<Run> {
  const temp = mkdtempSync(join(tmpdir(), "angel-demo-"));
  onTestFinished(() => rmSync(temp, { recursive: true, force: true }));
  return new Promise((resolve) => {
    const demo = execFile(
      process.execPath,
      [join(folder, "scripts/demo.ts"), ...args],
      { env: { ...process.env, TMPDIR: temp }, timeout: 60_000 },
      (_error, stdout, stderr) => resolve({ code: demo.exitCode, stdout, stderr }),
    );
  });
}

test("The demo shows a consultation in a real Pi, offline, and succeeds only if the demo project's test turns green.", async () => {
  const stalled = await runDemo(ANGEL_FOLDER, []);
  const asked = await runDemo(ANGEL_FOLDER, ["--asked"]);

  for (const run of [stalled, asked]) {
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout).toContain("`.cache/config.json:3` still says");
    expect(run.stdout).toMatch(
      /the failure \((\w+→\w+(, )?)+\) is about the old value, and the edit \(\w+→\w+\)/,
    );
    expect(run.stdout).toMatch(/pi --session \S+\.jsonl/);
  }
  expect(stalled.stdout).toContain("runs the test again");
  expect(asked.stdout).toContain("asks Angel");
});

test("the demo fails when the project's test stays red", async () => {
  const copy = mkdtempSync(join(tmpdir(), "angel-copy-"));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  for (const part of ["scripts", "fixtures", "test", "src", "prompts", "package.json"]) {
    cpSync(join(ANGEL_FOLDER, part), join(copy, part), { recursive: true });
  }
  symlinkSync(join(ANGEL_FOLDER, "node_modules"), join(copy, "node_modules"));
  const broken = 'import { test } from "node:test";\ntest("never", () => { throw new Error("red"); });\n';
  writeFileSync(join(copy, "fixtures/demo/project/test/format.test.js"), broken);

  const run = await runDemo(copy, []);

  expect(run.code).toBe(1);
  expect(run.stderr).toContain("The project's own test still fails");
});
