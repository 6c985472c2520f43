/** A search program that does not end when it is told to. */

import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterEach, expect, test, vi } from "vitest";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { holdSearches, isAlive } from "../support/held-search.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("A child whose tool does not stop is let go within a second, and writes nothing when the tool ends at last.", async () => {
  await using pi = await startConsulting();
  const folder = join(pi.home.root, "held");
  const search = holdSearches(folder, { isStubborn: true });
  vi.stubEnv("PATH", [folder, process.env.PATH].join(delimiter));
  pi.faux.exec.script([angelCall("Why?")]);
  pi.server.script("adv", [step.call("grep", { pattern: "needle" })]);

  const run = pi.session.prompt("go on");
  const processId = await search.running();
  const started = performance.now();
  await pi.session.abort();
  const elapsedMs = performance.now() - started;
  await run;
  const [child] = pi.home.children();
  const written = readFileSync(child?.path ?? "none", "utf8");
  process.kill(processId, "SIGKILL");
  await vi.waitFor(() => expect(isAlive(processId)).toBe(false));
  // What a child would still do follows the end of its tool in promises.
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));

  expect(elapsedMs).toBeLessThan(1000);
  expect(textOf(pi.results()[0])).toBe("The consultation was cancelled: the run was stopped.");
  expect(readFileSync(child?.path ?? "none", "utf8")).toBe(written);
  const recent = SessionManager.continueRecent(pi.home.project, dirname(pi.home.parent().path));
  expect(recent.getSessionFile()).toBe(pi.home.parent().path);
  expect(pi.server.requests("adv")).toHaveLength(1);
  expect(pi.surprises()).toEqual([]);
});
