// The companions' door: a second extension entry that does nothing until the settings name a companion. It starts
// what is named, and mounts it on Angel's engine, which it finds on Pi's event bus.

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { getAgentDir, SettingsManager } from "@mariozechner/pi-coding-agent";
import type { AngelEngine, Companion, ENGINE_CHANNEL, EngineCall } from "../core/seam.ts";
import type { CompanionSettings } from "./settings.ts";
import { companionsIn, switchedOn } from "./settings.ts";

/** Told apart by Pi only: this entry has modules of its own, so Angel's value of the same name is another one. */
const CHANNEL: typeof ENGINE_CHANNEL = "angel:engine";

type Start = (settings: CompanionSettings, ctx: ExtensionContext) => Companion | Promise<Companion>;

/** Loaded only when it is named. */
const COMPANIONS: Readonly<Record<string, () => Promise<{ readonly start: Start }>>> = {
  git: () => import("./git/companion.ts"),
  secrets: () => import("./secrets/start.ts"),
};

export default function companions(pi: ExtensionAPI): void {
  pi.on("session_start", async (_event, ctx) => {
    const merged = pi.getSettings();
    if (Object.keys(companionsIn(merged)).length === 0) return;
    const engine = findEngine(pi);
    // Without Angel no companion has anything to do.
    if (!engine) return;
    // The merged settings do not tell what a project changed, and a project only tightens.
    const files = SettingsManager.create(ctx.cwd, getAgentDir(), { projectTrusted: ctx.isProjectTrusted() });
    const named = switchedOn(merged, files.getGlobalSettings(), files.getProjectSettings());
    for (const [name, settings] of named) await mount(name, settings, engine, ctx);
    await engine.refresh(ctx);
  });
}

async function mount(
  name: string,
  settings: CompanionSettings,
  engine: AngelEngine,
  ctx: ExtensionContext,
): Promise<void> {
  const load = Object.hasOwn(COMPANIONS, name) ? COMPANIONS[name] : undefined;
  if (!load) {
    const known = Object.keys(COMPANIONS).join(", ");
    engine.absent(name, `no companion of that name was started; this package has ${known}.`);
    return;
  }
  try {
    const { start } = await load();
    engine.mount(await start(settings, ctx));
  } catch (error) {
    engine.absent(name, error instanceof Error ? error.message : String(error));
  }
}

function findEngine(pi: Pick<ExtensionAPI, "events">): AngelEngine | undefined {
  let found: AngelEngine | undefined;
  const call: EngineCall = {
    version: 1,
    receive: (engine) => {
      found = engine;
    },
  };
  pi.events.emit(CHANNEL, call);
  return found;
}
