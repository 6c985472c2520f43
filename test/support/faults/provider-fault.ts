// What a provider can do to a request, and what must become of the consultation.

import type { Answer } from "../steps.ts";
import * as step from "../steps.ts";
import type { Stage } from "./stage.ts";

export interface ProviderFault {
  readonly name: string;
  /** The answer to the struck request, after what had been said of it. */
  readonly answer: (said: string) => Answer;
  /** How many requests are struck; absent: all that follow, too. */
  readonly times?: number;
  /** Absent: the consultation survives, and its advice comes. */
  readonly reason?: RegExp;
  /** Whether it can strike when an answer has begun. */
  readonly strikes: "before an answer" | "anywhere";
}

function status(code: number, message: string, headers: Readonly<Record<string, string>> = {}) {
  return () => step.status(code, { headers, body: { error: { message } } });
}

function event(payload: string) {
  return (said: string) => new step.Answer([...before(said), { kind: "raw", text: payload }]);
}

function before(said: string) {
  return said === "" ? [] : [{ kind: "text" as const, text: said }];
}

export const PROVIDER_FAULTS: readonly ProviderFault[] = [
  ...[
    { name: "400 refused", answer: status(400, "too many tools"), reason: /400.*too many tools/ },
    { name: "401 unauthorized", answer: status(401, "bad key"), reason: /401.*bad key/ },
    { name: "403 forbidden", answer: status(403, "no such plan"), reason: /403.*no such plan/ },
    { name: "404 unknown model", answer: status(404, "no such model"), reason: /404.*no such model/ },
    { name: "429 for good", answer: status(429, "slow down"), reason: /429.*slow down/ },
    { name: "429 once", answer: status(429, "slow down"), times: 1 },
    {
      name: "429 once, retry-after 0",
      answer: status(429, "slow down", { "retry-after": "0" }),
      times: 1,
    },
    {
      name: "429 once, retry-after an hour",
      answer: status(429, "slow down", { "retry-after": "3600" }),
      times: 1,
    },
    { name: "500 for good", answer: status(500, "on fire"), reason: /500.*on fire/ },
    { name: "500 once", answer: status(500, "on fire"), times: 1 },
    { name: "503 for good", answer: status(503, "gone fishing"), reason: /503.*gone fishing/ },
    { name: "503 once", answer: status(503, "gone fishing"), times: 1 },
  ].map((fault) => ({ ...fault, strikes: "before an answer" as const })),
  ...[
    { name: "invalid JSON", answer: event("data: {this is not JSON\n\n"), reason: /JSON/ },
    {
      name: "an error inside the stream",
      answer: event(`data: ${JSON.stringify({ error: { message: "overheated", code: 400 } })}\n\n`),
      reason: /overheated/,
    },
    {
      name: "a stream without an end",
      answer: (said: string) => new step.Answer(before(said)),
      reason: /finish_reason|ended/i,
    },
    {
      name: "a dropped stream",
      answer: (said: string) => step.cut(said),
      reason: /terminated|closed|ended/i,
    },
    { name: "a stream dropped once", answer: (said: string) => step.cut(said), times: 1 },
    { name: "the output limit", answer: (said: string) => step.limit(said), reason: /output limit/ },
    { name: "a content filter", answer: (said: string) => step.filtered(said), reason: /content_filter/ },
  ].map((fault) => ({ ...fault, strikes: "anywhere" as const })),
];

export function strikes(fault: ProviderFault, stage: Stage): boolean {
  return fault.strikes === "anywhere" || stage.said === undefined;
}
