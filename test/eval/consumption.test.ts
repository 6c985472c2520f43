import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { consumptionOf } from "../../scripts/eval/consumption.ts";
import { consultationRecord } from "../support/record.ts";
import { buildSession } from "../support/session-builder.ts";

const usage = (tokens: number) => ({
  input: tokens,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: tokens,
  cost: { input: 1, output: 0, cacheRead: 0, cacheWrite: 0, total: 1 },
});

function consumed(consultations: number, build: (session: ReturnType<typeof buildSession>) => void) {
  const manager = SessionManager.inMemory("/srv/shop");
  const session = buildSession(manager);
  session.user("go");
  build(session);
  const answered = session.entry(session.say("done"));
  if (answered.type === "message" && answered.message.role === "assistant")
    answered.message.usage = usage(100);
  const { executor, advisor } = consumptionOf(manager.getBranch(), consultations);
  return { executor: total(executor), advisor: total(advisor) };
}

function total(report: ReturnType<typeof consumptionOf>["executor"]) {
  return report.state === "unavailable" ? report.state : [report.state, report.totalTokens];
}

test("Executor and advisor are charged apart, by usage entries and by what tools report.", () => {
  const alone = consumed(0, () => {});
  const byEntry = consumed(1, ({ manager }) => manager.appendUsage("angel", "a", "b", usage(7), "child-1"));
  const byTool = consumed(1, (session) => {
    const { result } = session.operate("advisor", {}, "advice");
    const entry = session.entry(result);
    if (entry.type === "message" && entry.message.role === "toolResult") entry.message.usage = usage(9);
  });

  expect(alone).toEqual({ executor: ["known", 100], advisor: ["known", 0] });
  expect(byEntry).toEqual({ executor: ["known", 100], advisor: ["known", 7] });
  expect(byTool.advisor).toEqual(["known", 9]);
});

test("Usage that a package puts into the details of its result counts, and Angel's own record there does not.", () => {
  const record = JSON.parse(JSON.stringify(consultationRecord()));

  const foreign = consumed(1, (session) => {
    session.operate("advisor", {}, "advice", { details: { usage: usage(11), stopReason: "stop" } });
  });
  const odd = consumed(1, (session) => {
    session.operate("advisor", {}, "advice", { details: { usage: { totalTokens: 11, cost: 1 } } });
  });
  const own = consumed(1, (session) => {
    session.operate("angel", {}, "advice", { details: record });
    session.manager.appendUsage("angel", "a", "b", usage(7), record.childSessionId);
  });

  expect(foreign.advisor).toEqual(["known", 11]);
  expect(odd.advisor).toBe("unavailable");
  expect(own.advisor).toEqual(["known", 7]);
});

test("A consultation that left no account makes the advisor's sum partial or unknown, never zero.", () => {
  const twoModels = (manager: SessionManager) => {
    for (const model of ["b", "c"]) manager.appendUsage("angel", "a", model, usage(7), "child-1");
  };

  expect(consumed(1, () => {}).advisor).toBe("unavailable");
  expect(
    consumed(2, ({ manager }) => manager.appendUsage("angel", "a", "b", usage(7), "child-1")).advisor,
  ).toEqual(["partial", 7]);
  expect(consumed(1, ({ manager }) => twoModels(manager)).advisor).toEqual(["known", 14]);
  expect(consumed(2, ({ manager }) => twoModels(manager)).advisor).toEqual(["partial", 14]);
});
