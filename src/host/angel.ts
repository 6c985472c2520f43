// Wires Angel into one runtime of a Pi session. All state lives in this closure: Pi runs the factory
// anew for every session and after every reload.

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { VERSION } from "@mariozechner/pi-coding-agent";
import { ulid } from "ulid";
import type { SettingsReading } from "../core/settings.ts";
import { DEFAULT_SETTINGS } from "../core/settings.ts";
import { drawCard } from "../view/card.ts";
import type { AdviceCard } from "./angel-tool.ts";
import { CARD_ENTRY, defineAngelTool, TOOL_NAME } from "./angel-tool.ts";
import { assess } from "./availability.ts";
import { startEngine } from "./engine.ts";
import { hostProblem } from "./host-version.ts";
import { notify, onceEach } from "./notices.ts";
import { readSettings } from "./settings-source.ts";
import { keepToolPresence } from "./tool-presence.ts";

export function angel(pi: ExtensionAPI): void {
  const problem = hostProblem(VERSION);
  if (problem) {
    pi.on("session_start", (_event, ctx) => notify(problem, "warning", ctx));
    return;
  }

  let reading: SettingsReading = { settings: DEFAULT_SETTINGS, problems: [], warnings: [] };
  const notifyOnce = onceEach(notify);
  const presence = keepToolPresence(pi, TOOL_NAME);
  const engine = startEngine({
    availability: (parent) => assess(reading, parent),
    now: () => performance.now(),
  });
  const refresh = (ctx: ExtensionContext) => {
    const availability = assess(reading, ctx);
    presence.show(availability.kind === "usable");
    return availability;
  };

  pi.registerTool(
    defineAngelTool({
      engine,
      appendEntry: (customType, data) => pi.appendEntry(customType, data),
      newId: () => ulid(),
      clock: () => new Date().toISOString(),
    }),
  );
  pi.registerEntryRenderer<AdviceCard>(CARD_ENTRY, (entry, { expanded, keyHint }, theme) =>
    drawCard(
      typeof entry.data?.advice === "string" ? entry.data.advice : "",
      entry.data?.record,
      { expanded, padding: 1, expandHint: expanded ? "" : keyHint("app.tools.expand", "to expand") },
      theme,
    ),
  );

  pi.on("session_start", (_event, ctx) => {
    reading = readSettings(pi, { cwd: ctx.cwd, isProjectTrusted: ctx.isProjectTrusted() });
    for (const sentence of reading.problems) notifyOnce(`Angel is unusable: ${sentence}`, "error", ctx);
    for (const sentence of reading.warnings) notifyOnce(`Angel: ${sentence}`, "warning", ctx);
    presence.restore(ctx.sessionManager.getBranch());
    refresh(ctx);
  });
  pi.on("model_select", (_event, ctx) => {
    refresh(ctx);
  });
  pi.on("before_agent_start", (_event, ctx) => {
    const availability = refresh(ctx);
    // Providers may register late, so a missing model is a mistake only once somebody starts to work.
    if (availability.kind === "unusable" && availability.isMistake) {
      notifyOnce(`Angel is unusable: ${availability.reason}`, "error", ctx);
    }
  });
}
