/** Settings of the project beside the user's own. */

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import * as step from "../support/steps.ts";

const MODELS = { adv: {}, other: {} };
const GLOBAL = {
  model: "local/adv",
  thinking: "low",
  pairs: [{ executor: "*", advisor: "local/adv" }],
};

test("Project settings count only in a trusted project and replace global ones key by key.", async () => {
  const project = { pairs: [{ executor: "exec/*", advisor: "local/other" }] };

  expect(await advisorOf(project, true)).toEqual({ model: "local/other", requested: "low" });
  expect(await advisorOf({ thinking: "high" }, true)).toEqual({ model: "local/adv", requested: "high" });
  expect(await advisorOf({ pairs: [], model: "local/other" }, true)).toEqual({
    model: "local/other",
    requested: "low",
  });
  expect(await advisorOf(project, false)).toEqual({ model: "local/adv", requested: "low" });
});

test.each<[string, string, boolean, RegExp | undefined]>([
  [
    "a wrong value of a trusted project",
    '{ "angel": { "thinking": 7 } }',
    true,
    /"angel\.thinking" is 7; .* \(project settings\)\.$/,
  ],
  ["a wrong value of an untrusted project", '{ "angel": { "thinking": 7 } }', false, undefined],
  [
    "a broken file of a trusted project",
    '{ "angel": {}, }',
    true,
    /project settings file .*\.pi\/settings\.json cannot be read/,
  ],
  ["a broken file of an untrusted project", '{ "angel": {}, }', false, undefined],
])("%s: told only when it counts.", async (_, text, trusted, sentence) => {
  const board = hangNoticeBoard();
  await using pi = await startConsulting({
    settings: { angel: GLOBAL },
    project: { ".pi/settings.json": text },
    trusted,
    bindings: board.bindings,
  });

  pi.faux.exec.script([fauxSay("Hello.")]);
  await pi.session.prompt("hello");

  expect(pi.session.getActiveToolNames().includes("angel")).toBe(sentence === undefined);
  expect(board.notices).toEqual(sentence === undefined ? [] : [expect.stringMatching(sentence)]);
});

test("A wrong global value that a trusted project replaces is no mistake.", async () => {
  const board = hangNoticeBoard();
  await using pi = await startConsulting({
    settings: { angel: { model: 5 } },
    project: { ".pi/settings.json": '{ "angel": { "model": "local/adv" } }' },
    trusted: true,
    bindings: board.bindings,
  });
  pi.server.script("adv", [step.say("Because.")]);

  const { details } = await pi.ask("Why?");

  expect(details.model).toBe("local/adv");
  expect(board.notices).toEqual([]);
});

async function advisorOf(angel: object, trusted: boolean) {
  await using pi = await startConsulting({
    models: MODELS,
    settings: { angel: GLOBAL },
    project: { ".pi/settings.json": JSON.stringify({ angel }) },
    trusted,
  });
  for (const id of Object.keys(MODELS)) pi.server.script(id, [step.say("Because.")]);
  const { details } = await pi.ask("Why?");
  return { model: details.model, requested: details.thinking?.requested };
}
