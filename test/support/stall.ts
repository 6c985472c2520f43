// What a test of the error origin looks at again and again.

import type { SessionEntry, SessionManager } from "@mariozechner/pi-coding-agent";
import type { FauxModel } from "./faux-models.ts";

type AdviceEntry = Extract<SessionEntry, { type: "custom_message" }>;

export function adviceMessages(session: SessionManager): AdviceEntry[] {
  return session
    .getEntries()
    .flatMap((entry) =>
      entry.type === "custom_message" && entry.customType === "angel-advice" ? [entry] : [],
    );
}

/** The reports that people saw, oldest first. */
export function reports(session: SessionManager): unknown[] {
  return session
    .getEntries()
    .flatMap((entry) => (entry.type === "custom" && entry.customType === "angel-report" ? [entry.data] : []));
}

/** What the model was sent in its n-th request (from 0), message by message, as text. */
export function requestTexts(model: FauxModel, n: number): string[] {
  const messages = model.requests[n];
  if (!messages)
    throw new Error(`The model got ${model.requests.length} requests; there is no request ${n}.`);
  return messages.map((message) => {
    if (typeof message.content === "string") return message.content;
    return message.content.map((block) => ("text" in block ? block.text : "")).join("\n");
  });
}
