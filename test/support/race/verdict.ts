// What must hold after a race, whatever its order was; what does not is said in words.

import { existsSync } from "node:fs";
import type { Message } from "@mariozechner/pi-ai";
import type { AgentSession, SessionEntry } from "@mariozechner/pi-coding-agent";
import type { EngineEvent } from "../../../src/core/seam.ts";
import { fauxSay } from "../faux-models.ts";
import type { InProcess } from "../in-process.ts";
import { textOf } from "../pi-event.ts";

/** What the executor is sent next has every result behind its call, and is told by what it answers. */
export async function goOn({ runtime, faux }: InProcess, advice: string): Promise<string[]> {
  let sent: readonly Message[] = [];
  faux.exec.handle.setResponses([
    ({ messages }) => {
      sent = [...messages];
      return fauxSay("Still here.");
    },
  ]);
  await runtime.session.prompt("go on");
  const times = JSON.stringify(sent).split(advice).length - 1;
  return [
    ...(runtime.session.getLastAssistantText() === "Still here." ? [] : ["the executor does not go on"]),
    ...(times > 1 ? [`the executor is sent the advice ${times} times`] : []),
    ...openCalls(sent),
  ];
}

function openCalls(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (!open.delete(message.toolCallId)) wrong.push(`a result without a call: ${message.toolCallId}`);
    } else if (open.size > 0) wrong.push(`${[...open]} has no result before the next message`);
    if (message.role === "assistant")
      for (const block of message.content) if (block.type === "toolCall") open.add(block.id);
  }
  return wrong;
}

export function lateEvents(events: readonly EngineEvent[]): string[] {
  const settled = events.findIndex(({ type }) => type === "settled");
  const late = events.slice(settled + 1).filter(({ type }) => type !== "settled");
  return settled >= 0 && late.length > 0 ? [`after the end: ${late.map(({ type }) => type)}`] : [];
}

/** Updates of a call that come when its result is there. */
export function noteLateUpdates(session: AgentSession, late: string[]): void {
  const over = new Set<string>();
  session.subscribe((event) => {
    if (event.type === "tool_execution_end") over.add(event.toolCallId);
    if (event.type === "tool_execution_update" && over.has(event.toolCallId))
      late.push(`an update after the result: ${JSON.stringify(event.partialResult)}`);
  });
}

/** Advice stands only in an outcome that says so, and only in the session where it was asked for. */
export function adviceWhere(
  asked: readonly SessionEntry[],
  now: AgentSession,
  then: AgentSession,
  advice: string,
  outcome: string | undefined,
): string[] {
  const isThere = JSON.stringify(asked).includes(advice);
  const isElsewhere = now !== then && JSON.stringify(now.sessionManager.getEntries()).includes(advice);
  const isSameFile = now.sessionManager.getSessionFile() === then.sessionManager.getSessionFile();
  return [
    ...(isThere === (outcome === "advised") ? [] : [`advice ${isThere ? "with" : "without"} ${outcome}`]),
    ...(isElsewhere && !isSameFile ? ["the advice is in another session"] : []),
    ...(existsSync(now.sessionFile ?? "") || now !== then ? [] : ["the session is not on disk"]),
  ];
}

export function outcomeIn(entry: SessionEntry): { readonly id: string; readonly outcome: string }[] {
  const isResult =
    entry.type === "message" && entry.message.role === "toolResult" && entry.message.toolName === "angel";
  const isMessage = entry.type === "custom_message" && entry.customType === "angel-advice";
  const isReport = entry.type === "custom" && entry.customType === "angel-report";
  if (!isResult && !isMessage && !isReport) return [];
  const text = JSON.stringify(entry);
  const id = text.match(/"consultationId":"(\w+)"/)?.[1];
  const outcome = text.match(/"outcome":"(\w+)"/)?.[1];
  if (id !== undefined && outcome !== undefined) return [{ id, outcome }];
  return [{ id: "none", outcome: entry.type === "message" ? textOf(entry.message) : "none" }];
}
