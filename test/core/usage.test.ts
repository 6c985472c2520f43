/** Adding up a session, whoever spent what in it. */

import type { AssistantMessage, Usage } from "@mariozechner/pi-ai";
import { fauxAssistantMessage } from "@mariozechner/pi-ai";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { tallyUsage } from "../../src/core/usage.ts";

const NO_USAGE = tokens(0, 0);
const priced = () => true;

describe("by model", () => {
  test("Every model is charged with its own part, caches and long cache writes included.", () => {
    const session = startTally();
    session.answers("one", { ...tokens(10, 1), cacheRead: 5, cacheWrite: 4, cacheWrite1h: 2, reasoning: 1 });
    session.answers("two", tokens(200, 20));
    session.answers("one", { ...tokens(30, 3), cacheRead: 7 });

    const { byModel } = session.tally();

    expect(byModel).toMatchObject([
      {
        provider: "p",
        model: "one",
        usage: { input: 40, output: 4, cacheRead: 12, cacheWrite: 4, cacheWrite1h: 2, reasoning: 1 },
      },
      { provider: "p", model: "two", usage: { input: 200, output: 20 } },
    ]);
  });

  test("What a tool reports of nested model work belongs to the model that called it.", () => {
    const session = startTally();
    session.answers("one", tokens(10, 1));
    session.toolReports(tokens(100, 10));

    expect(session.tally().byModel).toMatchObject([{ model: "one", usage: { input: 110, output: 11 } }]);
  });

  test("Summaries and entries of usage are part of the sum.", () => {
    const session = startTally();
    session.answers("one", tokens(10, 1));
    session.manager.appendCompaction("short", "none", 9000, undefined, false, tokens(300, 30));
    session.manager.appendUsage("cache_warm", "p", "two", tokens(5, 0));
    session.answers("one", tokens(20, 2));

    expect(session.tally().byModel).toMatchObject([
      { model: "one", usage: { input: 330, output: 33 } },
      { model: "two", usage: { input: 5 } },
    ]);
  });
});

describe("what is not known", () => {
  test("A session in which nothing was asked has spent nothing, and that is known.", () => {
    const nothing = tallyUsage([], priced);

    expect(nothing.byModel).toEqual([]);
    expect(nothing.report).toMatchObject({ state: "known", totalTokens: 0, cost: 0 });
  });

  test("A request that was refused consumed nothing.", () => {
    const session = startTally();
    session.asks();
    session.answers("one", NO_USAGE, { content: [], stopReason: "error", errorMessage: "401" });

    expect(session.tally().report).toMatchObject({ state: "known", totalTokens: 0 });
  });

  test.each<[string, Partial<AssistantMessage>]>([
    ["that was answered without a report", {}],
    ["that broke off after some words", { stopReason: "error" }],
    ["that broke off after its answer had begun", { stopReason: "error", content: [], responseId: "r" }],
    ["that was stopped before it was answered", { stopReason: "aborted", content: [] }],
  ])("A request %s leaves a hole.", (_, answer) => {
    const alone = startTally();
    alone.answers("one", NO_USAGE, answer);
    const beside = startTally();
    beside.answers("one", tokens(10, 1));
    beside.answers("one", NO_USAGE, answer);

    expect(alone.tally().report).toEqual({ state: "unavailable" });
    expect(alone.tally().byModel).toEqual([]);
    expect(beside.tally().report).toMatchObject({ state: "partial", totalTokens: 11 });
  });

  test("A request whose answer was never recorded leaves a hole.", () => {
    const session = startTally();
    session.asks();

    expect(session.tally().report).toEqual({ state: "unavailable" });
  });

  test("An answer that was stopped may have cost more than it had reported by then.", () => {
    const session = startTally();
    session.answers("one", tokens(1000, 1), { stopReason: "aborted" });

    expect(session.tally().report).toMatchObject({ state: "partial", totalTokens: 1001 });
  });

  test.each<[string, unknown]>([
    ["half a report", { input: 5 }],
    ["no numbers", { ...tokens(1, 1), input: "many" }],
    ["no finite numbers", { ...tokens(1, 1), totalTokens: Number.NaN }],
    ["no costs", { ...tokens(1, 1), cost: undefined }],
  ])("A tool that reports %s leaves a hole and breaks nothing.", (_, usage) => {
    const session = startTally();
    session.answers("one", tokens(10, 1));
    session.toolReports(usage as Usage);
    session.answers("one", tokens(10, 1));

    expect(session.tally().report).toMatchObject({ state: "partial", totalTokens: 22 });
  });
});

describe("the cost", () => {
  test("One model without a price makes the cost of the sum unavailable.", () => {
    const session = startTally();
    session.answers("one", tokens(10, 1, 0.5));
    session.answers("free", tokens(10, 1));

    const { report } = session.tally((_, model) => model !== "free");

    expect(report).toMatchObject({ state: "known", totalTokens: 22 });
    expect(report).not.toHaveProperty("cost");
  });

  test("What a provider billed is known although no price is listed, and a sum is billed when all of it is.", () => {
    const session = startTally();
    const billed = (total: number): Usage => ({
      ...tokens(10, 1),
      cost: { ...tokens(0, 0).cost, total, totalFromProvider: true },
    });
    session.answers("router", billed(0));
    session.answers("router", billed(0.25));

    const { byModel, report } = session.tally(() => false);

    expect(report).toMatchObject({ state: "known", cost: 0.25 });
    expect(byModel[0]?.usage.cost).toMatchObject({ total: 0.25, totalFromProvider: true });
  });
});

/** A session in memory, written the way Pi writes one. */
function startTally() {
  const manager = SessionManager.inMemory("/project");
  return {
    manager,
    asks: () => manager.appendMessage({ role: "user", content: "Why?", timestamp: 0 }),
    answers(model: string, usage: Usage, more: Partial<AssistantMessage> = {}) {
      manager.appendMessage({ ...fauxAssistantMessage("Because."), provider: "p", model, usage, ...more });
    },
    toolReports(usage: Usage) {
      const content = [{ type: "text" as const, text: "ok" }];
      manager.appendMessage({
        role: "toolResult",
        toolCallId: "call",
        toolName: "web",
        content,
        isError: false,
        usage,
        timestamp: 0,
      });
    },
    tally: (hasPrice: (provider: string, model: string) => boolean = priced) =>
      tallyUsage(manager.getEntries(), hasPrice),
  };
}

function tokens(input: number, output: number, total = 0): Usage {
  return {
    input,
    output,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: input + output,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total },
  };
}
