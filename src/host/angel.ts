// Wires Angel into one runtime of a Pi session. All state lives in this closure: Pi runs the factory
// anew for every session and after every reload.

import { existsSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { VERSION } from "@mariozechner/pi-coding-agent";
import { ulid } from "ulid";
import type { Patience } from "../advisor/advisor-model.ts";
import type { ProjectPlace } from "../advisor/configured-extensions.ts";
import { NO_EXTENSIONS } from "../core/extension-choice.ts";
import type { AdvisorWish } from "../core/seam.ts";
import { DEFAULT_SETTINGS } from "../core/settings.ts";
import { ANGEL_TOOL } from "../core/tool-name.ts";
import { registerAngelCommand } from "./angel-command.ts";
import { defineAngelTool } from "./angel-tool.ts";
import type { ParentView } from "./availability.ts";
import { assess } from "./availability.ts";
import { hangBoard } from "./board.ts";
import { gatherCompanions } from "./companions.ts";
import { startEngine } from "./engine.ts";
import { hostProblem } from "./host-version.ts";
import { answerHuman } from "./human-answer.ts";
import { takeHumanQuestions } from "./human-questions.ts";
import { listenForInterrupt } from "./interrupt-key.ts";
import { notify, onceEach, tell } from "./notices.ts";
import { registerRenderers } from "./renderers.ts";
import { openSeam } from "./seam.ts";
import type { SettingsFound } from "./settings-source.ts";
import { readSettings } from "./settings-source.ts";
import { countShellRuns } from "./shell-runs.ts";
import { watchStalls } from "./stall-watch.ts";
import { statusLines } from "./status.ts";
import { keepToolPresence } from "./tool-presence.ts";
import { openTurnBoundary, turnOver } from "./turn-boundary.ts";

/** Pi waits for these looks at a start, a prompt or a turn's end: a provider that checks its keys slowly must not hold it. */
const AT_A_GLANCE = { limitMs: 500 };

export function angel(pi: ExtensionAPI): void {
  const problem = hostProblem(VERSION);
  if (problem) {
    pi.on("session_start", (_event, ctx) => notify(problem, "warning", ctx));
    return;
  }

  let reading: SettingsFound = { settings: DEFAULT_SETTINGS, problems: [], warnings: [], companionsOn: [] };
  let isOn = true;
  let surface: ExtensionContext | undefined;
  const identity = { newId: () => ulid(), clock: () => new Date().toISOString() };
  const notifyOnce = onceEach(notify);
  const presence = keepToolPresence(pi, ANGEL_TOOL);
  const now = () => performance.now();
  const board = hangBoard(now);
  const shellRuns = countShellRuns();
  const extensions = async (place: ProjectPlace) => {
    const asked = reading.settings.subagentExtensions;
    if (asked.length === 0) return NO_EXTENSIONS;
    const { resolveChoice } = await import("../advisor/configured-extensions.ts");
    return resolveChoice(asked, place);
  };
  const companions = gatherCompanions(
    (sentence) => surface && notifyOnce(`Angel: ${sentence}`, "warning", surface),
  );
  const judge = (parent: ParentView, patience: Patience, wish?: AdvisorWish) =>
    assess(reading, parent, patience, { wish, obstacle: companions.problem(reading.companionsOn) });
  const engine = startEngine({
    extensions,
    companions,
    availability: (parent, signal, wish) => judge(parent, { signal }, wish),
    now,
  });
  const questions = takeHumanQuestions({
    ...identity,
    engine,
    board,
    tell: notify,
    deliver: (consultation, settled, ctx) => answerHuman(pi, consultation, settled, ctx, existsSync),
    turnOver: () => turnOver(pi),
    onWaiting: () => boundary.listen(),
    listen: (ctx, interrupt) =>
      listenForInterrupt({
        ctx,
        terminal: board.terminal,
        isFree: () => shellRuns.areOver(ctx.sessionManager.getEntries()),
        interrupt,
      }),
  });
  const stalls = watchStalls({
    ...identity,
    engine,
    board,
    outbox: pi,
    tell: notify,
    tools: pi,
    isWatching: async (ctx) => isOn && (await judge(ctx, AT_A_GLANCE)).kind === "usable",
  });
  const boundary = openTurnBoundary(
    pi,
    async (event, ctx) => {
      const { signal } = ctx;
      const isSafe = event.outcome === "completed" && !signal?.aborted;
      // What waited was asked before this turn ended, so it goes ahead of a stall that is found now.
      const answered = isSafe ? questions.atBoundary(signal) : undefined;
      await stalls.completed(event, ctx);
      await answered;
    },
    () => stalls.isExpecting() || questions.isWaiting(),
  );
  const refresh = async (ctx: ExtensionContext) => {
    const availability = await judge(ctx, AT_A_GLANCE);
    presence.show(isOn && availability.kind === "usable");
    return availability;
  };
  const switchTo = async (state: boolean, ctx: ExtensionContext) => {
    isOn = state;
    stalls.forget();
    return refresh(ctx);
  };
  const seam = openSeam(pi, {
    ...identity,
    ...{ engine, companions, board, refresh, switchTo },
    outbox: pi,
    tell: notify,
    isOn: () => isOn,
    unusable: async (ctx) => {
      const found = await judge(ctx, AT_A_GLANCE);
      return found.kind === "usable" ? undefined : found.reason;
    },
  });
  const stopEverything = async (reason: string) => {
    stalls.forget();
    engine.cancel(reason);
    await Promise.all([questions.settled(), stalls.settled(), seam.settled()]);
  };

  pi.registerTool(
    defineAngelTool({
      ...identity,
      now,
      engine,
      tell: notify,
      appendEntry: (type, data) => pi.appendEntry(type, data),
    }),
  );
  registerRenderers(pi);
  registerAngelCommand(pi, {
    engine,
    questions,
    tell,
    isOn: () => isOn,
    async switchTo(state, ctx) {
      const availability = await switchTo(state, ctx);
      return {
        unusable: availability.kind === "usable" ? undefined : availability.reason,
        hasTool: pi.getActiveTools().includes(ANGEL_TOOL),
      };
    },
    describe: async (ctx) =>
      statusLines({
        isOn,
        availability: await judge(ctx, AT_A_GLANCE),
        extensions: await extensions(placeOf(ctx)),
        desk: engine.status(),
        companions: companions.lines(),
      }),
  });

  pi.on("session_start", async (_event, ctx) => {
    surface = ctx;
    shellRuns.begin(ctx.sessionManager.getEntries());
    reading = readSettings(pi, placeOf(ctx));
    for (const sentence of reading.problems) notifyOnce(`Angel is unusable: ${sentence}`, "error", ctx);
    const { warnings } = await extensions(placeOf(ctx));
    for (const sentence of [...reading.warnings, ...warnings])
      notifyOnce(`Angel: ${sentence}`, "warning", ctx);
    presence.restore(ctx.sessionManager.getBranch());
    // Companions are mounted a moment later, and whoever mounts them asks for a look when all are there.
    if (reading.companionsOn.length === 0) await refresh(ctx);
  });
  pi.on("session_shutdown", () => stopEverything("the session was closed."));
  pi.on("session_tree", async (_event, ctx) => {
    await stopEverything("the session moved to another place in its tree.");
    // Pi has put the tool list back to what it was there.
    presence.restore(ctx.sessionManager.getBranch());
    await refresh(ctx);
  });
  pi.on("input", ({ source }) => {
    if (source !== "extension") stalls.forget();
  });
  pi.on("user_bash", () => shellRuns.started());
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

function placeOf(ctx: ExtensionContext): ProjectPlace {
  return { cwd: ctx.cwd, isProjectTrusted: ctx.isProjectTrusted() };
}
