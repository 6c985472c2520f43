/** A session that another Angel wrote in, newer or damaged, is worked with as any other. */

import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import type { Home } from "../support/home.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { textOf } from "../support/pi-event.ts";
import { consultationRecord } from "../support/record.ts";
import { buildSession } from "../support/session-builder.ts";
import * as step from "../support/steps.ts";

const VERSIONS: readonly unknown[] = [2, 99, "two", null, { deep: [1] }];
const MALFORMED: readonly unknown[] = [undefined, null, 5, "text", [], { version: 99 }, { record: 7 }];

test("Entries of a newer version and malformed ones neither change what Angel does nor what its advisor finds, nor break a page.", async () => {
  const board = hangNoticeBoard();
  await using pi = await startConsulting({ sessionManager: openOdd, bindings: board.bindings });
  const pages = [
    { action: "overview" },
    { action: "list", view: "branch" },
    { action: "list", view: "branch", kinds: ["bookkeeping"] },
    { action: "search", view: "branch", query: "FROM-LATER" },
    { action: "get", ids: ["call_1"] },
  ];
  pi.server.script("adv", [...pages.map((page) => step.call("parent_session", page)), step.say("Because.")]);

  const result = await pi.ask("Why?");
  await pi.session.prompt("/angel status");

  expect(textOf(result)).toBe("Because.");
  expect(result.details).toMatchObject({ version: 1, outcome: "advised" });
  const sent = pi.server.requests("adv").at(-1)?.raw ?? "";
  expect(sent).toContain("custom entry of angel-advice-card");
  expect(sent).toContain("custom entry of angel-report");
  expect(sent).toContain("custom message of angel-advice");
  expect(sent).toContain("ADVICE-FROM-LATER-RESULT");
  // Bodies of custom messages and data of custom entries stay withheld, whoever wrote them.
  expect(sent).not.toContain("ADVICE-FROM-LATER-MESSAGE");
  expect(sent).not.toContain("ADVICE-FROM-LATER-CARD");
  expect(board.notices).toEqual([expect.stringContaining("Angel is on in this session.")]);
  expect(board.notices[0]).toContain("Nothing runs.");
  expect(pi.surprises()).toEqual([]);
});

function openOdd({ project, sessionDir }: Home): SessionManager {
  const { manager, user, operate, say } = buildSession(SessionManager.create(project, sessionDir));
  user("work");
  operate("angel", { question: "FROM-LATER?" }, "ADVICE-FROM-LATER-RESULT", {
    details: { version: 99, consultationId: "01ID", outcome: "advised", usage: { state: "estimated" } },
  });
  for (const version of VERSIONS) {
    const record = { ...consultationRecord(), version };
    manager.appendCustomEntry("angel-consultation", { version, consultationId: 5, origin: [] });
    manager.appendCustomEntry("angel-advice-card", { advice: "ADVICE-FROM-LATER-CARD", record });
    manager.appendCustomEntry("angel-report", { sentence: "A report.", record });
    manager.appendCustomEntry("angel-tool", { version, isWithdrawn: "perhaps" });
    manager.appendCustomMessageEntry("angel-advice", "ADVICE-FROM-LATER-MESSAGE", true, record);
  }
  for (const data of MALFORMED)
    for (const type of [
      "angel-consultation",
      "angel-advice-card",
      "angel-report",
      "angel-tool",
      "angel-note",
    ])
      manager.appendCustomEntry(type, data);
  say("Done.");
  return manager;
}
