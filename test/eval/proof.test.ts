import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadEpisodes } from "../../scripts/eval/episode.ts";
import { proveEpisode } from "../../scripts/eval/proof.ts";

/** An episode in a folder of its own, with this for its check. */
async function withCheck(name: string, check: string) {
  const [episode] = await loadEpisodes([name]);
  if (episode === undefined) throw new Error(`There is no episode ${name}.`);
  const folder = mkdtempSync(join(tmpdir(), "angel-episode-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, name));
  cpSync(join(episode.folder, "project"), join(folder, name, "project"), { recursive: true });
  writeFileSync(join(folder, name, "check.mjs"), check);
  return { ...episode, folder: join(folder, name) };
}

test("A check that always passes, never can, or crashes is named with its reason.", async () => {
  const name = "not-enough-evidence";
  const checks = ["", 'console.log("never"); process.exit(3);', "undefined.nothing;", "process.exit(7);"];

  const [always, never, crashing, odd] = await Promise.all(
    checks.map(async (check) => proveEpisode(await withCheck(name, check))),
  );
  const killed = await proveEpisode(await withCheck(name, 'process.kill(process.pid, "SIGKILL");'));

  const broken = `The check of episode "${name}" is broken:`;
  expect(always).toEqual([
    `${broken} it passes after the known bad repair, so it would pass whatever was done.`,
  ]);
  expect(never).toEqual([
    `${broken} it does not pass after the known good repair, so no run could (it says: never).`,
  ]);
  expect(crashing).toEqual([
    expect.stringMatching(/it crashes; it ended with exit code 1 TypeError: .*nothing/),
  ]);
  expect(odd).toEqual([`${broken} it crashes; it ended with exit code 7.`]);
  expect(killed).toEqual([expect.stringMatching(/it crashes; it ended with SIGKILL/)]);
});

test("A check that passes untouched is broken, unless nothing needs changing; then one that does not is.", async () => {
  const fs = 'process.getBuiltinModule("fs")';
  const namesNoConfig = `process.exit(${fs}.existsSync("ANSWER.json") && ${fs}.readFileSync("ANSWER.json", "utf8").includes("config") ? 3 : 0);`;
  const wantsNewFile = `process.exit(${fs}.existsSync("new") ? 0 : 3);`;
  const left = await withCheck("nothing-to-change", wantsNewFile);
  const good = { ...left.good, moves: [{ tool: "write", args: { path: "new", content: "" } }] as const };

  const untouched = await proveEpisode(await withCheck("not-enough-evidence", namesNoConfig));
  const leave = await proveEpisode({ ...left, good });

  expect(untouched).toEqual([
    'The check of episode "not-enough-evidence" is broken: it passes on the untouched project, so it proves nothing.',
  ]);
  expect(leave).toEqual([
    'The check of episode "nothing-to-change" is broken: nothing needs changing there, and it does not pass on the untouched project.',
  ]);
});

test("A known step that cannot be done is told.", async () => {
  const [episode] = await loadEpisodes(["not-enough-evidence"]);
  if (episode === undefined) throw new Error("The episode is not there.");
  const edits = [{ oldText: "never there", newText: "x" }];
  const bad = {
    ...episode.bad,
    moves: [{ tool: "edit", args: { path: "ops/changes.txt", edits } }] as const,
  };

  const problems = await proveEpisode({ ...episode, bad });

  expect(problems).toEqual([
    expect.stringMatching(/^Episode "not-enough-evidence" has a known step that cannot be done: /),
  ]);
});
