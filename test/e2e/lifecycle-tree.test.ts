/** /tree from the terminal while something runs or waits; what a question that runs meets is in lifecycle-tui. */

import { expect, test } from "vitest";
import { startModelServer } from "../support/model-server.ts";
import { entriesOf, STALE } from "../support/origins.ts";
import { call, say } from "../support/steps.ts";
import { bringAbout, enterCommand, enterLine, QUESTION, startTerminal } from "../support/terminal-origins.ts";

test("In the terminal /tree stops the run with its consultation of the executor or error origin, drops a question that waits, and nothing of them reaches the new place.", {
  timeout: 180_000,
}, async () => {
  for (const situation of ["executor", "error", "waiting"] as const) {
    await using server = await startModelServer();
    await using terminal = await startTerminal(server);
    const { home, pi, parentFile } = terminal;
    const held = await bringAbout(situation, terminal, server);

    await enterCommand(pi, "tree");
    await pi.until("Session Tree");
    await pi.type("hello");
    await pi.until("› • assistant: hello there");
    await pi.press("Enter");
    await pi.until("Summarize branch?");
    await pi.press("Enter");
    await held.done;
    await pi.until("Navigated to selected point");
    const asked = server.requests("adv").length;
    server.script("exec", [call("angel", { question: "And now?" }), say("taken note")]);
    server.script("adv", [say("FRESH-ADVICE")]);
    await enterLine(pi, "in the new place");
    const screen = (await pi.until("taken note")).join("\n");

    expect(held.closedEarly, situation).toBe(true);
    expect(asked, situation).toBe(situation === "waiting" ? 0 : 1);
    expect(entriesOf(home, parentFile).split('"outcome":"cancelled"'), situation).toHaveLength(2);
    expect(entriesOf(home, parentFile)).not.toContain(STALE);
    expect(screen).not.toContain(STALE);
    const sent = server.requests("exec").at(-1)?.raw ?? "";
    expect(sent).toContain("hello there");
    expect(sent).toContain("FRESH-ADVICE");
    for (const stale of [STALE, QUESTION, '"work"', "cancelled"]) expect(sent).not.toContain(stale);
    expect([server.unexpected, server.violations]).toEqual([[], []]);
  }
});
