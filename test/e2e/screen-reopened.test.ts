/** What a terminal shows of consultations that are over: after a reload, after a resume, and of damaged entries. */

import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { aboveEditor } from "../support/golden.ts";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { consultationRecord } from "../support/record.ts";
import { buildSession } from "../support/session-builder.ts";
import { call, say } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

test("Row, card and report look the same after a reload and after a resume.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [call("angel", { question: "Which of the two?" }), say("DONE")]);
  server.script("adv", [say("# The first\n\n- because"), say("**Yes.**"), say(""), say("")]);
  const size = { cols: 100, rows: 50 };
  const isReported = (lines: readonly string[]) => lines.join("\n").includes("failed:");

  const [live, reloaded] = await (async () => {
    await using pi = await startTui(home, size);
    await pi.type("work");
    await pi.press("Enter");
    await pi.until("DONE");
    await pi.type("/angel Is it so?");
    await pi.press("Enter");
    await pi.until("asked by you");
    await pi.type("/angel Is it?");
    await pi.press("Enter");
    const first = await pi.until(isReported, "the report");
    await pi.type("/reload");
    await pi.press("Enter");
    return [first, await pi.until("Reloaded")];
  })();
  await using again = await startTui(home, { ...size, args: ["-c"] });
  const resumed = await again.until(isReported, "the report");

  expect(aboveEditor(live, "angel")).toContain("The first");
  expect(withoutNotices(aboveEditor(reloaded, "angel"))).toBe(withoutNotices(aboveEditor(live, "angel")));
  expect(withoutNotices(aboveEditor(resumed, "angel"))).toBe(withoutNotices(aboveEditor(live, "angel")));
});

test("Entries of another version and damaged ones are drawn without harm, and the readable ones beside them too.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  const {
    manager,
    user,
    say: answer,
    operate,
  } = buildSession(SessionManager.create(home.project, home.sessionDir));
  const record = { ...consultationRecord() };
  user("work");
  operate("angel", { question: "FROM-BEFORE" }, "ADVICE", {
    details: { version: 0, wisdom: [1, { deep: 2 }] },
  });
  operate("angel", { question: 5 }, "ADVICE", { details: { ...record, usage: "much", thinking: 7 } });
  for (const data of [undefined, null, 7, "text", [], { advice: 5 }, { record: { ...record, version: 99 } }])
    manager.appendCustomEntry("angel-advice-card", data);
  manager.appendCustomEntry("angel-advice-card", {
    advice: "NEWER-ADVICE",
    record: { ...record, version: 99, origin: "review", more: {} },
  });
  for (const data of [
    undefined,
    { sentence: 5 },
    { sentence: "READABLE-REPORT", record: { outcome: "odd" } },
  ])
    manager.appendCustomEntry("angel-report", data);
  for (const content of ["one string", [], [{ type: "text", text: "only a preface" }]] as const)
    manager.appendCustomMessageEntry("angel-advice", content as never, true, { version: 0 });
  answer("DONE");

  await using pi = await startTui(home, {
    cols: 80,
    rows: 120,
    args: ["--session", manager.getSessionFile() ?? ""],
  });
  const screen = await pi.until("DONE");
  await pi.press("C-o");
  const expanded = await pi.until("Tool output: expanded");

  for (const lines of [screen, expanded]) {
    const text = lines.join("\n");
    expect(text).toContain("FROM-BEFORE");
    expect(text).toContain("NEWER-ADVICE");
    expect(text).toContain("READABLE-REPORT");
    // Only the row without a record says what its result says.
    expect(text.match(/\bADVICE/g)).toHaveLength(2);
    expect(text).not.toMatch(/renderer failed|undefined|\[object|NaN/);
  }
  // The card of version 99; of the others nothing is known that could have a version.
  expect(expanded.join(" ").replace(/\s+/g, " ")).toContain("written by another version of Angel");
  expect(
    screen.join("\n").match(/This entry holds no advice that can be read\./g)?.length,
  ).toBeGreaterThanOrEqual(7);
  expect(pi.exitCode()).toBeUndefined();
});

/** Pi's own notices stand only where they were made. */
function withoutNotices(screen: string): string {
  return screen
    .split("\n")
    .filter((line) => !/Reload|Tool output|Resumed/.test(line))
    .join("\n")
    .trimEnd();
}
