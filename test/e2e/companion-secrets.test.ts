// The companion secrets in the real program, together with git.

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import { SAMPLES, secretOf } from "../support/secret-samples.ts";
import * as step from "../support/steps.ts";

const KEY = secretOf(SAMPLES.github ?? "");

test("With secrets and git no secret leaves by history, files or session, and status and record count what was held back.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", companions: { secrets: {}, git: {} } } },
    project: { "config.ts": `export const key = "${KEY}";\n`, ".env": `GITHUB_TOKEN=${KEY}\n` },
  });
  rmSync(join(home.project, ".git"), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=a@b", ...args], { cwd: home.project });
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", `use ${KEY}`);
  writeFileSync(join(home.project, "config.ts"), `export const key = "${KEY}"; // again\n`);
  server.script("exec", [step.call("angel", { question: `Is ${KEY} right?` }), step.say("Noted.")]);
  server.script("adv", [
    step.call("git_evidence", { action: "log" }),
    step.call("git_evidence", { action: "show" }),
    step.call("git_evidence", { action: "diff" }),
    step.call("git_evidence", { action: "show", paths: [".env"], whole: true }),
    step.call("read", { path: "config.ts" }),
    step.call("read", { path: ".env" }),
    step.call("parent_session", { action: "overview" }),
    step.say("Yes."),
  ]);
  await using pi = await startRpc(home);

  await pi.prompt("go on");
  await pi.prompt("/angel status");

  const sent = server
    .requests("adv")
    .map(({ raw }) => raw)
    .join("\n");
  expect(server.requests("adv")).toHaveLength(8);
  expect(sent).not.toContain(KEY.slice(0, 12));
  expect(sent).not.toContain(KEY.slice(-12));
  expect(sent).toContain("[Withheld: .env, which must not be read here.]");
  expect(sent).toContain("use <redacted:github-token>");
  expect(pi.notices().join("\n")).toMatch(
    /Companion secrets: 1 redacted \(1 github-token\), 1 path refused; patterns find known forms of secrets, not every secret\./,
  );
  expect([server.unexpected, server.violations]).toEqual([[], []]);
});

test("A pattern that is none makes Angel unusable with its name, and nothing is asked.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: {
      angel: { model: "local/adv", companions: { secrets: { patterns: [{ name: "mine", pattern: "(" }] } } },
    },
  });

  const run = await runPi(home, ["-p", "/angel why?"]);

  expect(run.code).toBe(1);
  expect(run.stderr).toContain(
    '"secrets" is switched on in angel.companions but is not running: the pattern "mine" cannot be used',
  );
  expect(server.requests("adv")).toEqual([]);
});
