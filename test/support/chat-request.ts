/**
 * The request side of the chat-completions wire, as far as tests read it, and the one rule of it that real
 * providers enforce with a 400: a message with tool calls is followed by exactly their results.
 */

export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly description?: string } }[];
  readonly reasoning_effort?: string;
  readonly [other: string]: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly type: string; readonly text?: string }[];
  readonly tool_calls?: readonly ChatToolCall[];
  readonly tool_call_id?: string;
}

interface ChatToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/** Undefined when every call has its result, right behind it, and every result its call. */
export function adjacencyViolation(messages: readonly ChatMessage[]): string | undefined {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      const id = message.tool_call_id ?? "(none)";
      if (!open.delete(id)) return `message ${index} is a result for "${id}", which is not an open call`;
    } else if (open.size > 0) {
      return `message ${index} (${message.role}) comes before the result of ${[...open].join(", ")}`;
    } else {
      open = new Set(message.tool_calls?.map((toolCall) => toolCall.id));
    }
  }
  return open.size > 0 ? `the conversation ends before the result of ${[...open].join(", ")}` : undefined;
}
