/** What a cancelled consultation leaves on disk can be gone on with, by a provider that is strict about calls. */

import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { holdSearches } from "../support/held-search.ts";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { lastAssistant, textOf } from "../support/pi-event.ts";
import { runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("After an abort in the middle of a child's tool, parent and child can both be continued.", async () => {
  await using home = await makeHome({ server });
  const search = holdSearches(join(home.agentDir, "bin"));
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Parent goes on.")]);
  server.script("adv", [step.call("grep", { pattern: "needle" }), step.say("Child goes on.")]);
  await using pi = await startRpc(home);

  const run = pi.prompt("go on");
  await search.running();
  await pi.send({ type: "abort" });
  await run;
  await pi.stop();
  const [child] = home.children();
  const parentRun = await runPi(home, ["-p", "--session", home.parent().path, "and now?"]);
  const childRun = await runPi(home, ["-p", "--session", child?.path ?? "none", "what did you find?"]);

  expect(parentRun).toMatchObject({ code: 0, stdout: "Parent goes on.\n" });
  expect(childRun).toMatchObject({ code: 0, stdout: "Child goes on.\n" });
  const continued = server.requests("adv").at(-1)?.body.messages ?? [];
  const spoken = continued.map(({ role }) => role).filter((role) => !/system|developer/.test(role));
  expect(spoken).toEqual(["user", "assistant", "tool", "user"]);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("A new session during a consultation cancels it, and the session that was left can be gone on with.", async () => {
  await using home = await makeHome({ server });
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("New."), step.say("Back.")]);
  server.script("adv", [step.stall({ after: "Half a sent" })]);
  await using pi = await startRpc(home);

  void pi.prompt("the first task").catch(() => {});
  const asked = await server.nextRequest("adv");
  const left = home.parent().path;
  await pi.send({ type: "new_session" });
  await asked.done;
  await pi.prompt("another task");
  await pi.send({ type: "switch_session", sessionPath: left });
  const back = await pi.prompt("back to the first");

  expect(asked.closedEarly).toBe(true);
  expect(textOf(lastAssistant(back))).toBe("Back.");
  const [, other, again] = server.requests("exec");
  expect(other?.raw).not.toMatch(/Why\?|cancelled|first task/);
  expect(again?.raw).toMatch(/The consultation was cancelled/);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("After a kill in the middle of a consultation the parent can be gone on with, and so can the child.", async () => {
  await using home = await makeHome({ server });
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Parent goes on.")]);
  server.script("adv", [step.sayThenCall("Looking.", "ls", {}), step.stall(), step.say("Child goes on.")]);
  await using pi = await startRpc(home);

  void pi.prompt("the first task").catch(() => {});
  await server.nextRequest("adv", 2);
  await pi.kill("SIGKILL");
  const parentRun = await runPi(home, ["-p", "--session", home.parent().path, "and now?"]);
  const childRun = await runPi(home, ["-p", "--session", home.children()[0]?.path ?? "none", "and now?"]);

  expect(parentRun).toMatchObject({ code: 0, stdout: "Parent goes on.\n" });
  expect(childRun).toMatchObject({ code: 0, stdout: "Child goes on.\n" });
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});
