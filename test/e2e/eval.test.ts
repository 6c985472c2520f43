// The comparison, run as a user runs it: the real script, the real Pi, scripted models.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EPISODES_FOLDER } from "../../scripts/eval/episode.ts";
import { makeBench } from "../support/eval/run-eval.ts";
import { ANGEL_FOLDER } from "../support/home.ts";

const PEER = join(ANGEL_FOLDER, "fixtures/peer-advisor");

test("Scripted behaviours that are known to be good or bad score as such in every arm, through the real Pi.", async () => {
  const bench = makeBench();
  const peer = `npm:file:${PEER}`;

  const run = await bench.start([
    ...["--scripted", "--episode", "stale-lock"],
    ...["--arms", `alone,transcript,angel,${peer}`, "--npm-home", join(PEER, "agent")],
  ]).ended;

  expect(run).toMatchObject({ code: 0, stderr: "" });
  const lines = bench.lines();
  const recovered = lines.map(({ run, result }) => [
    run,
    result.kind === "scored" && result.score.hasRecovered,
  ]);
  expect(recovered.map(String).sort()).toEqual([...Array(4).fill("1,true"), ...Array(4).fill("2,false")]);
  expect(new Set(lines.filter(({ arm }) => arm === peer).map(({ made }) => made.arm))).toEqual(
    new Set(["4.5.6"]),
  );
  expect(run.stdout).toContain("| verified recovery | 1 of 2 [9–91 %] | 1 of 2 [9–91 %] | 1 of 2 [9–91 %] |");
  const half = "1 of 2 [9–91 %]";
  expect(run.stdout).toContain(
    `| runs that repeat a failed approach | ${half} | ${half} | ${half} | ${half} |`,
  );
  for (const name of [
    "runs with a recommendation that nothing read supports",
    "runs that followed wrong advice",
  ]) {
    expect(run.stdout).toContain(`| ${name} | – | ${half} | ${half} | ${half} |`);
  }
  expect(readFileSync(join(bench.out, "results.md"), "utf8")).toContain("says nothing about advice");
  for (const { result, arm } of lines) {
    const sessions = result.kind === "scored" ? readdirSync(join(bench.out, result.sessions)) : [];
    expect(sessions).toHaveLength(arm === "angel" ? 2 : 1);
  }
  expect(bench.leftovers()).toEqual([]);
});

test("A broken check is named before anything is run.", async () => {
  const bench = makeBench();
  const folder = mkdtempSync(join(tmpdir(), "angel-episodes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["not-enough-evidence", "check-kit.mjs"]) {
    cpSync(join(EPISODES_FOLDER, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, "no-episode"));
  writeFileSync(join(folder, "not-enough-evidence", "check.mjs"), "");

  const run = await bench.start(["--scripted", "--episodes", folder]).ended;

  expect(run.code).toBe(1);
  expect(run.stderr).toBe(
    'The check of episode "not-enough-evidence" is broken: it passes after the known bad repair, so it would pass whatever was done.\nNothing was run.\n',
  );
  expect(existsSync(join(bench.out, "results.jsonl"))).toBe(false);
});
