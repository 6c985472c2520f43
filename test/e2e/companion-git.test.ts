// The companion git in the real program: named in the settings, its tool is the advisor's and nobody else's.

import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { runPi } from "../support/print.ts";
import * as step from "../support/steps.ts";

const toolNames = (request: { body: { tools?: readonly { function: { name: string } }[] } } | undefined) =>
  request?.body.tools?.map((tool) => tool.function.name);

test("With git in angel.companions the advisor reads the project's history, and the executor has no tool more.", async () => {
  const server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", companions: { git: {} } } },
    project: { "clock.ts": "one\n" },
  });
  rmSync(join(home.project, ".git"), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b", ...args], { cwd: home.project });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "fix the zone");
  server.script("exec", [step.call("angel", { question: "Since when?" }), step.say("Noted.")]);
  server.script("adv", [step.call("git_evidence", { action: "log" }), step.say("Since today.")]);

  const run = await runPi(home, ["-p", "go on"]);
  const status = await runPi(home, ["-p", "/angel status"]);

  const [first, second] = server.requests("adv");
  expect(run).toMatchObject({ code: 0, stdout: "Noted.\n", stderr: "" });
  expect(toolNames(first)).toContain("git_evidence");
  expect(first?.raw).toContain("git_evidence: Read the project's git history");
  expect(JSON.stringify(second?.body.messages.at(-1))).toContain("fix the zone");
  expect(toolNames(server.requests("exec")[0])).not.toContain("git_evidence");
  expect(status.stdout).toContain("Companion git: the advisor can read the project's git history.");
  await server.close();
});

test("A setting that git does not have makes Angel unusable with that sentence.", async () => {
  const server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", companions: { git: { depth: 3 } } } },
  });

  const run = await runPi(home, ["-p", "/angel why?"]);

  expect(run.code).toBe(1);
  expect(run.stderr).toContain('angel.companions.git is {"depth":3}; it has no settings: write {} or false.');
  await server.close();
});
