// The Pi that an extension sees in a child. It works as in any session, except that nothing of it reaches the
// parent, the child stays what Angel made it, and no handler can hold it up at its start or end.

import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@mariozechner/pi-coding-agent";
import { ANGEL_TOOL } from "../../core/tool-name.ts";
import { MUTATING_TOOLS, READING_TOOLS } from "../tool-names.ts";
import { childContext, noteProviderChange } from "./context.ts";
import type { Stay } from "./stay.ts";
import { reasonOf, within } from "./stay.ts";

const WITHHELD_TOOLS: readonly string[] = [...MUTATING_TOOLS, "parent_session"];

/** Handlers that everything waits for, and how long, in milliseconds. Others may take the time they need. */
const LIMITS_MS: Readonly<Record<string, number>> = {
  session_start: 5_000,
  resources_discover: 5_000,
  agent_end: 3_000,
  agent_settled: 3_000,
};

type Handler = (event: unknown, ctx: ExtensionContext) => unknown;

export function viewOfPi(pi: ExtensionAPI, stay: Stay): ExtensionAPI {
  const { name, note, isOver } = stay;
  const keepsModel = () =>
    note(`${name} tried to change the advisor's model or thinking: that is for Angel's settings to say.`);
  return Object.assign(
    { ...pi },
    {
      on: hearing(pi, stay),
      registerTool: (tool: ToolDefinition) => bringTool(pi, tool, stay),
      setActiveTools: (names: readonly string[]) => {
        const allowed = names.filter((tool) => !MUTATING_TOOLS.includes(tool));
        pi.setActiveTools([...new Set([...stay.ownTools, ...allowed])]);
      },
      // A run that an extension starts would be paid for, and its last message would pass for the advice.
      sendUserMessage: () => note(`${name} tried to speak to the advisor as its user: nothing was sent.`),
      sendMessage: (...[message]: Parameters<ExtensionAPI["sendMessage"]>) => {
        if (!isOver()) pi.sendMessage(message, { triggerTurn: false });
      },
      appendEntry: (...args: Parameters<ExtensionAPI["appendEntry"]>) => {
        if (!isOver()) pi.appendEntry(...args);
      },
      setModel: async () => {
        keepsModel();
        return false;
      },
      setThinkingLevel: keepsModel,
      // People find the child by the name that Angel gave it.
      setSessionName: () => note(`${name} tried to rename the session of the consultation.`),
      registerProvider: () => noteProviderChange(stay, "register a provider"),
      unregisterProvider: () => noteProviderChange(stay, "unregister a provider"),
      registerVirtualModel: () => noteProviderChange(stay, "register a virtual model"),
      unregisterVirtualModel: () => noteProviderChange(stay, "unregister a virtual model"),
    },
  );
}

/** `pi.on` whose handlers get the child's context, are paired, bounded, and silent once the child is closed. */
function hearing(pi: ExtensionAPI, stay: Stay): (event: string, handler: Handler) => unknown {
  let listensForStart = false;
  let hasStarted = false;
  return (event, handler) => {
    if (event === "session_start") listensForStart = true;
    const limitMs = Object.hasOwn(LIMITS_MS, event) ? LIMITS_MS[event] : undefined;
    const heard = async (payload: unknown, ctx: ExtensionContext) => {
      if (stay.isOver() || (event === "session_start" && stay.signal.aborted)) return undefined;
      if (event === "session_start") hasStarted = true;
      // Whoever waited in vain for its start must not be shut down.
      if (event === "session_shutdown" && listensForStart && !hasStarted) return undefined;
      const work = (async () => handler(payload, childContext(ctx, stay)))().catch(asError);
      if (event === "session_shutdown") return within(work, stay.shutdownLeftMs());
      return limitMs === undefined ? work : within(work, limitMs, stay.signal);
    };
    return Reflect.apply(pi.on, pi, [event, heard]);
  };
}

/** Pi makes text of whatever a handler throws, which not everything lets it do. */
function asError(thrown: unknown): never {
  throw thrown instanceof Error ? thrown : new Error(reasonOf(thrown), { cause: thrown });
}

function bringTool(pi: ExtensionAPI, tool: ToolDefinition, stay: Stay): void {
  if (tool.name === ANGEL_TOOL)
    throw new Error(
      "it is Angel by another name, or brings a tool of Angel's name, and never advises an advisor",
    );
  if (WITHHELD_TOOLS.includes(tool.name)) {
    stay.note(
      `${stay.name} brings a tool "${tool.name}": an advisor gets no extension's tool of that name, so it was left out.`,
    );
    return;
  }
  if (READING_TOOLS.includes(tool.name))
    stay.note(`${stay.name} brings its own "${tool.name}" in place of the child's.`);
  stay.onTool(tool.name);
  const execute: ToolDefinition["execute"] = (id, params, signal, onUpdate, ctx) =>
    tool.execute(id, params, signal, onUpdate, childContext(ctx, stay));
  pi.registerTool(Object.assign(Object.create(Object.getPrototypeOf(tool)), tool, { execute }));
}
