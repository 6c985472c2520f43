// Writes the session of an executor that is stuck, by doing again in the copy what it did: with Pi's own tools, so that
// results, files and session agree with each other.

import type { BashSpawnContext } from "@mariozechner/pi-coding-agent";
import { createCodingTools, createReadOnlyTools, SessionManager } from "@mariozechner/pi-coding-agent";
import { buildSession } from "../../test/support/session-builder.ts";
import { plainEnvironment } from "./environment.ts";
import type { Move, PastStep } from "./episode.ts";

export interface Past {
  readonly sessionFile: string;
  /** The last entry of the prepared session. */
  readonly leafId: string;
}

type CallStep = Extract<PastStep, { tool: string }>;

/** @throws when Pi's session manager wrote no file */
export async function replayPast(
  steps: readonly PastStep[],
  project: string,
  sessionDir: string,
): Promise<Past> {
  const manager = SessionManager.create(project, sessionDir);
  const session = buildSession(manager);
  for (const [index, step] of steps.entries()) {
    if ("user" in step) session.user(step.user);
    else if ("say" in step) session.say(step.say);
    else {
      const { tool, args, words, recorded } = step;
      const callId = `past_${index + 1}`;
      session.call([{ tool, args: { ...args }, id: callId }], words);
      const { text, isError = false } = recorded ?? (await performMove(step, project));
      session.result(callId, tool, text, { isError });
    }
  }
  const sessionFile = manager.getSessionFile();
  const leafId = manager.getLeafId();
  if (sessionFile === undefined || leafId === null) throw new Error("The prepared session was not written.");
  return { sessionFile, leafId };
}

/** Does what an executor would do with its tool; what fails is told as the executor would be told. */
export async function performMove(
  { tool, args }: Pick<CallStep, "tool" | "args"> | Move,
  project: string,
): Promise<{ readonly text: string; readonly isError?: boolean }> {
  try {
    const result = await toolNamed(tool, project).execute("past", { ...args });
    const text = result.content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
    return { text, isError: result.isError === true };
  } catch (error) {
    return { text: error instanceof Error ? error.message : String(error), isError: true };
  }
}

function toolNamed(name: CallStep["tool"], project: string) {
  const bash = {
    exposeSessionEnvironment: false,
    spawnHook: (context: BashSpawnContext) => ({ ...context, env: plainEnvironment() }),
  };
  const tools = [...createCodingTools(project, { bash }), ...createReadOnlyTools(project)];
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`Pi has no tool "${name}".`);
  return tool;
}
