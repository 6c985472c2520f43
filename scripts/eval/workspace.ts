// A place of its own for one run: a copy of the episode's project with the failed attempts played in it, an agent
// folder, and the prepared session.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NamedEpisode } from "./episode.ts";
import type { Past } from "./past.ts";
import { replayPast } from "./past.ts";

export interface Workspace extends AsyncDisposable {
  readonly root: string;
  readonly project: string;
  readonly agentDir: string;
  readonly sessionDir: string;
  readonly past: Past;
}

export async function makeWorkspace(episode: NamedEpisode): Promise<Workspace> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "angel-eval-")));
  const remove = () => rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  const project = join(root, "project");
  const agentDir = join(root, "agent");
  const sessionDir = join(root, "sessions");
  try {
    for (const folder of [agentDir, sessionDir]) mkdirSync(folder);
    copyProject(episode, project);
    const past = await replayPast(episode.past, project, sessionDir);
    return { root, project, agentDir, sessionDir, past, [Symbol.asyncDispose]: async () => remove() };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A repository inside a repository cannot be tracked, so an episode keeps its own as `dot-git`. */
function copyProject(episode: NamedEpisode, project: string): void {
  cpSync(join(episode.folder, "project"), project, { recursive: true });
  const kept = join(project, "dot-git");
  const repository = join(project, ".git");
  if (existsSync(kept)) {
    renameSync(kept, repository);
    return;
  }
  // Where Pi's find looks for ignored files; git itself does not take it for a repository.
  mkdirSync(repository);
  writeFileSync(join(repository, "HEAD"), "ref: refs/heads/main\n");
}
