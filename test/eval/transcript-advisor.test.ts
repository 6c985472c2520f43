// The advisor that stands in for the older Angel: what it is given, and what it leaves.

import { expect, test } from "vitest";
import transcriptAdvisor from "../../fixtures/extensions/transcript-advisor.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { startSession } from "../support/in-process.ts";
import { textOf } from "../support/pi-event.ts";

const SETTINGS = { transcriptAdvisor: { model: "adv/adv", thinking: "max" } };

function start(settings: object = SETTINGS) {
  return startSession({
    angel: false,
    settings: { ...settings },
    factories: [transcriptAdvisor],
    project: { "long.txt": `${"x".repeat(20_000)} the end` },
  });
}

test("The transcript-only advisor is given the whole transcript, no tools, and Angel's words on answering.", async () => {
  await using pi = await start();
  const thinking: unknown[] = [];
  pi.faux.exec.script([
    fauxCall("read", { path: "long.txt" }),
    fauxCall("advisor", { question: "Is it the end?" }),
    fauxSay("Thanks."),
  ]);
  pi.faux.adv.script([
    (_context, options) => {
      thinking.push(options && "reasoning" in options ? options.reasoning : undefined);
      return fauxSay("It is.");
    },
  ]);

  await pi.session.prompt("Look at long.txt.");

  const [request] = pi.faux.adv.requests;
  const sent = textOf(request?.findLast(({ role }) => role === "user"));
  expect(pi.faux.adv.requests).toHaveLength(1);
  expect(sent).toContain("[user] Look at long.txt.");
  expect(sent).toContain('[call of read] {"path":"long.txt"}');
  expect(sent).toContain(`${"x".repeat(20_000)} the end`);
  expect(sent.endsWith("# Question of the executor\n\nIs it the end?")).toBe(true);
  expect(thinking).toEqual(["max"]);
  const system = JSON.stringify(request?.filter(({ role }) => role === "system"));
  expect(system).toContain("# What you answer");
  expect(system).not.toContain("parent_session");
  expect(system).not.toContain("toolsAdded");
  expect(JSON.stringify(pi.faux.exec.requests[0])).toContain("toolsAdded");
  const result = pi.sessionManager
    .getBranch()
    .flatMap((entry) =>
      entry.type === "message" && entry.message.role === "toolResult" ? [entry.message] : [],
    )
    .at(-1);
  expect(textOf(result)).toBe("It is.");
  expect(result?.usage?.totalTokens).toBeGreaterThan(0);
});

test("An advisor that says nothing, or a model that is not there, is an error result of one sentence.", async () => {
  const lastResult = async (settings: object, script: boolean) => {
    await using pi = await start(settings);
    pi.faux.exec.script([fauxCall("advisor", { question: "Why?" }), fauxSay("Thanks.")]);
    if (script) pi.faux.adv.script([fauxSay(" ")]);
    await pi.session.prompt("Go.");
    return pi.faux.exec.requests[1]?.at(-1);
  };

  const blank = await lastResult(SETTINGS, true);
  const missing = await lastResult({ transcriptAdvisor: { model: "no/model" } }, false);

  expect(blank).toMatchObject({ isError: true });
  expect(textOf(blank)).toBe("The advisor gave no advice: stop.");
  expect(missing).toMatchObject({ isError: true });
  expect(textOf(missing)).toBe(
    'The setting transcriptAdvisor.model names "no/model", which Pi does not know.',
  );
});
