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

for (const o of ["executor failed", "error advised"])
  test(`x ${o}`, async () => {
    await using scene = await startScene();
    const { pi } = scene;
    scene.answerIntoFault(o.includes("failed") ? FAILURE : ADVICE);
    pi.faux.exec.script(
      o.includes("failed")
        ? [fauxCall("angel", { question: "Why?" })]
        : [fauxCall("flaky", {}), fauxCall("flaky", {})],
    );
    // executor failed is repaired by tool_result: so it must work
    const r = await pi.session.prompt("work").then(
      () => "ok",
      (e: unknown) => String(e),
    );
    console.log(o, r, scene.told());
    scene.repair();
    pi.faux.exec.script([fauxCall("angel", { question: "And now?" }), fauxSay("end")]);
    pi.faux.adv.script([fauxSay("FRESH")]);
    await pi.session.prompt("again");
    console.log(
      requestTexts(pi.faux.exec, pi.faux.exec.requests.length - 1).slice(1),
      JSON.stringify(pi.faux.exec.requests.at(-1)?.slice(1)).slice(0, 3000),
    );
    console.log(adviceMessages(pi.sessionManager).length, reports(pi.sessionManager).length);
  });
