// The comparison with models that a user has configured, here on this machine.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { loadEpisodes } from "../../scripts/eval/episode.ts";
import { runOnce } from "../../scripts/eval/run.ts";
import { makeBench } from "../support/eval/run-eval.ts";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { call, say, stall, status } from "../support/steps.ts";

const ANSWER = { path: "ANSWER.json", content: '{ "cause": "unknown" }\n' };
const CALL = [
  "--executor",
  "local/exec:off",
  "--advisor",
  "local/adv",
  "--episode",
  "not-enough-evidence",
  "--arms",
  "angel",
  "--runs",
  "1",
];

test("A run that Pi, its provider or the check could not bring to an end is no score, and the next call runs it again.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, angel: false });
  const bench = makeBench();
  // An extension of the user's, which no run is to load.
  mkdirSync(join(home.agentDir, "extensions"));
  const trace = join(home.root, "loaded");
  writeFileSync(
    join(home.agentDir, "extensions/trace.js"),
    `import { writeFileSync } from "node:fs"; export default () => writeFileSync(${JSON.stringify(trace)}, "");`,
  );
  const env = { PI_CODING_AGENT_DIR: home.agentDir };
  server.script("exec", [status(401)]);

  const failed = await bench.start(CALL, env).ended;
  server.script("exec", [
    call("angel", { question: "Which was it?" }),
    call("write", ANSWER),
    say("Unknown."),
  ]);
  server.script("adv", [
    call("read", { path: "ops/metrics.csv" }),
    say("`ops/metrics.csv:3` is one mean over both."),
  ]);
  const again = await bench.start(CALL, env).ended;

  expect([failed.code, again.code]).toEqual([1, 0]);
  expect(failed.stderr).toBe("1 runs could not be scored; the same call runs them again.\n");
  const [first, second, ...more] = bench.lines();
  expect(first?.result).toMatchObject({
    kind: "failed",
    because: expect.stringMatching(/^The executor's provider failed: .*401/),
  });
  expect(second).toMatchObject({
    executor: "local/exec:off",
    advisor: "local/adv:max",
    result: {
      kind: "scored",
      score: {
        hasRecovered: true,
        hasAbstained: true,
        claims: { cited: ["ops/metrics.csv"], unsupported: [] },
      },
      reported: { consultations: 1, advisorCalls: 1 },
    },
  });
  expect(more).toEqual([]);
  expect(server.requests("exec")[1]?.raw).toContain("Consult it once");
  expect(server.requests("adv")[0]?.body.reasoning_effort).toBe("max");
  expect(existsSync(trace)).toBe(false);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("A comparison that was interrupted keeps what is done, ends every Pi it started, and goes on from there.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, angel: false });
  const bench = makeBench();
  const who = ["--executor", "local/exec:off", "--advisor", "local/adv", "--episode", "not-enough-evidence"];
  const args = [...who, "--arms", "alone", "--runs", "2", "--parallel", "1"];
  const env = { PI_CODING_AGENT_DIR: home.agentDir };
  const answering = [call("write", ANSWER), say("Unknown.")];
  server.script("exec", [...answering, stall()]);
  const first = bench.start(args, env);
  const hanging = await server.nextRequest("exec", 3);

  first.child.kill("SIGINT");
  const interrupted = await first.ended;
  await hanging.done;
  const kept = bench.lines();
  const processes = execFileSync("ps", ["-A", "-o", "args"], { encoding: "utf8" });
  const leftovers = bench.leftovers();
  server.script("exec", answering);
  const second = await bench.start(args, env).ended;

  expect(interrupted.code).toBe(130);
  expect(interrupted.stderr).toBe("Interrupted. What was done is kept; the same call goes on from there.\n");
  expect(kept.map(({ run }) => run)).toEqual([1]);
  expect(interrupted.stdout).toContain("| verified recovery | 1 of 1 [21–100 %] |");
  expect(processes).not.toContain(basename(dirname(bench.out)));
  expect(leftovers).toEqual([]);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain("2 runs, 1 of them in the journal already");
  expect(bench.lines().slice(0, 1)).toEqual(kept);
  expect(bench.lines().map(({ run }) => run)).toEqual([1, 2]);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("A run that takes longer than its limit is ended and scored as it stood then.", async () => {
  await using server = await startModelServer();
  const bench = makeBench();
  const [episode] = await loadEpisodes(["not-enough-evidence"]);
  if (episode === undefined) throw new Error("The episode is not there.");
  server.script("exec", [call("write", ANSWER), stall()]);

  const result = await runOnce({
    episode,
    arm: { name: "alone", kind: "alone" },
    run: 1,
    executor: { name: "local/exec", thinking: "off" },
    advisor: { name: "local/adv", thinking: "off" },
    source: { kind: "scripted", url: server.url },
    asking: "free",
    limitMs: 4000,
    npmHome: undefined,
    out: bench.out,
    signal: new AbortController().signal,
  });

  expect(result).toMatchObject({ kind: "scored", ended: "timeout", score: { hasRecovered: true } });
  expect(server.requests("exec")[0]?.raw).not.toContain("Consult it once");
  await server.requests("exec")[1]?.done;
});
