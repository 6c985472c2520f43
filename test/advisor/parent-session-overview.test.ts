// The overview is where an investigation starts: what the user wrote, what led here, and counts that leave nothing out.

import { expect, test } from "vitest";
import { openParentSession } from "../support/ask-parent.ts";
import { buildSession } from "../support/session-builder.ts";

test("The overview gives what the user wrote, what led here, counts that add up and what is withheld.", async () => {
  const session = buildSession();
  const { manager } = session;
  manager.appendModelChange("local", "exec");
  session.system("You are the executor.");
  const first = session.user("Fix the login.\n\nDo not touch the database.");
  session.operate("read", { path: "src/login.ts" }, "code");
  const failure = session.operate("bash", { command: "npm test" }, "1 failed", { isError: true });
  const kept = session.say("I will change the hash.");
  const compaction = manager.appendCompaction("## Goal: fix the login. Ruled out: the hash.", kept, 1000);
  session.shell("cat token", "hush", { isPrivate: true });
  manager.appendCustomMessageEntry("todo", "body", true);
  const second = session.user("Go on.");
  session.call([{ tool: "edit", args: { path: "src/login.ts" }, id: "edit-1" }], "Editing.");
  session.result("edit-1", "edit", "done");
  const again = session.operate("bash", { command: "npm test" }, "1 failed", { isError: true });
  const { ask } = openParentSession(manager, { triggers: [failure.callId, again.callId] });

  const overview = await ask({ action: "overview" });

  const lines = overview.split("\n");
  expect(lines[0]).toContain(
    `Parent session ${manager.getSessionId()}, pinned at entry ${again.result} of 20`,
  );
  expect(lines[0]).toContain("folder /srv/shop");
  const told = sectionOf(overview, "What the user wrote");
  expect(told).toHaveLength(2);
  expect(told[0]).toMatch(
    new RegExp(`^\\[${first}\\] 20.*\\(lost\\) Fix the login\\. Do not touch the database\\.$`),
  );
  expect(told[1]).toMatch(new RegExp(`^\\[${second}\\] .*Go on\\.$`));
  expect(told[1]).not.toContain("lost");
  expect(sectionOf(overview, "Summaries")).toEqual([
    expect.stringMatching(new RegExp(`^\\[${compaction}\\] .*in force, 44B: ## Goal: fix the login`)),
  ]);
  const led = sectionOf(overview, "What led to this consultation");
  expect(led[0]).toMatch(
    new RegExp(
      `^${failure.callId} = \\[${failure.call}→${failure.result}\\] .*bash error: npm test ⇒ 1 failed$`,
    ),
  );
  expect(led[1]).toContain(`${again.callId} = [${again.call}→${again.result}]`);
  // Between them: the words, the summary, the custom message, the user, the words of the edit, the edit.
  expect(led[2]).toBe("Between them: 6 lines.");
  expect(lines[1]).toBe(
    "16 entries on the branch = 8 in context (the executor's model has them) + 6 lost (compaction took them from it) + 2 withheld; 1 are bookkeeping, which no model sees.",
  );
  expect(sectionOf(overview, "Counts")).toEqual([
    "Entries, in context+lost: 8+6 = user 1+1, assistant 3+2, result 2+2, compaction 1+0, custom_message 1+0, bookkeeping 0+1.",
    "Lines of the list (call and result joined; no bookkeeping, no assistant message without text): 7+3 = user 1+1, assistant 2+0, operation 2+2, compaction 1+0, custom_message 1+0.",
    "Operations by tool: read 1, bash 2 (2 error), edit 1.",
    "Withheld entries: 1 system message, 1 private shell run. Withheld inside others: 1 body of a custom message, thinking, tool details, data of custom entries. What is off this branch is not counted.",
    expect.stringContaining("no verdict"),
  ]);
});

test("The lines of the overview's counts are the lines that the list has.", async () => {
  const session = buildSession();
  session.user("one");
  session.call([{ tool: "bash" }, { tool: "bash" }]);
  const kept = session.say("two");
  session.manager.appendCompaction("summary", kept, 1);
  session.manager.appendModelChange("local", "exec");
  session.operate("read", { path: "a" }, "text");
  const { ask } = openParentSession(session.manager);

  const overview = await ask({ action: "overview" });
  const [context, lost] = [await ask({ action: "list" }), await ask({ action: "list", view: "lost" })];

  expect(overview).toContain("no assistant message without text): 3+3 =");
  expect(overview).toContain("bash 2 (2 without a result)");
  expect(context).toMatch(/^Lines 1-3 of 3,/);
  expect(lost).toMatch(/^Lines 1-3 of 3,/);
});

test("An empty session has an overview too.", async () => {
  const { ask } = openParentSession(buildSession().manager, { triggers: ["gone"] });

  const overview = await ask({ action: "overview" });

  expect(overview).toContain("pinned at entry none (empty session)");
  expect(overview).toContain("0 entries on the branch = 0 in context");
  expect(sectionOf(overview, "What led to this consultation")).toEqual(["gone: not on the pinned branch"]);
});

test("Earlier consultations are named, and advice to the user is there as metadata only.", async () => {
  const session = buildSession();
  const asked = session.operate("angel", { question: "Is it the cache?" }, "No, it is the clock.");
  const advice = session.manager.appendCustomMessageEntry("angel-advice", "SECRET", true);
  const own = session.call([{ tool: "angel", args: { question: "And now?" }, id: "own" }]);
  const { ask } = openParentSession(session.manager, { triggers: ["own"] });

  const overview = await ask({ action: "overview" });

  expect(sectionOf(overview, "Earlier consultations")).toEqual([
    expect.stringMatching(
      new RegExp(
        `^\\[${asked.call}→${asked.result}\\] .*angel: Is it the cache\\? ⇒ No, it is the clock\\.$`,
      ),
    ),
    expect.stringMatching(new RegExp(`^\\[${advice}\\] .*custom message of angel-advice, body withheld$`)),
  ]);
  expect(sectionOf(overview, "What led to this consultation")).toEqual([
    expect.stringMatching(new RegExp(`^own = \\[${own}\\] .*angel, no result at the pin: And now\\?$`)),
  ]);
  expect(overview).not.toContain("SECRET");
});

test("The overview stays a page however much there is, and says what it leaves out.", {
  timeout: 60_000,
}, async () => {
  const overview = await overviewOfMuch("x");

  expect(Buffer.byteLength(overview)).toBeLessThan(30 * 1024);
  expect(sectionOf(overview, "What the user wrote")).toContain(
    '[1400 more here: list with kinds ["user"], view "branch".]',
  );
  expect(overview).toContain("[80 older ones: list with kinds");
  expect(overview).toContain('[1490 older ones; list with view "branch" has them.]');
  expect(overview).toContain("and 1490 more calls");
  expect(overview).toMatch(/, and 1471 further tools\./);
});

test("An overview whose characters take many bytes ends where Pi cuts tool output, and says so.", async () => {
  const overview = await overviewOfMuch("🙂");

  expect(Buffer.byteLength(overview)).toBeLessThan(51 * 1024);
  expect(overview.split("\n").at(-1)).toBe("[The page is full; list and files have the rest.]");
});

async function overviewOfMuch(filler: string): Promise<string> {
  const session = buildSession();
  for (let n = 0; n < 1500; n += 1) {
    session.user(`wish ${n} ${filler.repeat(400)}`);
    session.operate("angel", { question: `question ${n} ${filler.repeat(400)}` }, `${filler.repeat(400)} `);
    session.operate(`tool_${n}_${filler.repeat(500)}`, {}, "");
    if (n % 15 === 0) session.manager.appendCompaction(`summary ${n} ${filler.repeat(9000)}`, null, 1);
  }
  const triggers = Array.from({ length: 1500 }, (_, n) => `call_${2 * n + 2}`);
  return openParentSession(session.manager, { triggers }).ask({ action: "overview" });
}

/** The lines under a heading that begins so. */
function sectionOf(overview: string, title: string): string[] {
  const section = overview.split("\n\n").find((part) => part.startsWith(title));
  return section?.split("\n").slice(1) ?? [];
}
