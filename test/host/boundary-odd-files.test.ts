/** Files and folders that make a file tool hang, choke or answer without end. */

import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Consulting } from "../support/consulting.ts";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

/** What Pi lets a tool answer at most: 50 KB, and the notes around it. */
const PAGE = 60_000;

test("A folder of 100,000 files, a file of 1 GB, binary data, loops of links and names with line breaks are answered within bounds.", {
  timeout: 120_000,
}, async () => {
  await using pi = await startConsulting({ project: { "a.txt": "a needle\n" } });
  const { project } = pi.home;
  mkdirSync(join(project, "many"));
  for (let i = 0; i < 100_000; i += 1) writeFileSync(join(project, "many", `f${i}`), "");
  writeFileSync(join(project, "huge"), "needle\n");
  truncateSync(join(project, "huge"), 2 ** 30);
  writeFileSync(join(project, "binary"), Buffer.from([0, 1, 2, 255, 254, 10, 0, 27, 91, 50, 74]));
  mkdirSync(join(project, "loop"));
  symlinkSync("..", join(project, "loop", "up"));
  symlinkSync("self", join(project, "self"));
  writeFileSync(join(project, "two\nlines"), "needle\n");

  const results = await callInChild(pi, [
    step.call("ls", { path: "many" }),
    step.call("find", { pattern: "f*", path: "many" }),
    step.call("grep", { pattern: "needle", path: "many" }),
    step.call("read", { path: "huge", limit: 5 }),
    step.call("read", { path: "binary" }),
    step.call("read", { path: "self" }),
    step.call("grep", { pattern: "needle", path: "loop/up/loop/up" }),
    step.call("read", { path: "two\nlines" }),
    step.call("read", { path: "many" }),
  ]);

  for (const result of results) expect(result.length).toBeLessThan(PAGE);
  expect(results[0]).toContain("f0");
  expect(results[6]).toContain("a needle");
  expect(results[7]).toBe("needle\n");
  expect(pi.results().at(-1)).toMatchObject({ isError: false, details: { outcome: "advised" } });
});

test("a search of everything ends with the cancellation", async () => {
  await using pi = await startConsulting();
  pi.server.script("adv", [step.call("grep", { pattern: "no-such-text-[0-9]{40}", path: "/" })]);
  pi.faux.exec.script([angelCall("Why?")]);
  const searching = Promise.withResolvers<void>();
  pi.session.subscribe((event) => {
    if (event.type === "tool_execution_update" && JSON.stringify(event).includes("searching for"))
      searching.resolve();
  });
  const run = pi.session.prompt("go on");
  await searching.promise;
  await pi.session.abort();
  await run;

  expect(pi.results().at(-1)).toMatchObject({ isError: true, details: { outcome: "cancelled" } });
  pi.server.script("adv", [step.say("ADVICE")]);
  expect(textOf(await pi.ask("Again?"))).toBe("ADVICE");
});

async function callInChild(pi: Consulting, calls: readonly step.Answer[]): Promise<string[]> {
  pi.server.script("adv", [...calls, step.say("Seen.")]);
  await pi.ask("Look at these?");
  const asked = pi.server.requests("adv").at(-1)?.body.messages ?? [];
  return asked.filter(({ role }) => role === "tool").map(textOf);
}
