import { expect, test } from "vitest";
import { aboveEditor } from "../support/golden.ts";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { call, drip, gate, say } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

test("A call that waits for another consultation says so in its row, with the keys that stop it, and goes on by itself.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  await using pi = await startTui(home, { cols: 80, rows: 30 });
  const question = gate(drip(["One.\n\n", "Two."], { pauseMs: 1 }), { after: 1 });
  server.script("exec", [call("angel", { question: "Which?" }), say("DONE")]);
  server.script("adv", [question, say("This one.")]);

  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  await pi.until("One.");
  await pi.type("work");
  await pi.press("Enter");
  const waiting = await pi.until("waits for the consultation before it");
  question.open();
  const done = await pi.until("DONE");

  expect(aboveEditor(waiting, "angel")).toMatchInlineSnapshot(`
    "
     angel Which?
     ○ waits for the consultation before it · Esc stops the run














     Angel · Is it so?
     ⠿ writing · N s · Esc when idle or /angel cancel stops it
     ┌ provisional, may still change
     │ One.
    "
  `);
  expect(aboveEditor(done, "angel")).toMatchInlineSnapshot(`
    "
     angel Which?
     advised · local/adv · thinking max · N s · $0.0011 · ctrl+o to expand



     Angel · asked by the executor · Which?

     This one.

     local/adv · thinking max · N s · 1.3k tokens · $0.0011 · ctrl+o to expand



     Angel · asked by you · Is it so?

     One.

     Two.

     local/adv · thinking max · N s · 1.3k tokens · $0.0011 · ctrl+o to expand


     DONE
    "
  `);
});
