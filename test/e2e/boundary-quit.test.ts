/** A file tool in the middle of something endless: a cancellation and Pi's end do not wait for it. */

import { linkSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import type { PiEvent } from "../support/pi-event.ts";
import { lastAssistant, ofType, textOf } from "../support/pi-event.ts";
import { readsInParts, writesResultsAtItsEnd } from "../support/pi-under-test.ts";
import { makePipes } from "../support/pipe.ts";
import { runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";

/** The contract gives a cancellation this long, and reading to the end of a terabyte takes hours. */
const LETTING_GO_MS = 1_000;

/** What the row says while the tool runs. */
const ENDLESS = [
  { tool: "read", call: step.call("read", { path: "endless" }), sight: /reading/ },
  { tool: "grep", call: step.call("grep", { pattern: "x{1,9}needle", path: "endless" }), sight: /searching/ },
] as const;

const POSSIBLE = ENDLESS.filter(({ tool }) => tool !== "read" || readsInParts);

test.for(POSSIBLE)("An abort lets go of a $tool that would take hours, and Pi goes on.", async (row) => {
  await using server = await startModelServer();
  await using home = await homeWithTerabyte(server);
  await using pi = await startRpc(home);
  server.script("exec", [step.call("angel", { question: "Why?" })]);
  server.script("adv", [row.call]);

  const run = pi.prompt("go on");
  await pi.waitFor((event) => shows(event, row.sight), `row that says ${row.sight}`);
  const started = performance.now();
  await pi.send({ type: "abort" });
  const [result, ...more] = ofType(await run, "tool_execution_end");
  const elapsedMs = performance.now() - started;
  server.script("exec", [step.say("Alive.")]);
  const after = await pi.prompt("still there?");
  const exit = await pi.stop();

  expect(more).toEqual([]);
  expect([result?.isError, textOf(result?.result)]).toEqual([
    true,
    "The consultation was cancelled: the run was stopped.",
  ]);
  expect(elapsedMs).toBeLessThan(LETTING_GO_MS);
  expect(textOf(lastAssistant(after))).toBe("Alive.");
  // The tool itself was stopped, and not only waited for no longer.
  expect(JSON.stringify(home.children().map(({ entries }) => entries))).toContain("Operation aborted");
  expect(exit).toEqual({ code: 0, signal: null });
  expect(server.requests("adv")).toHaveLength(1);
  expect([server.unexpected, server.violations, pi.junk]).toEqual([[], [], []]);
});

test.for(POSSIBLE)("SIGTERM ends Pi in the middle of a $tool that would take hours.", async (row) => {
  await using server = await startModelServer();
  await using home = await homeWithTerabyte(server);
  await using pi = await startRpc(home);
  server.script("exec", [step.call("angel", { question: "Why?" })]);
  server.script("adv", [row.call]);

  void pi.prompt("go on").catch(() => {}); // It ends with Pi.
  await pi.waitFor((event) => shows(event, row.sight), `row that says ${row.sight}`);
  const exit = await pi.kill("SIGTERM");

  expect(exit).toEqual({ code: 143, signal: null });
  expect(JSON.stringify(home.parent()).includes('"outcome":"cancelled"')).toBe(writesResultsAtItsEnd);
});

test("Pi leaves by itself after an advisor that asked for pipes, sessions and links to them.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, project: { "odd/a.txt": "a needle\n" } });
  server.script("exec", [step.say("SECRET-WORDS, remembered.")]);
  await runPi(home, ["-p", "remember SECRET-WORDS"]);
  makePipes(join(home.project, "odd", "pipe"));
  symlinkSync("pipe", join(home.project, "odd", "link"));
  linkSync(home.parent().path, join(home.project, "odd", "notes.md"));
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Done.")]);
  server.script("adv", [
    step.call("read", { path: "odd/pipe" }),
    step.call("grep", { pattern: "needle", path: "odd/link" }),
    step.call("read", { path: "odd/notes.md" }),
    step.call("grep", { pattern: "needle|SECRET-WORDS", path: "odd" }),
    step.say("Seen."),
  ]);

  const run = await runPi(home, ["-c", "-p", "go on"]);

  const asked = server.requests("adv").at(-1);
  const results = asked?.body.messages.filter(({ role }) => role === "tool").map(textOf) ?? [];
  expect([run.stdout, run.code, run.signal]).toEqual(["Done.\n", 0, null]);
  expect(results.slice(0, 3)).toEqual([
    expect.stringContaining("neither a regular file nor a folder"),
    expect.stringContaining("neither a regular file nor a folder"),
    expect.stringContaining("read the parent session through parent_session"),
  ]);
  expect(results[3]).toMatch(/^a\.txt:1: a needle\n[\s\S]*\n\[\d+ lines from session files left out; .*\]$/);
  expect(asked?.raw).not.toContain("remember SECRET-WORDS");
  expect(JSON.stringify(home.children()[0])).not.toContain("remembered.");
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

async function homeWithTerabyte(server: { readonly url: string }): Promise<Home> {
  const home = await makeHome({ server });
  const endless = join(home.project, "endless");
  writeFileSync(endless, "");
  truncateSync(endless, 2 ** 40);
  return home;
}

function shows(event: PiEvent, sight: RegExp): boolean {
  return event.type === "tool_execution_update" && sight.test(textOf(event.partialResult));
}
