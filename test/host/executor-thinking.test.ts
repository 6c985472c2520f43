// How hard the advisor thinks: as its own setting says, and as far as its model can.

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

const CLAMPED = [
  { asked: "max", map: undefined, effective: "high", sent: "high" },
  { asked: "max", map: { xhigh: "xhigh" }, effective: "xhigh", sent: "xhigh" },
  { asked: "max", map: { max: "ultra" }, effective: "max", sent: "ultra" },
  { asked: "high", map: { high: null }, effective: "medium", sent: "medium" },
];

test("The advisor thinks at the level asked for, whatever the executor's level is.", async () => {
  await using pi = await startConsulting({
    models: { boss: {} },
    settings: { defaultThinkingLevel: "minimal", angel: { model: "local/adv", thinking: "xhigh" } },
  });
  await useOverTheWire(pi, "boss");
  pi.session.setThinkingLevel("low");
  pi.server.script("boss", [step.call("angel", { question: "Why?" }), step.say("Noted.")]);
  pi.server.script("adv", [step.say("Do this.")]);

  await pi.session.prompt("go on");

  expect(pi.server.requests("boss").map(({ body }) => body.reasoning_effort)).toEqual(["low", "low"]);
  expect(pi.server.requests("adv").map(({ body }) => body.reasoning_effort)).toEqual(["xhigh"]);
  expect(pi.session.thinkingLevel).toBe("low");
  expect(pi.surprises()).toEqual([]);
});

test("Without a setting the advisor thinks at its highest level.", async () => {
  await using pi = await startConsulting({ settings: { angel: { model: "local/adv" } } });
  pi.server.script("adv", [step.say("Do this.")]);

  const { details } = await pi.ask("Why?");

  expect(pi.server.requests("adv")[0]?.body.reasoning_effort).toBe("max");
  expect(details.thinking).toEqual({ requested: "max", effective: "max" });
});

test("A thinking level that the model does not support is clamped, and record and child say both.", async () => {
  await using pi = await startConsulting({
    settings: { angel: { model: "local/adv" } },
    models: { adv: { thinkingLevelMap: { max: null } } },
  });
  pi.server.script("adv", [step.say("Do this.")]);

  const { details } = await pi.ask("Why?");

  const both = { requested: "max", effective: "high" };
  expect(pi.server.requests("adv")[0]?.body.reasoning_effort).toBe("high");
  expect(details.thinking).toEqual(both);
  expect(pi.custom("angel-advice-card")).toMatchObject([{ data: { record: { thinking: both } } }]);
  expect(pi.home.children()[0]?.entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ data: expect.objectContaining({ thinking: both }) }),
      expect.objectContaining({ type: "thinking_level_change", thinkingLevel: "high" }),
    ]),
  );
});

test.for(CLAMPED)("Asked for $asked, a model with the levels $map thinks at $effective", async (row) => {
  await using pi = await startConsulting({
    settings: { angel: { model: "local/adv", thinking: row.asked } },
    models: { adv: { thinkingLevelMap: row.map } },
  });
  pi.server.script("adv", [step.say("Do this.")]);

  const { details } = await pi.ask("Why?");

  expect(pi.server.requests("adv")[0]?.body.reasoning_effort).toBe(row.sent);
  expect(details.thinking).toEqual({ requested: row.asked, effective: row.effective });
});

test("A model that does not reason is sent no level, and the record says so.", async () => {
  await using pi = await startConsulting({ models: { adv: { reasoning: false } } });
  pi.server.script("adv", [step.say("Do this.")]);

  const { details } = await pi.ask("Why?");

  expect(pi.server.requests("adv")[0]?.raw).not.toContain("reasoning");
  expect(details.thinking).toEqual({ requested: "max", effective: "off" });
});

test("A provider that refuses the level fails the consultation with its reason, and the record names the level.", async () => {
  await using pi = await startConsulting();
  const body = { error: { message: "Unsupported effort: max", type: "invalid_request_error" } };
  pi.server.script("adv", [step.status(400, { body })]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toContain("Unsupported effort: max");
  expect(result).toMatchObject({ isError: true, details: { thinking: { effective: "max" } } });
});

async function useOverTheWire(pi: Awaited<ReturnType<typeof startConsulting>>, id: string): Promise<void> {
  const model = pi.session.modelRuntime.getModel("local", id);
  if (model === undefined) throw new Error(`No model local/${id}.`);
  await pi.session.setModel(model);
}
