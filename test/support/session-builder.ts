/**
 * Writes a session with Pi's own SessionManager, one line a step. What a step appends is a complete entry as Pi would
 * write it; ids are Pi's own.
 */

import type { AssistantMessage, ImageContent, TextContent, ToolResultMessage } from "@mariozechner/pi-ai";
import { fauxAssistantMessage, fauxText, fauxThinking, fauxToolCall } from "@mariozechner/pi-ai";
import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import { SessionManager } from "@mariozechner/pi-coding-agent";

export const PROJECT = "/srv/shop";

type Content = string | (TextContent | ImageContent)[];
type Arguments = Parameters<typeof fauxToolCall>[1];

interface Call {
  readonly tool: string;
  readonly args?: Arguments;
  /** Absent: one of its own. */
  readonly id?: string;
}

interface Answer {
  readonly isError?: boolean;
  readonly details?: NonNullable<ToolResultMessage["details"]>;
}

interface Spoken {
  readonly thinking?: string;
  readonly stopReason?: AssistantMessage["stopReason"];
  readonly errorMessage?: string;
}

/** The ids of an operation: its call entry, its result entry and its tool call. */
interface Operated {
  readonly call: string;
  readonly result: string;
  readonly callId: string;
}

export interface SessionBuilder {
  readonly manager: SessionManager;
  user(content: Content): string;
  say(text: string, options?: Spoken): string;
  /** One assistant message with these calls and, before them, these words; returns its entry id. */
  call(calls: readonly Call[], words?: string): string;
  result(callId: string, tool: string, content: Content, answer?: Answer): string;
  /** A message with one call, and its result. */
  operate(tool: string, args: Arguments, content: Content, answer?: Answer): Operated;
  shell(command: string, output: string, options?: { isPrivate?: boolean; exitCode?: number }): string;
  system(text: string): string;
  entry(id: string): SessionEntry;
}

export function buildSession(manager = SessionManager.inMemory(PROJECT)): SessionBuilder {
  let calls = 0;
  const now = () => Date.now();

  function call(list: readonly Call[], words?: string): string {
    const blocks = list.map(({ tool, args = {}, id }) => fauxToolCall(tool, args, { id: id ?? nextId() }));
    const text = words === undefined ? [] : [fauxText(words)];
    return manager.appendMessage(fauxAssistantMessage([...text, ...blocks], { stopReason: "toolUse" }));
  }

  function result(toolCallId: string, toolName: string, content: Content, answer: Answer = {}): string {
    const message: ToolResultMessage = {
      role: "toolResult",
      toolCallId,
      toolName,
      content: typeof content === "string" ? [{ type: "text", text: content }] : content,
      isError: false,
      ...answer,
      timestamp: now(),
    };
    return manager.appendMessage(message);
  }

  function nextId(): string {
    calls += 1;
    return `call_${calls}`;
  }

  return {
    manager,
    user: (content) => manager.appendMessage({ role: "user", content, timestamp: now() }),
    say(text, { thinking, ...options } = {}) {
      const blocks = [...(thinking === undefined ? [] : [fauxThinking(thinking)]), fauxText(text)];
      return manager.appendMessage(fauxAssistantMessage(blocks, options));
    },
    call,
    result,
    operate(tool, args, content, answer) {
      const callId = nextId();
      return {
        call: call([{ tool, args, id: callId }]),
        result: result(callId, tool, content, answer),
        callId,
      };
    },
    shell: (command, output, { isPrivate = false, exitCode = 0 } = {}) =>
      manager.appendMessage({
        role: "bashExecution",
        command,
        output,
        exitCode,
        cancelled: false,
        truncated: false,
        excludeFromContext: isPrivate,
        timestamp: now(),
      }),
    system: (content) => manager.appendMessage({ role: "system", content, timestamp: now() }),
    entry(id) {
      const entry = manager.getEntry(id);
      if (entry === undefined) throw new Error(`The session has no entry "${id}".`);
      return entry;
    },
  };
}
