/** What the row of a running call is told while its advisor writes, in a terminal and elsewhere. */

import { setTimeout as sleep } from "node:timers/promises";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { NO_EXTENSIONS } from "../../src/core/extension-choice.ts";
import { parseSettings } from "../../src/core/settings.ts";
import { assess } from "../../src/host/availability.ts";
import { startEngine } from "../../src/host/engine.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
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

test("the engine shows nothing any more once a consultation has settled", async () => {
  const reading = parseSettings({ model: "local/adv" });
  // A clock that falls back once makes the engine hold what comes for 900 ms, longer than this consultation takes.
  const clock = [0, 0, 0, 600].values();
  const engine = startEngine({
    availability: (view, signal) => assess(reading, view, { signal }),
    extensions: async () => NO_EXTENSIONS,
    now: () => clock.next().value ?? 0,
  });
  const shown: string[] = [];
  const asker: InlineExtension = {
    name: "asker",
    factory: (api) =>
      api.registerTool({
        name: "asker",
        label: "asker",
        description: "Asks the engine.",
        parameters: Type.Object({}),
        async execute(_id, _args, signal, _onUpdate, parent) {
          const consultation = {
            id: "01ASKED",
            origin: "executor",
            question: "Why?",
            toolCallIds: [],
            asked: "now",
          };
          const onProgress = ({ provisional }: { provisional: string }) => shown.push(provisional);
          const { outcome } = await engine.consult({ consultation, parent, signal, onProgress });
          shown.push(outcome.kind);
          return { content: [], details: undefined };
        },
      }),
  };
  await using pi = await startConsulting({ factories: [asker] });
  pi.faux.exec.script([fauxCall("asker", {}), fauxSay("Noted.")]);
  pi.server.script("adv", [drip(PIECES.slice(0, 30), { pauseMs: 1 })]);

  await pi.session.prompt("go on");
  await sleep(1000);

  expect(shown.length).toBeGreaterThan(1);
  expect(shown.at(-1)).toBe("advised");
});
