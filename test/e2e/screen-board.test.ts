/** What stands above the editor while a consultation without a tool row runs or waits, and what is left of it. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { aboveEditor } from "../support/golden.ts";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { call, drip, gate, say } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");

/** Held before its last piece. */
const heldAnswer = () =>
  gate(drip(["One.\n\n", "Two.\n\n", "Three.\n\n", "Four."], { pauseMs: 1 }), { after: 3 });

/** The card is there and the board is gone. */
const isAnswered = (lines: readonly string[]) =>
  lines.join("\n").includes("tokens") && !lines.join("\n").includes("provisional");

test("A question shows its provisional text above the editor while it runs, and nothing of it once the card stands.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  await using pi = await startTui(home, { cols: 80, rows: 24 });
  const answer = heldAnswer();
  server.script("exec", [say("hello")]);
  server.script("adv", [answer]);

  await pi.type("hi");
  await pi.press("Enter");
  await pi.until("hello");
  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  const running = await pi.until("Three.");
  answer.open();
  const done = await pi.until(isAnswered, "the card");

  expect(aboveEditor(running, "Angel")).toMatchInlineSnapshot(`
    "
     Angel · Is it so?
     ⠿ writing · N s · Esc when idle or /angel cancel stops it
     ┌ provisional, may still change
     │ One.
     │ Two.
     │ Three.
    "
  `);
  expect(aboveEditor(done, "Angel · asked")).toMatchInlineSnapshot(`
    "
     Angel · asked by you · Is it so?

     One.

     Two.

     Three.

     Four.

     local/adv · thinking max · N s · 1.3k tokens · $0.0011 · ctrl+o to expand
    "
  `);
});

test("What waits stands below what runs, with its reason, and what is cancelled leaves a quiet report.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  await using pi = await startTui(home, { cols: 80, rows: 24 });
  server.script("adv", [heldAnswer()]);

  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  await pi.until("Three.");
  await pi.type("/angel And that?");
  await pi.press("Enter");
  const waiting = await pi.until("waits for the consultation before it");
  await pi.type("/angel cancel");
  await pi.press("Enter");
  const stopped = await pi.until(
    (lines) => lines.join("\n").match(/· cancelled:/g)?.length === 2,
    "two reports",
  );

  expect(aboveEditor(waiting, "Angel · Is it so?")).toMatchInlineSnapshot(`
    "
     Angel · Is it so?
     ⠿ writing · N s · Esc when idle or /angel cancel stops it
     ┌ provisional, may still change
     │ One.
     │ Two.
     │ Three.
     Angel · And that?
     ○ waits for the consultation before it · /angel cancel stops it
    "
  `);
  expect(aboveEditor(stopped)).toMatchInlineSnapshot(`
    "
     Cancelled: your question (Is it so?); your question (And that?). Angel stays
     on.

     Angel · And that? · cancelled: the user cancelled it with /angel cancel. ·
     ctrl+o to expand

     Angel · Is it so? · cancelled: the user cancelled it with /angel cancel. ·
     ctrl+o to expand
    "
  `);
});

test("a question that is asked while the executor works says that it waits for the turn's end, and how to cancel it", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  await using pi = await startTui(home, { cols: 120, rows: 40 });
  const work = gate(say("worked"));
  server.script("exec", [work]);
  server.script("adv", [say("Yes.")]);

  await pi.type("work");
  await pi.press("Enter");
  await server.nextRequest("exec");
  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  const waiting = await pi.until("waits for the end of this turn");
  work.open();
  const done = await pi.until(isAnswered, "the card");

  expect(aboveEditor(waiting, "Angel")).toMatchInlineSnapshot(`
    "
     Angel · Is it so?
     ○ waits for the end of this turn · /angel cancel stops it
    "
  `);
  expect(aboveEditor(done, "Angel · asked")).toMatchInlineSnapshot(`
    "
     Angel · asked by you · Is it so?

     Yes.

     local/adv · thinking max · N s · 1.3k tokens · $0.0011 · session SHORT-ID · ctrl+o to expand
    "
  `);
});

test("an operation that failed again shows what Angel does about it, and how to stop which of the two", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, extensions: [FLAKY] });
  await using pi = await startTui(home, { cols: 120, rows: 40 });
  const answer = heldAnswer();
  server.script("exec", [call("flaky", { n: 1 }), call("flaky", { n: 1 }), say("DONE")]);
  server.script("adv", [answer]);

  await pi.type("work");
  await pi.press("Enter");
  const running = await pi.until("Three.");
  answer.open();
  const done = await pi.until("DONE");

  expect(aboveEditor(running, "Angel")).toMatchInlineSnapshot(`
    "
     Angel · flaky failed again
     ⠿ writing · N s · Esc stops the run, /angel cancel only Angel
     ┌ provisional, may still change
     │ One.
     │ Two.
     │ Three.
    "
  `);
  expect(aboveEditor(done, "Angel")).toMatchInlineSnapshot(`
    "
     Angel · flaky failed again

     One.

     Two.

     Three.

     Four.

     local/adv · thinking max · N s · 1.3k tokens · $0.0011 · session SHORT-ID · ctrl+o to expand


     DONE
    "
  `);
});
