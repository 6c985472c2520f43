// Runs a child to its end and judges it. prompt() resolves on provider errors and aborts alike, so
// the only judge is the last assistant message; and the only advice is one that ended well and says something.

import type { AgentSession, AgentSessionEvent } from "@mariozechner/pi-coding-agent";
import { abortReason } from "../core/desk.ts";
import type { Outcome } from "../core/outcome.ts";
import { cancelled, failed } from "../core/outcome.ts";
import type { Progress } from "../core/progress.ts";
import { NO_PROGRESS, withText } from "../core/progress.ts";

export interface Investigation {
  readonly assignment: string;
  /** What the advisor is told once when it ends without an answer. */
  readonly nudge: string;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Called around everything the child writes to its file. */
  readonly onActivity: () => void;
}

/** Longer than an abort of a stream or a tool takes, and below the second that a cancellation may take. */
const STOP_LIMIT_MS = 600;

export async function investigate(session: AgentSession, investigation: Investigation): Promise<Outcome> {
  const { signal, assignment, nudge, onActivity, onProgress } = investigation;
  if (signal.aborted) return cancelled(abortReason(signal));

  let progress = NO_PROGRESS;
  const stop = () => void session.abort();
  const unsubscribe = session.subscribe((event) => {
    onActivity();
    // An abort before the run exists is lost in Pi; it is repeated once there is something to abort.
    if (event.type === "agent_start" && signal.aborted) stop();
    const next = advance(progress, event);
    if (next === progress) return;
    progress = next;
    if (!signal.aborted) onProgress(progress);
  });
  const stopped = Promise.withResolvers<Outcome>();
  let limit: NodeJS.Timeout | undefined;
  const onAbort = () => {
    stop();
    limit = setTimeout(() => stopped.resolve(cancelled(abortReason(signal))), STOP_LIMIT_MS);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  let isOver = false;
  const ask: Ask = async (text) => {
    await session.prompt(text, {
      expandPromptTemplates: false,
      source: "extension",
      // A start that was held up beyond the end of the investigation must not send a request any more.
      preflightResult: () => {
        if (isOver) throw new Error("The investigation is over.");
      },
    });
  };
  try {
    return await Promise.race([askForAdvice(session, ask, [assignment, nudge], signal), stopped.promise]);
  } finally {
    isOver = true;
    signal.removeEventListener("abort", onAbort);
    clearTimeout(limit);
    unsubscribe();
  }
}

type Ask = (text: string) => Promise<void>;

/** Puts the assignment, and once more the nudge if the answer is blank. */
async function askForAdvice(
  session: AgentSession,
  ask: Ask,
  [first, ...nudges]: readonly string[],
  signal: AbortSignal,
): Promise<Outcome> {
  if (first === undefined) return failed("the advisor ended twice without an answer.");
  try {
    await ask(first);
  } catch (error) {
    if (signal.aborted) return cancelled(abortReason(signal));
    return failed(sentence(reasonOf(error)));
  }
  if (signal.aborted) return cancelled(abortReason(signal));
  const verdict = judge(session);
  return verdict === "blank" ? askForAdvice(session, ask, nudges, signal) : verdict;
}

function judge(session: AgentSession): Outcome | "blank" {
  const last = session.sessionManager
    .getBranch()
    .findLast((entry) => entry.type === "message" && entry.message.role === "assistant");
  if (last?.type !== "message" || last.message.role !== "assistant")
    return failed("the advisor's model did not answer.");
  const { message } = last;
  switch (message.stopReason) {
    case "stop": {
      const advice = message.content
        .flatMap((block) => (block.type === "text" && block.text !== "" ? [block.text] : []))
        .join("\n\n");
      return advice.trim() === "" ? "blank" : { kind: "advised", advice };
    }
    case "length":
      return failed(
        "the advisor's answer was cut at the model's output limit, so it is not passed on as advice.",
      );
    case "error":
      return failed(sentence(message.errorMessage ?? "the provider reported an error without a message"));
    case "aborted":
      return failed("the advisor was stopped before it answered.");
    default:
      return failed(`the advisor's last message ended with "${message.stopReason}", which is no answer.`);
  }
}

function advance(progress: Progress, event: AgentSessionEvent): Progress {
  switch (event.type) {
    case "message_start":
      return event.message.role === "assistant"
        ? { toolCount: progress.toolCount, provisional: "" }
        : progress;
    case "message_update":
      if (event.assistantMessageEvent.type !== "text_delta") return progress;
      return withText(progress, event.assistantMessageEvent.delta);
    case "tool_execution_start":
      return {
        toolCount: progress.toolCount + 1,
        provisional: "",
        tool: { name: event.toolName, args: event.args },
      };
    case "tool_execution_end":
      return { toolCount: progress.toolCount, provisional: "" };
    case "auto_retry_start":
      return { ...progress, retry: { attempt: event.attempt, maxAttempts: event.maxAttempts } };
    default:
      return progress;
  }
}

/** What a provider does is said in a message; what is thrown here with a system call is Pi's own writing. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error ? `the advisor's session could not be kept: ${error.message}` : error.message;
}

/** Provider errors come as bare fragments, some of them pages long. */
function sentence(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const bounded = line.length > 600 ? `${line.slice(0, 600)}…` : line;
  return /[.!?…]$/.test(bounded) ? bounded : `${bounded}.`;
}
