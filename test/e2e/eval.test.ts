// The comparison, run as a user runs it: the real script, the real Pi, scripted models.

import { execFileSync } from "node:child_process";
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
import { basename, dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { EPISODES_FOLDER } from "../../scripts/eval/episode.ts";
import { makeBench } from "../support/eval/run-eval.ts";
import { ANGEL_FOLDER } from "../support/home.ts";

const PEER = join(ANGEL_FOLDER, "fixtures/peer-advisor");

test("Scripted behaviours that are known to be good or bad score as such in every arm, through the real Pi.", async () => {
  const bench = makeBench();
  const peer = `npm:file:${PEER}`;
  const episodes = ["--episode", "not-enough-evidence", "--episode", "stale-lock"];

  const run = await bench.start([
    "--scripted",
    ...episodes,
    ...["--arms", `alone,transcript,angel,${peer}`, "--npm-home", join(PEER, "agent")],
  ]).ended;

  expect(run).toMatchObject({ code: 0, stderr: "" });
  const lines = bench.lines();
  expect(lines).toHaveLength(16);
  const recovered = lines.map(({ run, result }) => [
    run,
    result.kind === "scored" && result.score.hasRecovered,
  ]);
  expect(new Set(recovered.map(String))).toEqual(new Set(["1,true", "2,false"]));
  expect(new Set(lines.filter(({ arm }) => arm === peer).map(({ made }) => made.arm))).toEqual(
    new Set(["4.5.6"]),
  );
  expect(run.stdout).toContain(
    "| verified recovery | 2 of 4 [15–85 %] | 2 of 4 [15–85 %] | 2 of 4 [15–85 %] |",
  );
  expect(readFileSync(join(bench.out, "results.md"), "utf8")).toContain("says nothing about advice");
  for (const { result, arm } of lines) {
    const sessions = result.kind === "scored" ? readdirSync(join(bench.out, result.sessions)) : [];
    expect(sessions).toHaveLength(arm === "angel" ? 2 : 1);
  }
  expect(bench.leftovers()).toEqual([]);
});

test("A comparison that was interrupted keeps what is done, ends every Pi it started, and goes on from there.", async () => {
  const bench = makeBench();
  const call = [
    "--scripted",
    "--arms",
    "alone",
    "--episode",
    "not-enough-evidence",
    "--episode",
    "two-designs",
    "--episode",
    "nothing-to-change",
  ];
  const first = bench.start(call);
  await first.printed("1 of 6");

  first.child.kill("SIGINT");
  const interrupted = await first.ended;

  expect(interrupted.code).toBe(130);
  expect(interrupted.stderr).toContain("What was done is kept; the same call goes on from there.");
  const kept = bench.lines();
  expect(kept.length).toBeGreaterThanOrEqual(1);
  expect(kept.length).toBeLessThan(6);
  expect(bench.leftovers()).toEqual([]);
  expect(execFileSync("ps", ["-A", "-o", "args"], { encoding: "utf8" })).not.toContain(
    basename(dirname(bench.out)),
  );

  const second = await bench.start(call).ended;

  expect(second.code).toBe(0);
  expect(second.stdout).toContain(`6 runs, ${kept.length} of them in the journal already`);
  expect(bench.lines().slice(0, kept.length)).toEqual(kept);
  expect(new Set(bench.lines().map(({ episode, run }) => `${episode} ${run}`)).size).toBe(6);
  expect(bench.lines()).toHaveLength(6);
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

test("A call that cannot be carried out ends in a sentence.", async () => {
  const bench = makeBench();
  const calls = [
    ["--scripted", "--episode", "nowhere"],
    ["--scripted", "--arms", "npm:file:./nothing-here"],
    ["--scripted", "--arms", `npm:file:${join(ANGEL_FOLDER, "node_modules/ulid")}`],
    ["--executor", "nobody/none", "--advisor", "nobody/none"],
    ["--scripted", "--episodes", join(bench.out, "nothing")],
  ];

  const runs = await Promise.all(
    calls.map((call) => bench.start(call, { PI_CODING_AGENT_DIR: bench.out }).ended),
  );

  expect(runs.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1]);
  const [episode, missing, foreign, model, folder] = runs.map(({ stderr }) => stderr);
  expect(episode).toMatch(/^There is no episode "nowhere"\. There are: far-cause, /);
  expect(missing).toMatch(
    /^npm could not install "file:\.\/nothing-here" for the arm npm:file:\.\/nothing-here: /,
  );
  expect(foreign).toMatch(/names no extension for Pi/);
  expect(model).toMatch(/^--executor names "nobody\/none", which Pi does not know without extensions;/);
  expect(folder).toMatch(/^There is no folder of episodes /);
});
