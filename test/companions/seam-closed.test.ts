/** A companion that is switched on and does not run makes Angel unusable: it may be there to hold something back. */

import { expect, test } from "vitest";
import type { Companion } from "../../src/core/seam.ts";
import { mountCompanion, switchedOn } from "../support/companion.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { textOf } from "../support/pi-event.ts";
import { reports } from "../support/stall.ts";
import * as step from "../support/steps.ts";

test("While a companion that is switched on does not run, the executor has no tool, a question fails with the reason, and nobody is asked.", async () => {
  const board = hangNoticeBoard();
  await using pi = await startConsulting({ settings: switchedOn("ghost"), bindings: board.bindings });
  pi.faux.exec.script([fauxSay("Hello.")]);

  await pi.session.prompt("hello");
  const tools = pi.session.getActiveToolNames();
  await pi.session.prompt("/angel why?");
  await pi.session.prompt("/angel status");

  const reason =
    '"ghost" is switched on in angel.companions but is not running: no companion of that name was started.';
  expect(tools).not.toContain("angel");
  expect(reports(pi.sessionManager)).toMatchObject([{ sentence: `Angel gave no advice: ${reason}` }]);
  expect(board.notices.join("\n")).toContain(`cannot be used: ${reason}`);
  expect(pi.server.requests("adv")).toEqual([]);
});

test("A companion that could not start says why, and one that is mounted after all makes Angel usable.", async () => {
  const { extension, engine, ctx } = mountCompanion();
  await using pi = await startConsulting({ settings: switchedOn("late"), factories: [extension] });
  engine().absent("late", "its settings are wrong.");

  await pi.session.prompt("/angel why?");
  engine().mount({ name: "late" });
  await engine().refresh(ctx());
  pi.server.script("adv", [step.say("Because.")]);
  const result = await pi.ask("Why?");

  expect(reports(pi.sessionManager)).toMatchObject([
    { sentence: expect.stringContaining("not running: its settings are wrong.") },
  ]);
  expect(textOf(result)).toBe("Because.");
});

test("A project cannot switch off a companion that the user switches on, and is told so.", async () => {
  const board = hangNoticeBoard();
  await using pi = await startConsulting({
    settings: switchedOn("ghost"),
    project: { ".pi/settings.json": JSON.stringify({ angel: { companions: { ghost: false } } }) },
    trusted: true,
    bindings: board.bindings,
  });

  await pi.session.prompt("/angel why?");

  expect(reports(pi.sessionManager)).toMatchObject([
    { sentence: expect.stringContaining('"ghost" is switched on') },
  ]);
  expect(board.notices.join("\n")).toContain(
    `the project's settings cannot switch off the companion "ghost", which yours switch on; it stays on.`,
  );
});

test("A companion withdraws the tool with a reason, and gives it back.", async () => {
  let reason: string | undefined = "the budget of this branch is spent.";
  const { extension, engine, ctx } = mountCompanion({ name: "probe", unavailable: () => reason });
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });
  const hasTool = () => pi.session.getActiveToolNames().includes("angel");

  const before = { hasTool: hasTool(), status: await engine().status(ctx()) };
  reason = undefined;
  await engine().refresh(ctx());

  expect(before).toMatchObject({
    hasTool: false,
    status: { control: "on", unusable: "the budget of this branch is spent.", companions: ["probe"] },
  });
  expect(hasTool()).toBe(true);
  expect(await engine().status(ctx())).not.toHaveProperty("unusable");
});

test("A companion that throws when it is asked whether Angel may be used makes it unusable.", async () => {
  const throws: Companion = {
    name: "probe",
    unavailable: () => {
      throw new Error("no ledger");
    },
  };
  const { extension, engine, ctx } = mountCompanion(throws);
  await using _pi = await startConsulting({ settings: switchedOn(), factories: [extension] });

  expect(await engine().status(ctx())).toMatchObject({
    unusable: 'the companion "probe" failed: no ledger.',
  });
});

test("A name is mounted once, and again only after it was unmounted.", async () => {
  const { extension, engine } = mountCompanion({ name: "probe" });
  await using _pi = await startConsulting({ settings: switchedOn(), factories: [extension] });

  expect(() => engine().mount({ name: "probe" })).toThrow('A companion "probe" is mounted already.');
  expect(() => engine().mount({ name: " " })).toThrow("A companion needs a name");
  const unmount = engine().mount({ name: "other" });
  unmount();
  expect(() => engine().mount({ name: "other" })).not.toThrow();
});

test("A session in which a companion is switched on starts with the tool that it ends with, and nothing of it is written.", async () => {
  const { extension } = mountCompanion({ name: "probe" });
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });
  pi.server.script("adv", [step.say("Because.")]);

  const result = await pi.ask("Why?");

  expect(textOf(result)).toBe("Because.");
  expect(pi.custom("angel-tool")).toEqual([]);
});
