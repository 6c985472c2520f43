// Opens the child: a persistent Pi session of its own, linked to its parent, read-only by its tool
// list, with the parent's model runtime and trust decision and none of its extensions.

import type { AgentSession, ModelRuntime, ToolDefinition } from "@mariozechner/pi-coding-agent";
import {
  createAgentSession,
  DefaultResourceLoader,
  getAgentDir,
  SessionManager,
  SettingsManager,
} from "@mariozechner/pi-coding-agent";
import type { Advisor } from "./advisor-model.ts";
import type { ChildEntry } from "./child-entry.ts";
import { CONSULTATION_ENTRY } from "./child-entry.ts";
import { assignmentKeeper, noLateCompaction, toolWords } from "./child-hooks.ts";
import { readGuard } from "./guard.ts";

const BUILTIN_TOOLS: readonly string[] = ["read", "ls", "find", "grep"];

export interface ChildPlan {
  readonly advisor: Advisor;
  readonly runtime: ModelRuntime;
  readonly systemPrompt: string;
  readonly assignment: string;
  readonly entry: ChildEntry;
  /** How people find it in their session list. */
  readonly sessionName: string;
  // biome-ignore lint/suspicious/noExplicitAny: Pi's own tool lists are typed so; a tool's parameters are contravariant
  readonly tools: readonly ToolDefinition<any>[];
  readonly home: ChildHome;
}

/** Where the child lives, taken from its parent. */
export interface ChildHome {
  readonly cwd: string;
  readonly isProjectTrusted: boolean;
  readonly sessionDir: string;
  /** Absent when the parent is not saved: then the child lives in memory too. */
  readonly parentFile?: string;
}

/** @throws whatever Pi throws when a session cannot be made: an unwritable folder, an unreadable resource */
export async function openChild(plan: ChildPlan): Promise<AgentSession> {
  const { cwd, isProjectTrusted, parentFile, sessionDir } = plan.home;
  const agentDir = getAgentDir();
  // Without the trust decision Pi would take the project for trusted and load its skills and settings.
  const settingsManager = SettingsManager.create(cwd, agentDir, { projectTrusted: isProjectTrusted });
  const sessionManager = parentFile
    ? SessionManager.create(cwd, sessionDir, { parentSession: parentFile })
    : SessionManager.inMemory(cwd);
  sessionManager.appendCustomEntry(CONSULTATION_ENTRY, plan.entry);
  sessionManager.appendSessionInfo(plan.sessionName);

  const ownFile = sessionManager.getSessionFile();
  const sessionFiles = [parentFile, ownFile].filter((file) => file !== undefined);
  const resourceLoader = new DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager,
    noExtensions: true,
    noPromptTemplates: true,
    noThemes: true,
    systemPrompt: plan.systemPrompt,
    // APPEND_SYSTEM.md extends the executor's prompt; it is no instruction to its advisor.
    appendSystemPromptOverride: () => [],
    extensionFactories: [
      readGuard({ cwd, sessionFiles }),
      toolWords(),
      assignmentKeeper(plan.assignment),
      noLateCompaction(),
    ],
  });
  await resourceLoader.reload();

  const { session } = await createAgentSession({
    cwd,
    agentDir,
    modelRuntime: plan.runtime,
    settingsManager,
    resourceLoader,
    sessionManager,
    model: plan.advisor.model,
    thinkingLevel: plan.advisor.thinking.effective,
    tools: [...BUILTIN_TOOLS, ...plan.tools.map(({ name }) => name)],
    customTools: [...plan.tools],
  });
  return session;
}
