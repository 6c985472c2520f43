import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { gate, say, stall } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

test("In the terminal Esc cancels a question while idle, and only when Pi's editor has nothing else to do with the key.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("adv", [stall({ after: "HALF" })]);
  await using pi = await startTui(home, { cols: 80, rows: 30 });
  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  const asked = await server.nextRequest("adv");
  await pi.until("Angel · Is it so?");

  // A completion list, a selector and a shell line want the key for themselves.
  await pi.type("/angel st");
  await pi.until("what Angel is doing");
  await pi.press("Escape");
  await pi.until((lines) => !lines.some((line) => line.includes("what Angel is doing")), "the list closed");
  await pi.press("C-u");
  await pi.until((lines) => !lines.some((line) => line.includes("/angel st")), "an empty editor");
  await pi.press("C-l");
  await pi.until("Only showing models");
  await pi.press("Escape");
  await pi.until(
    (lines) => !lines.some((line) => line.includes("Only showing models")),
    "the selector closed",
  );
  // Each key waits for what the one before did: two Escapes that Pi reads at once are another key.
  await pi.type("!ls");
  await pi.until("!ls");
  await pi.press("Escape");
  await pi.until((lines) => !lines.some((line) => line.includes("!ls")), "the shell line is gone");
  const stillRuns = !asked.closedEarly;
  await pi.press("Escape");
  await asked.done;
  const screen = (await pi.until("the user pressed Esc")).join("\n");

  expect(stillRuns).toBe(true);
  expect(asked.closedEarly).toBe(true);
  expect(screen).not.toContain("HALF");
  expect(screen).not.toContain("or /angel cancel");
});

test("the editor stays usable while a question runs, and a run started meanwhile starts at once", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  const held = gate(say("Look at **UNIQ-7f3**."));
  server.script("adv", [held]);
  server.script("exec", [say("executor answered")]);
  await using pi = await startTui(home, { cols: 80, rows: 30 });
  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  await server.nextRequest("adv");

  await pi.type("hello");
  await pi.press("Enter");
  await pi.until("executor answered");
  held.open();
  const screen = (await pi.until("tokens", "the card's metadata")).join("\n");

  expect(screen.split("UNIQ-7f3")).toHaveLength(2);
  expect(screen).toContain("asked by you");
  expect(server.requests("exec")).toHaveLength(1);
  expect(server.requests("exec")[0]?.raw).not.toContain("UNIQ-7f3");
});
