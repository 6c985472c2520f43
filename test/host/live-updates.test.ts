/** What the row of a running call is told while its advisor writes, in a terminal and elsewhere. */

import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { drip } from "../support/steps.ts";

const PIECES = Array.from({ length: 1000 }, (_, n) => `piece ${n} `);

async function listen(mode: "tui" | "json") {
  const pi = await startConsulting({ bindings: { mode } });
  const updates: { at: number; raw: string }[] = [];
  const events: string[] = [];
  pi.session.subscribe((event) => {
    events.push(event.type);
    if (event.type === "tool_execution_update")
      updates.push({ at: performance.now(), raw: JSON.stringify(event) });
  });
  pi.server.script("adv", [drip(PIECES, { pauseMs: 0 })]);
  const started = performance.now();
  const result = await pi.ask("Why?");
  const elapsedMs = performance.now() - started;
  await pi.dispose();
  return { updates, events, result, elapsedMs };
}

test("A fast stream reaches the row at most four times a second, bounded in size, and nothing comes after the result.", async () => {
  const { updates, events, elapsedMs } = await listen("tui");

  expect(updates.some(({ raw }) => raw.includes("piece "))).toBe(true);
  expect(updates.length).toBeLessThanOrEqual(2 + elapsedMs / 250);
  for (const { raw } of updates) expect(raw.length).toBeLessThan(5000);
  expect(events.lastIndexOf("tool_execution_update")).toBeLessThan(events.indexOf("tool_execution_end"));
});

test("Outside a terminal an update carries a few words, only when they change, and no text that is being written.", async () => {
  const { updates, result } = await listen("json");

  expect(updates.length).toBeLessThanOrEqual(3);
  for (const { raw } of updates) {
    expect(raw.length).toBeLessThan(300);
    expect(raw).not.toContain("piece ");
  }
  expect(JSON.stringify(result)).toContain("piece 999");
});
