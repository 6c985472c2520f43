// A consultation of any origin in one process, with both models on the wire, and what became of it.

import type { AgentSession, SessionEntry } from "@mariozechner/pi-coding-agent";
import { readRecord } from "../../../src/core/read-record.ts";
import type { Consulting, ConsultingOptions } from "../consulting.ts";
import { startConsulting } from "../consulting.ts";
import { flakyTool } from "../flaky.ts";
import type { NoticeBoard } from "../notice-board.ts";
import { hangNoticeBoard } from "../notice-board.ts";
import type { Origin } from "../origins.ts";
import { textOf } from "../pi-event.ts";
import type { Answer } from "../steps.ts";
import { call, say } from "../steps.ts";
import type { FaultyAdvisor } from "./advisor.ts";

/** More than any consultation here takes. */
const REQUESTS = 60;

export interface Occasion extends AsyncDisposable {
  readonly pi: Consulting;
  readonly origin: Origin;
  readonly board: NoticeBoard;
  /** Has Angel asked in the present session; resolves when that is over, with what Pi itself then complained of. */
  ask(): Promise<string[]>;
  /** What the executor is sent when the user goes on in the present session. */
  goOn(): Promise<string>;
  /** What became of the consultations of the first session, one line each. */
  outcomes(): string[];
  /** All that the first session holds. */
  entries(): string;
}

export async function startOccasion(
  origin: Origin,
  advisor: Pick<FaultyAdvisor, "answer">,
  options: ConsultingOptions = {},
): Promise<Occasion> {
  const plan: Answer[] = [];
  const board = hangNoticeBoard();
  const pi = await startConsulting({
    ...options,
    bindings: board.bindings,
    project: { "log.txt": "a line of the log\n".repeat(1000), ...options.project },
    factories: [flakyTool().extension, ...(options.factories ?? [])],
    models: { exec: {}, ...options.models },
  });
  const { server, runtime, sessionManager } = pi;
  server.script(
    "exec",
    Array<() => Answer>(REQUESTS).fill(() => plan.shift() ?? say("Noted.")),
  );
  server.script("adv", Array<FaultyAdvisor["answer"]>(REQUESTS).fill(advisor.answer));
  await useWire(runtime.session);
  await runtime.session.prompt("hi");
  let asked = 0;

  return {
    pi,
    origin,
    board,
    async ask() {
      asked += 1;
      plan.length = 0;
      await useWire(runtime.session);
      if (origin === "executor") plan.push(call("angel", { question: `Is it so, ${asked}?` }));
      if (origin === "error") plan.push(call("flaky", { n: asked }), call("flaky", { n: asked }));
      const text = origin === "human" ? `/angel Is it so, ${asked}?` : "work";
      // Whoever stops or replaces the session ends this one way or the other.
      return runtime.session.prompt(text).then(
        () => [],
        (error: unknown) => [`Pi: ${error}`],
      );
    },
    async goOn() {
      plan.length = 0;
      await runtime.session.prompt("go on");
      return server.requests("exec").at(-1)?.raw ?? "";
    },
    outcomes: () => sessionManager.getEntries().flatMap(outcomeIn),
    entries: () => JSON.stringify(sessionManager.getEntries()),
    [Symbol.asyncDispose]: pi.dispose,
  };
}

async function useWire(session: AgentSession): Promise<void> {
  if (session.model?.provider === "local") return;
  const model = session.modelRuntime.getModel("local", "exec");
  if (model === undefined) throw new Error("The executor's model is not registered.");
  await session.setModel(model);
}

/** "advised", or what there was instead with its reason; cards are copies and do not count. */
function outcomeIn(entry: SessionEntry): string[] {
  if (entry.type === "message" && entry.message.role === "toolResult") {
    if (entry.message.toolName !== "angel") return [];
    const record = readRecord(entry.message.details);
    if (record === undefined) return [`refused: ${textOf(entry.message)}`];
    return [inWords(record)];
  }
  if (entry.type === "custom_message" && entry.customType === "angel-advice") return spokenOf(entry.details);
  if (entry.type === "custom" && entry.customType === "angel-report") {
    const { data } = entry;
    return typeof data === "object" && data !== null ? spokenOf(Reflect.get(data, "record")) : [];
  }
  return [];
}

function spokenOf(details: unknown): string[] {
  const record = readRecord(details);
  return record === undefined ? [] : [inWords(record)];
}

function inWords({ outcome, reason }: { readonly outcome: string; readonly reason?: string }): string {
  return reason === undefined ? outcome : `${outcome}: ${reason}`;
}
