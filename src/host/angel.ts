// Wires Angel into one runtime of a Pi session. All state lives in this closure: Pi runs the factory
// anew for every session and after every reload.

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { VERSION } from "@mariozechner/pi-coding-agent";
import { ulid } from "ulid";
import type { SettingsReading } from "../core/settings.ts";
import { DEFAULT_SETTINGS } from "../core/settings.ts";
import { defineAngelTool, TOOL_NAME } from "./angel-tool.ts";
import { assess } from "./availability.ts";
import { startEngine } from "./engine.ts";
import { hostProblem } from "./host-version.ts";
import { notify, onceEach } from "./notices.ts";
import { registerRenderers } from "./renderers.ts";
import { readSettings } from "./settings-source.ts";
import { watchStalls } from "./stall-watch.ts";
import { keepToolPresence } from "./tool-presence.ts";
import { openTurnBoundary } from "./turn-boundary.ts";

export function angel(pi: ExtensionAPI): void {
  const problem = hostProblem(VERSION);
  if (problem) {
    pi.on("session_start", (_event, ctx) => notify(problem, "warning", ctx));
    return;
  }

  let reading: SettingsReading = { settings: DEFAULT_SETTINGS, problems: [], warnings: [] };
  const newId = () => ulid();
  const clock = () => new Date().toISOString();
  const notifyOnce = onceEach(notify);
  const presence = keepToolPresence(pi, TOOL_NAME);
  const engine = startEngine({
    availability: (parent) => assess(reading, parent),
    now: () => performance.now(),
  });
  const stalls = watchStalls({
    engine,
    outbox: pi,
    tools: pi,
    isWatching: async (ctx) => (await assess(reading, ctx)).kind === "usable",
    newId,
    clock,
  });
  const boundary = openTurnBoundary(pi, stalls.completed, stalls.isExpecting);
  const refresh = async (ctx: ExtensionContext) => {
    const availability = await assess(reading, ctx);
    presence.show(availability.kind === "usable");
    return availability;
  };

  pi.registerTool(
    defineAngelTool({ engine, appendEntry: (type, data) => pi.appendEntry(type, data), newId, clock }),
  );
  registerRenderers(pi);

  pi.on("session_start", async (_event, ctx) => {
    stalls.forget();
    reading = readSettings(pi, { cwd: ctx.cwd, isProjectTrusted: ctx.isProjectTrusted() });
    for (const sentence of reading.problems) notifyOnce(`Angel is unusable: ${sentence}`, "error", ctx);
    for (const sentence of reading.warnings) notifyOnce(`Angel: ${sentence}`, "warning", ctx);
    presence.restore(ctx.sessionManager.getBranch());
    await refresh(ctx);
  });
  pi.on("session_tree", () => stalls.forget());
  pi.on("input", ({ source }) => {
    if (source !== "extension") stalls.forget();
  });
  pi.on("model_select", async (_event, ctx) => {
    await refresh(ctx);
  });
  pi.on("before_agent_start", async (_event, ctx) => {
    const availability = await refresh(ctx);
    // Providers may register late, so a missing model is a mistake only once somebody starts to work.
    if (availability.kind === "unusable" && availability.isMistake) {
      notifyOnce(`Angel is unusable: ${availability.reason}`, "error", ctx);
    }
  });
  pi.on("tool_execution_end", ({ isError, parentToolCallId }) => {
    if (isError && !parentToolCallId) boundary.listen();
  });
}
