// The output limit: half an answer is none, and half a call is no end.

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const CUT =
  "Angel gave no advice: the advisor's answer was cut at the model's output limit, so it is not passed on as advice.";

test("An answer cut at the output limit is a failure that says so.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [step.limit("Step 1: back up. Step 2: delete the")]);

  const result = await pi.ask("Why?");

  expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
  expect(textOf(result)).toBe(CUT);
  expect(JSON.stringify(pi.faux.exec.requests[1]?.at(-1))).toContain("cut at the model's output limit");
  expect(JSON.stringify(pi.home.parent())).not.toContain("Step 1");
  expect(JSON.stringify(pi.home.children())).toContain("Step 1");
  expect(pi.custom("angel-advice-card")).toEqual([]);
  expect(pi.surprises()).toEqual([]);
});

test("Thoughts that use up the output limit are a failure that says so, and get no nudge.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [step.think("Hm.", step.limit(""))]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe(CUT);
  expect(pi.server.requests("adv")).toHaveLength(1);
  expect(pi.surprises()).toEqual([]);
});

test("A tool call of the advisor that was cut at the output limit does not end the consultation.", async () => {
  await using pi = await startConsulting({ project: { "a.txt": "text" } });
  pi.server.script("adv", [
    step.limitCall("read", '{"path":"/tm'),
    step.call("read", { path: "a.txt" }),
    step.say("ok"),
  ]);

  const result = await pi.ask("Why?");

  const [, second, third] = pi.server.requests("adv");
  expect(result).toMatchObject({ isError: false, details: { outcome: "advised" } });
  expect(textOf(result)).toBe("ok");
  expect(textOf(second?.body.messages.at(-1))).toMatch(/truncated|limit/i);
  expect(textOf(third?.body.messages.at(-1))).toBe("text");
  expect(pi.surprises()).toEqual([]);
});

test("An advisor that only ever gets half a call out fails in the end, and not as advice.", async () => {
  await using pi = await startConsulting();
  const half = step.limitCall("read", '{"path":"/tm');
  pi.server.script("adv", [half, half, half, step.limit("So, the")]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe(CUT);
  expect(pi.surprises()).toEqual([]);
});
