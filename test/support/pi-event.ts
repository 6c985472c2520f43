/** What Pi writes to stdout in the modes rpc and json, one JSON object a line, as one union. */

import type { AssistantMessage } from "@mariozechner/pi-ai";
import type {
  JsonAgentSessionEvent,
  RpcExtensionUIRequest,
  RpcResponse,
  SessionHeader,
} from "@mariozechner/pi-coding-agent";

export type PiEvent =
  | JsonAgentSessionEvent
  | RpcExtensionUIRequest
  | SessionHeader
  | {
      readonly type: "extension_error";
      readonly extensionPath: string;
      readonly event: string;
      readonly error: string;
    }
  | { readonly type: "bash_execution_update"; readonly id?: string; readonly delta: string };

export type PiRecord = PiEvent | RpcResponse;

export type EventOf<T extends PiEvent["type"]> = Extract<PiEvent, { type: T }>;

export function ofType<T extends PiEvent["type"]>(events: readonly PiEvent[], type: T): EventOf<T>[] {
  return events.filter((event): event is EventOf<T> => event.type === type);
}

/** The last thing the model said, however it ended; undefined when it said nothing. */
export function lastAssistant(events: readonly PiEvent[]): AssistantMessage | undefined {
  const messages = ofType(events, "message_end").map((event) => event.message);
  return messages.findLast((message) => message.role === "assistant");
}

/** The text of a message or a tool result, whoever made it: thinking, calls and images are no text. */
export function textOf(message: object | undefined): string {
  const content: unknown = message !== undefined && "content" in message ? message.content : undefined;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}
