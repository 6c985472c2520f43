/** Consultations that a companion asks for itself. */

import { expect, test } from "vitest";
import type { CompanionRequest, SettledConsultation } from "../../src/core/seam.ts";
import type { Mounted } from "../support/companion.ts";
import { mountCompanion, switchedOn } from "../support/companion.ts";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { textOf } from "../support/pi-event.ts";
import { adviceMessages, reports, requestTexts } from "../support/stall.ts";
import * as step from "../support/steps.ts";

type Wish = Partial<Omit<CompanionRequest, "ctx">>;

interface Review {
  readonly pi: Consulting;
  readonly engine: Mounted["engine"];
  readonly ctx: Mounted["ctx"];
  consult(wish?: Wish): Promise<SettledConsultation>;
  [Symbol.asyncDispose](): Promise<void>;
}

async function startReview(): Promise<Review> {
  const { extension, engine, ctx } = mountCompanion({ name: "probe" });
  const pi = await startConsulting({
    settings: switchedOn(),
    factories: [extension],
    bindings: hangNoticeBoard().bindings,
  });
  return {
    pi,
    engine,
    ctx,
    consult: (wish = {}) =>
      engine().consult({
        origin: "review",
        question: "Is it done?",
        instructions: "# This consultation\n\nReview the work.",
        lane: "now",
        deliver: "return",
        ...wish,
        ctx: ctx(),
      }),
    [Symbol.asyncDispose]: () => pi.dispose(),
  };
}

test("A companion asks with an origin and words of its own, and gets the outcome back.", async () => {
  await using review = await startReview();
  const { pi } = review;
  pi.server.script("adv", [step.say("It is done.")]);

  const { outcome, record } = await review.consult({ context: "Two files changed." });

  expect(outcome).toEqual({ kind: "advised", advice: "It is done." });
  expect(record).toMatchObject({ origin: "review", outcome: "advised", usage: { state: "known" } });
  const [system, assignment] = pi.server.requests("adv")[0]?.body.messages ?? [];
  expect(textOf(system)).toMatch(/^You are Angel[\s\S]*Review the work\./);
  expect(textOf(assignment)).toContain("Origin: review");
  expect(textOf(assignment)).toContain("Two files changed.");
  expect(adviceMessages(pi.sessionManager)).toEqual([]);
  // The parent is charged and written last, so that it is the one that `pi -c` opens.
  expect(pi.sessionManager.getEntries().at(-1)).toMatchObject({ type: "usage", kind: "angel" });
});

test("Advice that a companion has delivered is one message that names the companion and starts no turn.", async () => {
  await using review = await startReview();
  const { pi } = review;
  pi.server.script("adv", [step.say("It is done.")]);

  await review.consult({ deliver: "advice" });

  expect(adviceMessages(pi.sessionManager)).toMatchObject([
    {
      content: [
        {
          text: expect.stringMatching(/was asked by the companion "review" of this session:\n\nIs it done\?/),
        },
        { text: "It is done." },
      ],
      details: { origin: "review" },
    },
  ]);
  expect(pi.faux.exec.requests).toEqual([]);
  pi.faux.exec.script([fauxSay("Thanks.")]);
  await pi.session.prompt("go on");
  expect(requestTexts(pi.faux.exec, 0).join("\n")).toContain("It is done.");
});

test("A companion's consultation that fails is a report where advice was to be delivered.", async () => {
  await using review = await startReview();
  const { pi } = review;
  pi.server.script("adv", [step.limit("cut")]);

  const { outcome } = await review.consult({ deliver: "advice" });

  expect(outcome.kind).toBe("failed");
  expect(reports(pi.sessionManager)).toMatchObject([{ record: { origin: "review", outcome: "failed" } }]);
});

test("A background consultation gives way to whatever else is asked, with that reason.", async () => {
  await using review = await startReview();
  const { pi } = review;
  pi.server.script("adv", [step.stall(), step.say("Because.")]);

  const background = review.consult({ lane: "background" });
  await pi.server.nextRequest("adv");
  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe("Because.");
  expect((await background).outcome).toEqual({
    kind: "cancelled",
    reason: "it ran in the background and gave way to another consultation.",
  });
});

test("A companion cancels a consultation by its id, with its reason, and what was used is recorded.", async () => {
  await using review = await startReview();
  const { pi, engine } = review;
  pi.server.script("adv", [step.call("ls", {}).usage({ in: 100, out: 10 }), step.stall()]);

  const asking = pi.ask("Why?");
  await pi.server.nextRequest("adv", 2);
  const { running = "" } = await engine().status(review.ctx());
  const wasThere = [engine().cancel(running, "the budget is spent."), engine().cancel("nobody", "x")];
  const result = await asking;

  expect(wasThere).toEqual([true, false]);
  expect(textOf(result)).toBe("The consultation was cancelled: the budget is spent.");
  expect(result.details).toMatchObject({ reason: "the budget is spent.", usage: { input: 100 } });
});

test("A consultation of a companion ends with its own signal and with its session.", async () => {
  await using review = await startReview();
  const { pi } = review;
  pi.server.script("adv", [step.stall(), step.stall()]);
  const stop = new AbortController();

  const first = review.consult({ signal: stop.signal });
  await pi.server.nextRequest("adv", 1);
  stop.abort();
  const stopped = await first;
  const second = review.consult({ deliver: "advice" });
  await pi.server.nextRequest("adv", 2);
  await pi.runtime.newSession();
  const closed = await second;

  expect(stopped.outcome.kind).toBe("cancelled");
  expect(closed.outcome).toEqual({ kind: "cancelled", reason: "the session was closed." });
  expect(reports(pi.sessionManager)).toMatchObject([{ record: { origin: "review", outcome: "cancelled" } }]);
});

test.each<[string, Wish, string]>([
  ["an origin of Angel's own", { origin: "human" }, '"human" is an origin of Angel\'s own'],
  ["an origin of several words", { origin: "a review" }, "is one word in small letters"],
  ["no question", { question: " ?" }, "needs a question in words"],
  ["no instructions", { instructions: "" }, "needs instructions"],
  ["an unknown lane", { lane: "fast" as "now" }, 'is "now" or "background"'],
  ["an unknown way home", { deliver: "later" as "advice" }, 'is "return" or "advice"'],
])("a companion that asks with %s is told so, and nobody is asked", async (_name, wish, words) => {
  await using review = await startReview();

  const { outcome, record } = await review.consult(wish);

  expect(outcome).toEqual({ kind: "failed", reason: expect.stringContaining(words) });
  expect(record).toMatchObject({ outcome: "failed", usage: { totalTokens: 0 } });
  expect(review.pi.home.children()).toEqual([]);
});

test("While Angel is off a companion's consultation fails, unless the user asked for it just now.", async () => {
  await using review = await startReview();
  const { pi } = review;
  await pi.session.prompt("/angel off");
  pi.server.script("adv", [step.say("It is done.")]);

  const byItself = await review.consult();
  const byUser = await review.consult({ isAskedByUser: true });

  expect(byItself.outcome).toEqual({
    kind: "failed",
    reason: "Angel is off in this session, so nothing starts by itself.",
  });
  expect(byUser.outcome.kind).toBe("advised");
});
