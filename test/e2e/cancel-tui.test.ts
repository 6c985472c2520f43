/** Esc in a terminal while the executor waits for Angel. */

import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import * as step from "../support/steps.ts";
import { startTui } from "../support/tui.ts";
import { UNHANDLED, unhandledIn } from "../support/unhandled.ts";

test("Escape frees the executor in the terminal, and the next consultation works.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, project: UNHANDLED.files, extensions: [UNHANDLED.path] });
  const call = step.call("angel", { question: "Why is it red?" });
  server.script("exec", [call, call, step.say("Done as advised.")]);
  server.script("adv", [step.stall({ after: "Half a sent" }), step.say("Paint it green.")]);
  await using tui = await startTui(home);

  await tui.type("go on");
  await tui.press("Enter");
  await tui.until("writing");
  await tui.press("Escape");
  const request = await server.nextRequest("adv");
  await request.done;
  // Pi 1.5.0 says it in other words.
  await tui.until((lines) => /operation (was )?aborted/i.test(lines.join("\n")), "the end of the run");
  // What is entered before the run has ended would be queued for it.
  const stopped = await tui.until((lines) => !lines.some((line) => line.includes("Working")), "an idle Pi");
  await tui.type("once more");
  await tui.press("Enter");
  const advised = await tui.until("Done as advised.");

  expect(request.closedEarly).toBe(true);
  expect(stopped.join("\n")).toContain("cancelled: the run was stopped.");
  expect(stopped.join("\n")).not.toContain("Half a sent");
  expect(advised.join("\n")).toContain("Paint it green.");
  expect(tui.exitCode()).toBeUndefined();
  expect(unhandledIn(home)).toBe("");
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});
