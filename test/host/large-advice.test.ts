/** Advice of a megabyte, and an advisor that reads far more than its model can hold at once. */

import { expect, test } from "vitest";
import { ANGEL_TOOL } from "../../src/core/tool-name.ts";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import type { Origin } from "../support/origins.ts";
import { textOf } from "../support/pi-event.ts";
import { inSmallWindow, isForSummary, SMALL, SMALL_WINDOW, tokensOf } from "../support/small-advisor.ts";
import * as step from "../support/steps.ts";

const MEGABYTE = 2 ** 20;

const ADVICE = `# Advice\n\n${"- One more line, naïve, 表, 👩‍👩‍👧.\n".repeat(40_000)}The end of the advice.`;

async function consult(origin: Origin, pi: Consulting): Promise<void> {
  if (origin === "human") return pi.session.prompt("/angel Is it so?");
  const asking =
    origin === "executor"
      ? [fauxCall(ANGEL_TOOL, { question: "Is it so?" })]
      : [fauxCall("flaky", { n: 1 }), fauxCall("flaky", { n: 1 })];
  pi.faux.exec.script([...asking, fauxSay("Noted.")]);
  return pi.session.prompt("go on");
}

test("Advice of a megabyte is passed on whole and once, whoever asked.", {
  timeout: 60_000,
}, async () => {
  expect(Buffer.byteLength(ADVICE)).toBeGreaterThan(MEGABYTE);
  for (const origin of ["executor", "human", "error"] as const) {
    await using pi = await startConsulting({
      factories: [flakyTool().extension],
      bindings: hangNoticeBoard().bindings,
    });
    const pieces = ADVICE.match(/[\s\S]{1,20000}/gu) ?? [];
    pi.server.script("adv", [step.drip(pieces, { pauseMs: 0 })]);

    await consult(origin, pi);

    expect(adviceIn(pi, origin).map((advice) => advice === ADVICE)).toEqual(
      origin === "executor" ? [true, true] : [true],
    );
    pi.faux.exec.script([fauxSay("Still here.")]);
    await pi.session.prompt("hello");
    const sent = pi.faux.exec.requests.at(-1) ?? [];
    expect(JSON.stringify(sent).split("The end of the advice.")).toHaveLength(2);
    expect(pi.surprises()).toEqual([]);
  }
});

test("An advisor that reads far more than its model holds compacts as often as it needs, still knows its question, and answers.", async () => {
  await using pi = await startConsulting({
    ...SMALL,
    project: { "log.txt": "a line of the log\n".repeat(20_000) },
  });
  const reads = Array.from({ length: 12 }, (_, n) =>
    step.call("read", { path: "log.txt", offset: 1 + n * 1000, limit: 1000 }),
  );
  const answer = () => reads.shift() ?? step.say("Look at the log.");
  pi.server.script("adv", Array(60).fill(inSmallWindow(answer)));

  const result = await pi.ask("What does the log say?");

  const requests = pi.server.requests("adv");
  const summaries = requests.filter(isForSummary);
  const input = requests.reduce((sum, request) => sum + tokensOf(request), 0);
  expect(textOf(result)).toBe("Look at the log.");
  expect(summaries.length).toBeGreaterThan(2);
  expect(Math.max(...requests.map(tokensOf))).toBeLessThanOrEqual(SMALL_WINDOW);
  expect(requests.filter((request) => !isForSummary(request)).every(knowsItsQuestion)).toBe(true);
  expect(result.details.usage).toMatchObject({ state: "known", input, output: 10 * requests.length });
  expect(pi.surprises().filter((words) => !words.includes("never taken"))).toEqual([]);
});

function knowsItsQuestion({ raw }: { readonly raw: string }): boolean {
  return raw.includes("What does the log say?");
}

/** The result and the card of a call, or the message. */
function adviceIn(pi: Consulting, origin: Origin): string[] {
  const cards = pi.custom("angel-advice-card").map(({ data }) => String(Reflect.get(Object(data), "advice")));
  const messages = pi.sessionManager
    .getBranch()
    .flatMap((entry) =>
      entry.type === "custom_message" ? [textOf({ content: blocksOf(entry).slice(1) })] : [],
    );
  return origin === "executor" ? [...pi.results().map(textOf), ...cards] : messages;
}

function blocksOf({ content }: { readonly content: unknown }): unknown[] {
  return Array.isArray(content) ? content : [];
}
