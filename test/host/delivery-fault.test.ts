/** The session's file cannot be written for a moment, just when an answer comes home. */

import { mkdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { fauxAssistantMessage } from "@mariozechner/pi-ai";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import type { NoticeBoard } from "../support/notice-board.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { adviceMessages, reports, requestTexts } from "../support/stall.ts";

const ADVICE = fauxAssistantMessage("ADVICE-4c1");
const FAILURE = fauxAssistantMessage("", { stopReason: "error", errorMessage: "403 no such plan" });

interface Scene extends AsyncDisposable {
  readonly pi: InProcess;
  /** The advisor's next answer comes home to a session whose file cannot be written. */
  answerIntoFault(answer: typeof ADVICE): void;
  repair(): void;
  /** Whatever a user saw of it: Angel's notices and Pi's own words. */
  told(): string[];
}

async function startScene(): Promise<Scene> {
  const board: NoticeBoard = hangNoticeBoard();
  let putBack = () => {};
  const repair = () => {
    putBack();
    putBack = () => {};
  };
  // What Pi writes after Angel's part is none of Angel's business, so the file is there again.
  const repairer: InlineExtension = {
    name: "repairer",
    factory: (api) => {
      api.on("tool_result", repair);
      api.on("context", repair);
    },
  };
  const flaky = flakyTool();
  const pi = await startSession({ factories: [flaky.extension, repairer], bindings: board.bindings });
  pi.faux.exec.script([fauxSay("hello")]);
  await pi.session.prompt("hi");
  return {
    pi,
    repair,
    answerIntoFault: (answer) =>
      pi.faux.adv.script([
        () => {
          putBack = takeAway(pi.session.sessionFile ?? "none");
          return answer;
        },
      ]),
    told: () => [...board.notices, ...pi.extensionErrors.map(({ error }) => error)],
    [Symbol.asyncDispose]: pi.dispose,
  };
}

/** A folder in the file's place refuses every write, to root too. */
function takeAway(file: string): () => void {
  const bytes = readFileSync(file);
  unlinkSync(file);
  mkdirSync(file);
  return () => {
    rmdirSync(file);
    writeFileSync(file, bytes);
  };
}

/** What the executor is sent next, after one more consultation that works. */
async function consultAgain({ pi, repair }: Scene): Promise<string[]> {
  repair();
  pi.faux.exec.script([fauxCall("angel", { question: "And now?" }), fauxSay("end")]);
  pi.faux.adv.script([fauxSay("FRESH-ADVICE")]);
  await pi.session.prompt("again");
  const last = pi.faux.exec.requests.length - 1;
  return requestTexts(pi.faux.exec, last).filter((text) => /ADVICE|403/.test(text));
}

test("the executor gets its advice once although the card cannot be kept, and the user is told why", async () => {
  await using scene = await startScene();
  const { pi } = scene;
  pi.faux.exec.script([fauxCall("angel", { question: "Why?" }), fauxSay("end")]);
  scene.answerIntoFault(ADVICE);

  await pi.session.prompt("work");
  const sent = requestTexts(pi.faux.exec, 2);

  expect(sent.filter((text) => text.includes("ADVICE-4c1"))).toEqual(["ADVICE-4c1"]);
  expect(cards(pi)).toBe(0);
  expect(scene.told()).toEqual([
    expect.stringMatching(/^error: Angel's answer could not be put into the session: EISDIR/),
  ]);
  expect(await consultAgain(scene)).toEqual(["ADVICE-4c1", "FRESH-ADVICE"]);
  expect(cards(pi)).toBe(1);
});

test("advice for the user that the session cannot take is told, kept in the child, and never comes later", async () => {
  await using scene = await startScene();
  const { pi } = scene;
  scene.answerIntoFault(ADVICE);

  await pi.session.prompt("/angel Why?");

  expect(scene.told()[0]).toMatch(
    /^error: Angel's answer could not be put into the session: .* The advice is kept in \S+\.jsonl\.$/,
  );
  expect(await consultAgain(scene)).toEqual(["FRESH-ADVICE"]);
  expect(JSON.stringify(pi.home.children()[0])).toContain("ADVICE-4c1");
  expect(adviceMessages(pi.sessionManager)).toEqual([]);
});

test("advice of an automatic consultation that the session cannot take ends the run with the reason and never comes later", async () => {
  await using scene = await startScene();
  const { pi } = scene;
  pi.faux.exec.script([fauxCall("flaky", {}), fauxCall("flaky", {})]);
  scene.answerIntoFault(ADVICE);

  await expect(pi.session.prompt("work")).rejects.toThrow("EISDIR");

  expect(pi.faux.exec.requests).toHaveLength(3);
  expect(await consultAgain(scene)).toEqual(["FRESH-ADVICE"]);
  expect(JSON.stringify(pi.home.children()[0])).toContain("ADVICE-4c1");
  expect(adviceMessages(pi.sessionManager)).toEqual([]);
});

test("a failed question whose report cannot be kept is told all the same", async () => {
  await using scene = await startScene();
  const { pi } = scene;
  scene.answerIntoFault(FAILURE);

  await pi.session.prompt("/angel Why?");

  expect(scene.told()).toEqual([expect.stringMatching(/^error: Angel gave no advice: 403 .*EISDIR/s)]);
  expect(await consultAgain(scene)).toEqual(["FRESH-ADVICE"]);
  expect(reports(pi.sessionManager)).toEqual([]);
});

test("a failed automatic consultation whose report cannot be kept is told, and the run goes on without it", async () => {
  await using scene = await startScene();
  const { pi } = scene;
  pi.faux.exec.script([fauxCall("flaky", {}), fauxCall("flaky", {}), fauxSay("gave up by myself")]);
  scene.answerIntoFault(FAILURE);

  await pi.session.prompt("work");

  expect(pi.session.getLastAssistantText()).toBe("gave up by myself");
  expect(scene.told()).toEqual([expect.stringMatching(/^error: Angel gave no advice: 403 .*EISDIR/s)]);
  expect(await consultAgain(scene)).toEqual(["FRESH-ADVICE"]);
  expect(reports(pi.sessionManager)).toEqual([]);
});

test("the reason of a failed call reaches the executor although the session could not be charged", async () => {
  await using scene = await startScene();
  const { pi } = scene;
  pi.faux.exec.script([fauxCall("angel", { question: "Why?" }), fauxSay("end")]);
  scene.answerIntoFault(FAILURE);

  await pi.session.prompt("work");

  const reason = "Angel gave no advice: 403 no such plan.";
  expect(requestTexts(pi.faux.exec, 2)).toContain(reason);
  expect(scene.told()).toEqual([]);
  expect(await consultAgain(scene)).toEqual([reason, "FRESH-ADVICE"]);
});

function cards(pi: InProcess): number {
  return pi.sessionManager
    .getEntries()
    .filter((entry) => entry.type === "custom" && entry.customType === "angel-advice-card").length;
}
