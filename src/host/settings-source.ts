// Where the `angel` settings come from: Pi's own merged settings, and the two files behind them when
// something is wrong, so that the sentence can name the file.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { getAgentDir, SettingsManager } from "@mariozechner/pi-coding-agent";
import type { SettingsReading } from "../core/settings.ts";
import { parseSettings } from "../core/settings.ts";

export function readSettings(
  pi: Pick<ExtensionAPI, "getSettings">,
  place: { readonly cwd: string; readonly isProjectTrusted: boolean },
): SettingsReading {
  const merged: unknown = pi.getSettings();
  const reading = parseSettings(angelOf(merged));
  const files = SettingsManager.create(place.cwd, getAgentDir(), { projectTrusted: place.isProjectTrusted });
  // A file that cannot be parsed may hold an "off" or another model; guessing around it would be wrong.
  const unreadable = files
    .drainErrors()
    .map(({ scope, error }) => `The ${scope} settings file cannot be read: ${error.message}`);
  const inProject = angelOf(files.getProjectSettings()) !== undefined;
  const inGlobal = angelOf(files.getGlobalSettings()) !== undefined;
  const where = inProject
    ? inGlobal
      ? "global and project settings"
      : "project settings"
    : "global settings";
  return {
    settings: reading.settings,
    problems: [...unreadable, ...reading.problems.map((problem) => `${problem} (${where})`)],
    warnings: reading.warnings,
  };
}

function angelOf(settings: unknown): unknown {
  return typeof settings === "object" && settings !== null && "angel" in settings
    ? settings.angel
    : undefined;
}
