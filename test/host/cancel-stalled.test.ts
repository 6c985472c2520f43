/** An advisor whose provider keeps the connection and says no more. */

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const HALF = "Half a senten";

test("A stalled advisor is let go on abort, and its half sentence is nowhere in the parent.", async () => {
  await using pi = await startConsulting();
  const shown: string[] = [];
  pi.faux.exec.script([angelCall("Why?")]);
  pi.server.script("adv", [step.sayThenCall("Looking first.", "ls", {}), step.stall({ after: HALF })]);
  const isStalled = new Promise<void>((resolve) => {
    pi.session.subscribe((event) => {
      if (event.type !== "tool_execution_update") return;
      shown.push(JSON.stringify(event.partialResult));
      if (shown.at(-1)?.includes("writing · 1 tool")) resolve();
    });
  });

  const run = pi.session.prompt("go on");
  await isStalled;
  const started = performance.now();
  await pi.session.abort();
  const elapsedMs = performance.now() - started;
  await run;
  pi.faux.exec.script([fauxSay("Going on.")]);
  await pi.session.prompt("and now?");

  const [, stalled] = pi.server.requests("adv");
  const parent = readFileSync(pi.home.parent().path, "utf8");
  await stalled?.done;
  expect(elapsedMs).toBeLessThan(1000);
  expect(stalled?.closedEarly).toBe(true);
  expect(textOf(pi.results()[0])).toBe("The consultation was cancelled: the run was stopped.");
  expect(pi.session.getLastAssistantText()).toBe("Going on.");
  expect([parent, ...shown, JSON.stringify(pi.faux.exec.requests)].join()).not.toMatch(
    /Half a|Looking first/,
  );
  // The child keeps what it was told, so that a reader of its session can see how far it had come.
  expect(readFileSync(pi.home.children()[0]?.path ?? "none", "utf8")).toContain(HALF);
  expect(pi.surprises()).toEqual([]);
});
