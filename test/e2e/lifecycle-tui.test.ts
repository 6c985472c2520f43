import { join } from "node:path";
import { expect, test } from "vitest";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { call, gate, say } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");

test("In the terminal /reload and /tree cancel a question that runs, and nothing of it is shown or sent afterwards.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [say("hello there")]);
  await using pi = await startTui(home, { cols: 100, rows: 40 });
  await pi.type("hi");
  await pi.press("Enter");
  await pi.until("hello there");
  const hold = async (question: string) => {
    const before = server.requests("adv").length;
    server.script("adv", [gate(say("STALE-ADVICE"), { after: 1 })]);
    await pi.type(`/angel ${question}`);
    await pi.press("Enter");
    const asked = await server.nextRequest("adv", before + 1);
    await pi.until(`Angel · ${question}`);
    return asked;
  };

  const first = await hold("First?");
  await pi.type("/reload");
  await pi.until("→ reload");
  await pi.press("Enter");
  await first.done;
  await pi.until("the session was closed");
  // Until then Pi has no editor that could be typed at.
  await pi.until("Reloaded keybindings");
  const second = await hold("Second?");
  await pi.type("/tree");
  await pi.until("→ tree");
  await pi.press("Enter");
  await pi.until("Session Tree");
  await pi.press("Up");
  await pi.until("› • user: hi");
  await pi.press("Enter");
  await pi.until("Summarize branch?");
  await pi.press("Enter");
  await second.done;
  await pi.until("moved to another place in its tree");
  const screen = (await pi.screen()).join("\n");

  expect([first.closedEarly, second.closedEarly]).toEqual([true, true]);
  expect(screen).not.toContain("STALE-ADVICE");
});

test("Pi itself refuses /reload while it waits for a consultation of the executor or error origin, which goes on and is delivered.", async () => {
  for (const origin of ["executor", "error"]) {
    await using server = await startModelServer();
    await using home = await makeHome({ server, extensions: [FLAKY] });
    const held = gate(say("ADVICE-9d2"));
    server.script("adv", [held]);
    server.script("exec", [
      ...(origin === "executor"
        ? [call("angel", { question: "Why?" })]
        : [call("flaky", {}), call("flaky", {})]),
      say("executor is done"),
    ]);
    await using pi = await startTui(home, { cols: 100, rows: 40 });
    await pi.type("work");
    await pi.press("Enter");
    await server.nextRequest("adv");

    await pi.type("/reload");
    await pi.until("→ reload");
    await pi.press("Enter");
    await pi.until("Wait for the current response to finish before reloading");
    held.open();
    const screen = (await pi.until("executor is done")).join("\n");

    expect(screen.split("ADVICE-9d2")).toHaveLength(2);
    expect(server.requests("exec").at(-1)?.raw).toContain("ADVICE-9d2");
  }
});

test("a question that waits outlives a /reload that Pi refuses, and is answered at the turn's end", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  const work = gate(say("worked"), { after: 1 });
  server.script("exec", [work]);
  server.script("adv", [say("ADVICE-9d2")]);
  await using pi = await startTui(home, { cols: 100, rows: 40 });
  await pi.type("work");
  await pi.press("Enter");
  await pi.until("worked");
  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  await pi.until("waits for the end of this turn");

  await pi.type("/reload");
  await pi.until("→ reload");
  await pi.press("Enter");
  await pi.until("Wait for the current response to finish before reloading");
  const askedTooEarly = server.requests("adv").length;
  work.open();
  const screen = (await pi.until("tokens", "the card's metadata")).join("\n");

  expect(askedTooEarly).toBe(0);
  expect(screen.split("ADVICE-9d2")).toHaveLength(2);
  expect(server.requests("exec")).toHaveLength(1);
  expect(home.parent().entries.filter((entry) => entry.type === "custom_message")).toHaveLength(1);
});
