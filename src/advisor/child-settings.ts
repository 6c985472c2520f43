// Pi's settings for a child: read as Pi reads them, and kept until one of the files changes. Pi locks a file with
// each reading, twice a child, which was a third of the time that opening one took.

import { statSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_DIR_NAME, getAgentDir, SettingsManager } from "@mariozechner/pi-coding-agent";

export interface SettingsPlace {
  readonly cwd: string;
  readonly isProjectTrusted: boolean;
}

/** @returns settings that carry the trust decision, and that nothing in a child writes to a file */
export type ChildSettings = (place: SettingsPlace) => SettingsManager;

interface Kept {
  readonly state: string;
  readonly global: string;
  readonly project: string;
}

export function keepSettings(): ChildSettings {
  let kept: Kept | undefined;
  return ({ cwd, isProjectTrusted }) => {
    const agentDir = getAgentDir();
    // Without the trust decision Pi would take the project for trusted and load its skills and settings.
    const options = { projectTrusted: isProjectTrusted };
    const files = [join(agentDir, "settings.json"), join(cwd, CONFIG_DIR_NAME, "settings.json")];
    // Taken before the reading: a file that changes in between is read anew the next time.
    const state = JSON.stringify([isProjectTrusted, ...files.map(stateOf)]);
    if (kept?.state !== state) {
      const read = SettingsManager.create(cwd, agentDir, options);
      // What cannot be read is Pi's to cope with, each time anew.
      if (read.drainErrors().length > 0) return read;
      kept = {
        state,
        global: JSON.stringify(read.getGlobalSettings()),
        project: JSON.stringify(read.getProjectSettings()),
      };
    }
    const { global, project } = kept;
    return SettingsManager.fromStorage(
      { withLock: (scope, use) => void use(scope === "global" ? global : project) },
      options,
    );
  };
}

/** Another file, another content, or none: each is another state. */
function stateOf(file: string): readonly unknown[] {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats ? [file, stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs] : [file];
}
