// Where the `angel` settings come from: Pi's own merged settings, and the two files behind them when
// something is wrong, so that the sentence can name the file.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { getAgentDir, SettingsManager } from "@mariozechner/pi-coding-agent";
import { isRecord } from "../core/is-record.ts";
import type { SettingsReading } from "../core/settings.ts";
import { parseSettings, switchedOn } from "../core/settings.ts";

export interface SettingsFound extends SettingsReading {
  /** Companions that the user or a trusted project switches on; a project switches none off. */
  readonly companionsOn: readonly string[];
}

/** Pi locks a settings file while it reads it, and takes a lock that nobody renews for ten seconds as left behind. */
const LATER = "/reload in ten seconds.";

export function readSettings(
  pi: Pick<ExtensionAPI, "getSettings">,
  place: { readonly cwd: string; readonly isProjectTrusted: boolean },
): SettingsFound {
  const files = SettingsManager.create(place.cwd, getAgentDir(), { projectTrusted: place.isProjectTrusted });
  // A file that cannot be parsed may hold an "off" or another model; guessing around it would be wrong.
  const unreadable = files.drainErrors().map(({ scope, path, error }) => {
    const file = `The ${scope} settings file ${path ?? ""}`;
    if (isLocked(error))
      return `${file} is locked by another Pi, or by one that was killed a moment ago; ${LATER}`;
    const reason = error.message.replace(/\.$/, "");
    return `${file} cannot be read: ${reason}; put that right, then /reload.`;
  });
  const { settings, problems, warnings } = parseSettings(angelOf(pi.getSettings()));
  const inProject = parseSettings(angelOf(files.getProjectSettings())).problems;
  const placed = problems.map((problem) => {
    const where = inProject.includes(problem) ? "project settings" : "global settings";
    return `${problem.slice(0, -1)} (${where}).`;
  });
  const byUser = switchedOn(companionsOf(files.getGlobalSettings()));
  const inProjectFile = companionsOf(files.getProjectSettings());
  const kept = byUser.filter((name) => inProjectFile[name] === false);
  return {
    settings,
    problems: [...unreadable, ...placed],
    warnings: [...warnings, ...kept.map(staysOn)],
    companionsOn: [...new Set([...byUser, ...switchedOn(inProjectFile), ...switchedOn(settings.companions)])],
  };
}

function isLocked(error: Error): boolean {
  return "code" in error && error.code === "ELOCKED";
}

function staysOn(name: string): string {
  return `the project's settings cannot switch off the companion "${name}", which yours switch on; it stays on.`;
}

function companionsOf(settings: unknown): Readonly<Record<string, unknown>> {
  const angel = angelOf(settings);
  return isRecord(angel) && isRecord(angel.companions) ? angel.companions : {};
}

function angelOf(settings: unknown): unknown {
  return typeof settings === "object" && settings !== null && "angel" in settings
    ? settings.angel
    : undefined;
}
