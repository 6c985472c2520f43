/** Failures inside a child, which are no failures of the executor. */

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

test("Angel is not in the child, and a failure there starts nothing.", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [
    step.call("angel", { question: "And you?" }),
    step.call("angel", { question: "And you?" }),
    step.call("bash", { command: "false" }),
    step.call("bash", { command: "false" }),
    step.call("read", { path: "missing.txt" }),
    step.call("read", { path: "missing.txt" }),
    step.say("Nobody else to ask."),
  ]);

  const result = await pi.ask("Why?");

  const requests = pi.server.requests("adv");
  const answers = requests
    .at(-1)
    ?.body.messages.filter(({ role }) => role === "tool")
    .map(textOf);
  expect(textOf(result)).toBe("Nobody else to ask.");
  expect(requests[0]?.body.tools?.map((tool) => tool.function.name)).not.toContain("angel");
  expect(answers).toEqual([
    "Tool angel not found",
    "Tool angel not found",
    "Tool bash not found",
    "Tool bash not found",
    expect.stringMatching(/no such file|not found/i),
    expect.stringMatching(/no such file|not found/i),
  ]);
  expect(pi.home.children()).toHaveLength(1);
  expect(requests).toHaveLength(7);
  expect(pi.custom("angel-report")).toEqual([]);
  expect(pi.surprises()).toEqual([]);
});
