/** An advisor with a small context: it counts its tokens as it is sent them, and refuses what does not fit. */

import type { ConsultingOptions } from "./consulting.ts";
import type { LoggedRequest } from "./model-server.ts";
import { textOf } from "./pi-event.ts";
import type { Answer } from "./steps.ts";
import { say, status } from "./steps.ts";

export const SMALL_WINDOW = 16_000;
export const SUMMARY = "The story so far.";

/** Settings and models for such an advisor; Pi keeps room for an answer and little of the past. */
export const SMALL: Pick<ConsultingOptions, "models" | "settings"> = {
  models: { adv: { contextWindow: SMALL_WINDOW, maxTokens: 2000 } },
  settings: { compaction: { reserveTokens: 4000, keepRecentTokens: 1000 }, angel: { model: "local/adv" } },
};

/** A step that answers a request for a summary with one, and any other that fits as `answer` says. */
export function inSmallWindow(answer: () => Answer) {
  return (request: LoggedRequest): Answer => {
    const tokens = tokensOf(request);
    if (tokens > SMALL_WINDOW) return overflow(tokens);
    const reply = isForSummary(request) ? say(SUMMARY) : answer();
    return reply.usage({ in: tokens, out: 10 });
  };
}

export function isForSummary({ body }: LoggedRequest): boolean {
  return textOf(body.messages[0]).startsWith("You are a context summarization assistant.");
}

/** A token is about four characters, as Pi reckons too. */
export function tokensOf({ rawBytes }: LoggedRequest): number {
  return Math.ceil(rawBytes / 4);
}

function overflow(tokens: number): Answer {
  const message = `This model's maximum context length is ${SMALL_WINDOW} tokens. However, your messages resulted in ${tokens} tokens.`;
  return status(400, { body: { error: { message, code: "context_length_exceeded" } } });
}
