// Which of the advisor's words are advice: those of its last message, and all of those.

import { fauxAssistantMessage, fauxText, fauxThinking } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";
import { createWatch } from "../support/watch.ts";

const PROJECT = { "a.txt": "text" };

test("Only the last message is advice; text before a tool call never is.", async () => {
  await using pi = await startConsulting({ project: PROJECT });
  pi.server.script("adv", [
    step.sayThenCall("PRELIM-1", "read", { path: "a.txt" }),
    step.sayThenCall("PRELIM-2", "ls", { path: "." }),
    step.say("FINAL"),
  ]);

  const result = await pi.ask("Why?");

  expect(result.content).toEqual([{ type: "text", text: "FINAL" }]);
  expect(pi.custom("angel-advice-card")).toMatchObject([{ data: { advice: "FINAL" } }]);
  expect(JSON.stringify(pi.home.parent())).not.toContain("PRELIM");
  expect(JSON.stringify(pi.faux.exec.requests)).not.toContain("PRELIM");
  expect(JSON.stringify(pi.home.children()).match(/PRELIM-\d/g)).toEqual(["PRELIM-1", "PRELIM-2"]);
  expect(pi.surprises()).toEqual([]);
});

test.for([
  ["an empty answer", [step.empty(), step.empty()]],
  ["only thoughts", [step.think("PRELIM-3"), step.think("PRELIM-4")]],
  ["a failing provider", [step.status(400)]],
  ["a cut answer", [step.limit("PRELIM-5")]],
] as const)("Text before a tool call does not stand in for %s.", async ([, ending]) => {
  await using pi = await startConsulting({ project: PROJECT });
  pi.server.script("adv", [step.sayThenCall("PRELIM-1", "read", { path: "a.txt" }), ...ending]);

  const result = await pi.ask("Why?");

  expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
  expect(pi.custom("angel-advice-card")).toEqual([]);
  expect(JSON.stringify(pi.home.parent())).not.toContain("PRELIM");
  expect(pi.surprises()).toEqual([]);
});

test("All text blocks of the last message are advice, joined by a blank line, and its thoughts are not.", async () => {
  await using pi = await startConsulting({ settings: { angel: { model: "adv/adv" } } });
  const blocks = [fauxThinking("THOUGHT"), fauxText("First."), fauxThinking("THOUGHT"), fauxText("Then.")];
  pi.faux.adv.script([fauxAssistantMessage(blocks)]);

  const result = await pi.ask("Why?");

  expect(result.content).toEqual([{ type: "text", text: "First.\n\nThen." }]);
  expect(JSON.stringify(pi.home.parent())).not.toContain("THOUGHT");
  expect(JSON.stringify(pi.home.children()).match(/THOUGHT/g)).toHaveLength(2);
});

test("What the advisor says while it works is shown as what it does, and none of it is kept.", async () => {
  await using pi = await startConsulting({ project: PROJECT });
  const shown: string[] = [];
  const seen = createWatch();
  pi.session.subscribe((event) => {
    if (event.type !== "tool_execution_update") return;
    shown.push(textOf(event.partialResult));
    seen.changed();
  });
  const first = step.gate(step.sayThenCall("PRELIM-1", "read", { path: "a.txt" }), { after: 1 });
  const last = step.gate(step.say("FINAL WORD"), { after: 1 });
  pi.server.script("adv", [first, last]);
  const until = (words: string) =>
    seen.until(
      () => shown.includes(words) || undefined,
      () => words,
    );

  const asked = pi.ask("Why?");
  await until("writing");
  first.open();
  await until("writing · 1 tool");
  last.open();
  await asked;

  expect(shown.join()).not.toMatch(/PRELIM|FINAL/);
});
