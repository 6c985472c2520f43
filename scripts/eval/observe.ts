// What happened in a run, read from the session files that Pi left: the executor's calls, the advice it was given, what the
// advisor had been shown by then, and what each of the two consumed.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import { ADVICE_MESSAGE, adviceOf } from "../../src/core/advice-message.ts";
import { textOf } from "../../test/support/pi-event.ts";
import type { SessionFile } from "../../test/support/session-files.ts";
import type { Consumption } from "./consumption.ts";
import { consumptionOf } from "./consumption.ts";

/** A call with its result. */
export interface Operation {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly isError: boolean;
  /** The session in which an advisor worked on it; absent where none is named. */
  readonly childSessionId?: string;
  /** Its place in the session, to tell what came after what. */
  readonly place: number;
}

export interface Advice {
  readonly text: string;
  readonly place: number;
  /** What the advisor had been shown when it gave it. */
  readonly shown: readonly Operation[];
}

export interface Observed {
  /** The executor's own calls, consultations not among them. */
  readonly calls: readonly Operation[];
  readonly advice: readonly Advice[];
  /** The executor's last words. */
  readonly lastWords: string;
  readonly usage: Consumption;
  readonly advisorCalls: number;
  /** Why the last answer of the executor ended as it did. */
  readonly stopReason: string | undefined;
  readonly errorMessage: string | undefined;
}

const OWN_TOOLS: readonly string[] = ["read", "bash", "powershell", "edit", "write", "grep", "find", "ls"];

/** `leafId` is the last entry of the prepared session: what comes after it is the run. */
export function observe(parent: SessionFile, children: readonly SessionFile[], leafId: string): Observed {
  const all = operationsIn(parent.entries);
  const start = parent.entries.findIndex(({ id }) => id === leafId) + 1;
  const entries = parent.entries.slice(start);
  const operations = all.filter(({ place }) => place >= start);
  const isOwn = ({ tool }: Operation) => OWN_TOOLS.includes(tool);
  const consultations = operations.filter((operation) => !isOwn(operation));
  const messages = messagesOfAdvice(parent.entries, start);
  const given = [
    ...consultations
      .filter(({ isError }) => !isError)
      .map(({ result, ...operation }) => ({ ...operation, text: result })),
    ...messages,
  ].sort((a, b) => a.place - b.place);
  const ends = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "assistant" ? [entry.message] : [],
  );
  const last = ends.at(-1);
  return {
    calls: operations.filter(isOwn),
    advice: given.map((one) => ({ text: one.text, place: one.place, shown: shownFor(one, children, all) })),
    lastWords: textOf(last),
    usage: consumptionOf(entries, consultations.length + messages.length),
    advisorCalls: children.reduce((sum, child) => sum + operationsIn(child.entries).length, 0),
    stopReason: last?.stopReason,
    errorMessage: last?.errorMessage,
  };
}

/** An investigating advisor saw what its own session holds; any other one is taken to have seen the transcript. */
function shownFor(
  { childSessionId, place }: Pick<Operation, "childSessionId" | "place">,
  children: readonly SessionFile[],
  ofParent: readonly Operation[],
): readonly Operation[] {
  const child = children.find(({ header }) => header.id === childSessionId);
  if (child !== undefined) return operationsIn(child.entries);
  return ofParent.filter((operation) => operation.place < place);
}

function messagesOfAdvice(entries: readonly SessionEntry[], start: number) {
  return entries.flatMap((entry, place) => {
    if (place < start || entry.type !== "custom_message") return [];
    // A message of a package that is not Angel counts as a whole.
    const text = entry.customType === ADVICE_MESSAGE ? adviceOf(entry.content) : textOf(entry);
    return text === undefined || text.trim() === "" ? [] : [{ text, place, ...childOf(entry.details) }];
  });
}

function operationsIn(entries: readonly SessionEntry[]): Operation[] {
  const open = new Map<string, Pick<Operation, "tool" | "args">>();
  const operations: Operation[] = [];
  for (const [place, entry] of entries.entries()) {
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "assistant") {
      for (const block of message.content) {
        if (block.type === "toolCall") open.set(block.id, { tool: block.name, args: block.arguments });
      }
    } else if (message.role === "toolResult") {
      const call = open.get(message.toolCallId);
      if (call === undefined) continue;
      open.delete(message.toolCallId);
      const { isError, details } = message;
      operations.push({ ...call, result: textOf(message), isError, ...childOf(details), place });
    }
  }
  return operations;
}

function childOf(details: unknown): { childSessionId?: string } {
  const id: unknown =
    typeof details === "object" && details !== null ? Reflect.get(details, "childSessionId") : undefined;
  return typeof id === "string" ? { childSessionId: id } : {};
}
