// A Pi that is told to leave while an advisor works leaves, in the modes that nobody can type at too.

import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { spawnPi } from "../support/pi-process.ts";
import { writesResultsAtItsEnd } from "../support/pi-under-test.ts";
import { runPi } from "../support/print.ts";
import * as step from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const SIGNALS = [
  { mode: "print", args: ["-p", "go on"], signal: "SIGTERM", code: 143 },
  { mode: "print", args: ["-p", "go on"], signal: "SIGHUP", code: 129 },
  { mode: "json", args: ["--mode", "json", "go on"], signal: "SIGTERM", code: 143 },
] as const;

/** Far more than leaving takes, and far less than a run that is not let go. */
const LEAVING_MS = 10_000;

test.for(SIGNALS)(
  "In $mode mode $signal during a consultation ends Pi and the advisor's connection",
  async (row) => {
    await using server = await startModelServer();
    await using home = await makeHome({ server });
    server.script("exec", [step.call("angel", { question: "Why?" })]);
    server.script("adv", [step.stall({ after: "Half a sent" })]);

    const pi = spawnPi(home, row.args);
    pi.child.stdin.end();
    pi.child.stdout.resume();
    const asked = await server.nextRequest("adv");
    pi.child.kill(row.signal);
    const exit = await pi.exitWithin(LEAVING_MS);
    await asked.done;

    expect(exit).toEqual({ code: row.code, signal: null });
    expect(pi.stderr()).not.toMatch(/stale|extension/i);
    expect(asked.closedEarly).toBe(true);
    expect(server.requests("exec")).toHaveLength(1);
    expect(JSON.stringify(home.parent()).includes('"outcome":"cancelled"')).toBe(writesResultsAtItsEnd);
    expect(JSON.stringify(home.parent())).not.toContain("Half a sent");
  },
);

test("A terminal that is closed during a consultation ends Pi and the advisor's connection.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [step.call("angel", { question: "Why?" })]);
  server.script("adv", [step.stall({ after: "Half a sent" })]);
  await using tui = await startTui(home);

  await tui.type("go on");
  await tui.press("Enter");
  const asked = await server.nextRequest("adv");
  await tui.stop();
  await asked.done;
  server.script("exec", [step.say("Continued.")]);
  const again = await runPi(home, ["-c", "-p", "and on"]);

  // Pi hears of it twice, by its input and by a signal; it names the one that it heard first.
  expect([0, 129]).toContain(tui.exitCode());
  expect(asked.closedEarly).toBe(true);
  expect(JSON.stringify(home.parent())).not.toContain("Half a sent");
  // Pi that finds its terminal gone may leave at once; what it could not record must not stand in the way.
  expect(again.stdout).toBe("Continued.\n");
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});
