// The companion `git`: gives the advisor the project's history.

import type { Companion } from "../../core/seam.ts";
import type { CompanionSettings } from "../settings.ts";
import { createGitEvidence } from "./tool.ts";

/** @throws Error with a full sentence for settings that it does not have */
export function start({ user, project }: CompanionSettings): Companion {
  for (const value of [user, project]) {
    if (value === undefined || value === true || value === false) continue;
    if (typeof value !== "object" || value === null || Object.keys(value).length > 0)
      throw new Error(
        `angel.companions.git is ${JSON.stringify(value)?.slice(0, 80)}; it has no settings: write {} or false.`,
      );
  }
  return {
    name: "git",
    describe: () => "the advisor can read the project's git history.",
    child: (_request, { cwd, refusesPath }) => ({
      name: "git",
      tools: [createGitEvidence({ cwd, refusesPath })],
    }),
  };
}
