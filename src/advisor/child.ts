// Opens the child: a persistent Pi session of its own, linked to its parent, read-only by its tool
// list, with the parent's model runtime and trust decision and only those extensions that were chosen.

import type {
  AgentSession,
  ExtensionError,
  ModelRuntime,
  SettingsManager,
  ToolDefinition,
} from "@mariozechner/pi-coding-agent";
import {
  createAgentSession,
  DefaultResourceLoader,
  getAgentDir,
  SessionManager,
} from "@mariozechner/pi-coding-agent";
import type { ChosenExtension } from "../core/extension-choice.ts";
import type { ChildExtension } from "../core/seam.ts";
import type { Advisor } from "./advisor-model.ts";
import type { ChildEntry, ChildNote } from "./child-entry.ts";
import { CONSULTATION_ENTRY, NOTE_ENTRY } from "./child-entry.ts";
import { admitExtensions } from "./child-extensions/admit.ts";
import { bringCompanions } from "./child-extensions/companions.ts";
import { assignmentKeeper, noLateCompaction, toolListKeeper, toolWords } from "./child-hooks.ts";
import { readGuard } from "./guard.ts";
import { MUTATING_TOOLS, READING_TOOLS } from "./tool-names.ts";

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
  /** The user's extensions that this child loads. */
  readonly extensions: readonly ChosenExtension[];
  /** What companions bring into this child. */
  readonly companions: readonly ChildExtension[];
  /** Full sentences for the child's record, from before it was opened. */
  readonly notes: readonly string[];
  readonly settings: SettingsManager;
  readonly home: ChildHome;
  /** Aborted when the consultation is. */
  readonly signal: AbortSignal;
}

export interface Child {
  readonly session: AgentSession;
  /** Aborted, with a sentence, when a companion fails in it. */
  readonly fault: AbortSignal;
  /** Ends its extensions, each within a limit, and the session. */
  close(): Promise<void>;
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
export async function openChild(plan: ChildPlan): Promise<Child> {
  const { cwd, parentFile } = plan.home;
  const { settings: settingsManager } = plan;
  const agentDir = getAgentDir();
  const sessionManager = beginRecord(plan);
  const note = (sentence: string) => {
    const entry: ChildNote = { version: 1, note: sentence };
    sessionManager.appendCustomEntry(NOTE_ENTRY, entry);
  };
  for (const sentence of plan.notes) note(sentence);
  const companions = bringCompanions(plan.companions, plan.signal);
  // The later one of a name stands.
  const customTools = [...companions.tools, ...plan.tools];
  const ownTools = [...new Set([...READING_TOOLS, ...customTools.map(({ name }) => name)])];
  const extensions = admitExtensions(plan.extensions, { signal: plan.signal, ownTools, note });
  const hasExtensions = plan.extensions.length > 0;

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
      ...extensions.factories,
      // Angel's own come last: what they check no other handler changes any more.
      ...(hasExtensions
        ? [toolListKeeper((name) => ownTools.includes(name) || extensions.hasTool(name))]
        : []),
      toolWords(),
      assignmentKeeper(plan.assignment),
      noLateCompaction(),
      ...companions.factories,
      readGuard({ cwd, sessionFiles }),
    ],
  });
  await resourceLoader.reload();
  companions.assertJoined();

  const { session } = await createAgentSession({
    cwd,
    agentDir,
    modelRuntime: plan.runtime,
    settingsManager,
    resourceLoader,
    sessionManager,
    model: plan.advisor.model,
    thinkingLevel: plan.advisor.thinking.effective,
    // An extension may bring a tool at any time, so with extensions the list is kept by a hook.
    ...(hasExtensions ? { tools: ["*"], excludeTools: [...MUTATING_TOOLS] } : { tools: ownTools }),
    customTools,
  });
  const hasGuests = hasExtensions || plan.companions.length > 0;
  const onError = (error: ExtensionError) => {
    if (!companions.heard(error)) extensions.heard(error);
  };
  if (hasGuests) await session.bindExtensions({ onError }).catch(extensions.couldNotStart);
  return {
    session,
    fault: companions.fault,
    async close() {
      try {
        if (hasGuests) await extensions.leave(session);
      } finally {
        session.dispose();
      }
    },
  };
}

/** The child's session file, whose first entries say which consultation it is the record of. */
function beginRecord({ entry, sessionName, home }: ChildPlan): SessionManager {
  const { cwd, parentFile, sessionDir } = home;
  const sessionManager = parentFile
    ? SessionManager.create(cwd, sessionDir, { parentSession: parentFile })
    : SessionManager.inMemory(cwd);
  sessionManager.appendCustomEntry(CONSULTATION_ENTRY, entry);
  sessionManager.appendSessionInfo(sessionName);
  return sessionManager;
}
