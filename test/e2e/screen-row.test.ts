/** The row of the executor's call and its card, as a terminal shows them. */

import { expect, test } from "vitest";
import { aboveEditor } from "../support/golden.ts";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { inWordsOfToday } from "../support/pi-under-test.ts";
import { call, drip, gate, say, status } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const QUESTION =
  "Is the stale cache entry the cause of the wrong total, or is it the rounding of the prices?";
const PIECES = ["## Cause\n\n", "The cache holds ", "a stale entry.\n\n", "```ts\nconst a = 1;\n```\n"];

/** An advisor that reads a file and is then held in the middle of its answer. */
function scriptHeldAnswer(server: ModelServer) {
  const answer = gate(drip(PIECES, { pauseMs: 1 }), { after: 3 });
  server.script("exec", [
    call("angel", { question: QUESTION, context: "I suspect the cache." }),
    say("DONE"),
  ]);
  server.script("adv", [call("read", { path: "a.txt" }), answer]);
  return answer;
}

test("At 80 columns the row says what the advisor does while it works, then what it took, and the advice stands once, in the card.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, project: { "a.txt": "text" } });
  await using pi = await startTui(home, { cols: 80, rows: 30 });
  const answer = scriptHeldAnswer(server);

  await pi.type("work");
  await pi.press("Enter");
  const running = await pi.until("a stale entry.");
  answer.open();
  const done = await pi.until("DONE");

  expect(aboveEditor(running, "angel")).toMatchInlineSnapshot(`
    "
     angel Is the stale cache entry the cause of the wrong total, or is it the rou…
     ⠿ writing · 1 tool · N s · provisional: The cache holds a stale entry.
    "
  `);
  expect(aboveEditor(done, "angel")).toMatchInlineSnapshot(`
    "
     angel Is the stale cache entry the cause of the wrong total, or is it the rou…
     advised · local/adv · thinking max · N s · $0.0022 · ctrl+o to expand



     Angel · asked by the executor · Is the stale cache entry the cause of the wro…

     Cause

     The cache holds a stale entry.

     \`\`\`ts
       const a = 1;
     \`\`\`

     local/adv · thinking max · N s · 2.5k tokens · $0.0022 · ctrl+o to expand


     DONE
    "
  `);
});

test("At 120 columns, expanded, the row holds the whole question, the last lines that are written, and then all that is known.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, project: { "a.txt": "text" } });
  await using pi = await startTui(home, { cols: 120, rows: 40 });
  const answer = scriptHeldAnswer(server);

  await pi.type("work");
  await pi.press("Enter");
  await pi.until("a stale entry.");
  await pi.press("C-o");
  const running = await pi.until("provisional, may still change");
  answer.open();
  const done = await pi.until("DONE");

  expect(aboveEditor(running, "angel")).toMatchInlineSnapshot(`
    "
     angel
     Is the stale cache entry the cause of the wrong total, or is it the rounding of the prices?
     context:
     I suspect the cache.
     ⠿ writing · 1 tool · N s
     ┌ provisional, may still change
     │ ## Cause
     │ The cache holds a stale entry.


     Tool output: expanded
    "
  `);
  expect(done.join("\n").match(/The cache holds a stale entry\./g)).toHaveLength(1);
  const card = aboveEditor(done, "Angel ·").replace(/(?<=kept in)\s[\s\S]*?\.jsonl/, " FILE");
  expect(card).toMatchInlineSnapshot(`
    "
     Angel · asked by the executor · Is the stale cache entry the cause of the wrong…

     Cause

     The cache holds a stale entry.

     \`\`\`ts
       const a = 1;
     \`\`\`

     origin executor, asked TIME, took N s
     model local/adv
     thinking requested max, effective max
     usage input 2000, output 100, cache read 400, cache write 0, $0.0022
     child session Angel · executor · Is the stale cache entry the cause of the wrong…
     open it with pi --session ID, or below its parent in /resume
     kept in FILE


     DONE
    "
  `);
});

test("a failed call shows its reason in the row, and no card", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, settings: { retry: { enabled: false } } });
  await using pi = await startTui(home, { cols: 80, rows: 30 });
  server.script("exec", [call("angel", { question: QUESTION }), say("DONE")]);
  server.script("adv", [status(500)]);

  await pi.type("work");
  await pi.press("Enter");
  const failed = await pi.until("DONE");

  expect(aboveEditor(failed, "angel")).toMatchInlineSnapshot(`
    "
     angel Is the stale cache entry the cause of the wrong total, or is it the rou…
     failed: 500: {"message":"scripted status 500","type":"scri… · ctrl+o to expand


     DONE
    "
  `);
});

test("a call that waits for its provider or is stopped by Esc says so in its row", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, settings: { retry: { baseDelayMs: 60_000 } } });
  await using pi = await startTui(home, { cols: 80, rows: 30 });
  server.script("exec", [call("angel", { question: "Why?" })]);
  server.script("adv", [status(503)]);

  await pi.type("work");
  await pi.press("Enter");
  const retrying = await pi.until("retry 1 of");
  await pi.press("Escape");
  const stopped = await pi.until("cancelled");

  expect(aboveEditor(retrying, "angel")).toMatchInlineSnapshot(`
    "
     angel Why?
     ⠿ waiting for the provider, retry 1 of 3 · N s · ctrl+o to expand
    "
  `);
  expect(inWordsOfToday(aboveEditor(stopped, "angel"))).toMatchInlineSnapshot(`
    "
     angel Why?
     cancelled: the run was stopped. · local/adv · $0.0000 · ctrl+o to expand


     Operation aborted
    "
  `);
});
