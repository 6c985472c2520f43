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
  const files = SettingsManager.create(place.cwd, getAgentDir(), { projectTrusted: place.isProjectTrusted });
  // A file that cannot be parsed may hold an "off" or another model; guessing around it would be wrong.
  const unreadable = files.drainErrors().map(({ scope, path, error }) => {
    const reason = error.message.replace(/\.$/, "");
    return `The ${scope} settings file ${path ?? ""} cannot be read: ${reason}; put that right, then /reload.`;
  });
  const { settings, problems, warnings } = parseSettings(angelOf(pi.getSettings()));
  const inProject = parseSettings(angelOf(files.getProjectSettings())).problems;
  const placed = problems.map((problem) => {
    const where = inProject.includes(problem) ? "project settings" : "global settings";
    return `${problem.slice(0, -1)} (${where}).`;
  });
  return { settings, problems: [...unreadable, ...placed], warnings };
}

function angelOf(settings: unknown): unknown {
  return typeof settings === "object" && settings !== null && "angel" in settings
    ? settings.angel
    : undefined;
}
