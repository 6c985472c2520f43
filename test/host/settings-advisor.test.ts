/** Which advisor the settings bring to which executor, seen on the wire. */

import { expect, test } from "vitest";
import type { Consulting } from "../support/consulting.ts";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const MODELS = { adv: {}, other: {} };

test("The settings model, thinking and pairs choose the advisor, and the first matching pair wins.", async () => {
  const asked = {
    general: await advisorWith({ model: "local/adv", thinking: "low" }),
    "no level": await advisorWith({ model: "local/adv" }),
    "first pair": await advisorWith({
      model: "local/adv",
      thinking: "low",
      pairs: [
        { executor: "local/*", advisor: "off" },
        { executor: "EXEC/*", advisor: "local/other", thinking: "high" },
        { executor: "exec/exec", advisor: "local/adv" },
      ],
    }),
    "pair without a level": await advisorWith({
      model: "local/adv",
      thinking: "low",
      pairs: [{ executor: "*", advisor: "local/other" }],
    }),
  };

  expect(asked).toEqual({
    general: { model: "local/adv", requested: "low", effort: "low", wire: "adv" },
    "no level": { model: "local/adv", requested: "max", effort: "max", wire: "adv" },
    "first pair": { model: "local/other", requested: "high", effort: "high", wire: "other" },
    "pair without a level": { model: "local/other", requested: "low", effort: "low", wire: "other" },
  });
});

test("Without a model the executor's own advises, in a context of its own.", async () => {
  await using pi = await startConsulting({ settings: { angel: {} } });
  pi.faux.exec.script([angelCall("Why?"), fauxSay("Because."), fauxSay("Noted.")]);

  await pi.session.prompt("the words of the user");

  const [, asked] = pi.faux.exec.requests;
  expect(textOf(pi.results()[0])).toBe("Because.");
  expect(pi.results()[0]?.details).toMatchObject({ model: "exec/exec", thinking: { effective: "off" } });
  expect(JSON.stringify(asked)).toContain("# Your assignment");
  expect(JSON.stringify(asked)).not.toContain("the words of the user");
});

test("A pair that switches Angel off for an executor withdraws the tool without a word, until the executor changes.", async () => {
  const board = hangNoticeBoard();
  await using pi = await startConsulting({
    bindings: board.bindings,
    settings: { angel: { model: "local/adv", pairs: [{ executor: "exec/*", advisor: "off" }] } },
  });
  const other = pi.session.modelRuntime.getModel("local", "adv");
  if (other === undefined) throw new Error("There is no other model.");

  const off = await offered(pi);
  await pi.session.setModel(other);
  const on = pi.session.getActiveToolNames().includes("angel");
  await pi.session.setModel(pi.faux.exec.handle.getModel());
  const offAgain = await offered(pi);

  expect([off, on, offAgain]).toEqual([false, true, false]);
  expect(board.notices).toEqual([]);
});

async function advisorWith(angel: object) {
  await using pi = await startConsulting({ models: MODELS, settings: { angel } });
  for (const id of Object.keys(MODELS)) pi.server.script(id, [step.say("Because.")]);
  const { details } = await pi.ask("Why?");
  const requests = Object.keys(MODELS).flatMap((id) => pi.server.requests(id));
  expect(requests).toHaveLength(1);
  return {
    model: details.model,
    requested: details.thinking?.requested,
    effort: requests[0]?.body.reasoning_effort,
    wire: requests[0]?.model,
  };
}

async function offered(pi: Consulting): Promise<boolean> {
  pi.faux.exec.script([fauxSay("Hello.")]);
  await pi.session.prompt("hello");
  return pi.session.getActiveToolNames().includes("angel");
}
