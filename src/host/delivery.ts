// Brings a settled consultation of the error and human origins to where it belongs: advice to the
// executor as one message that starts no turn, anything else to people's eyes alone.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { ADVICE_MESSAGE, adviceBlocks } from "../core/advice-message.ts";
import type { Consultation } from "../core/consultation.ts";
import { outcomeSentence } from "../core/outcome.ts";
import type { Settled } from "./engine.ts";
import type { Report } from "./report.ts";
import { REPORT_ENTRY } from "./report.ts";

export type Outbox = Pick<ExtensionAPI, "sendMessage" | "appendEntry">;

export function deliver(outbox: Outbox, consultation: Consultation, { outcome, record }: Settled): void {
  if (outcome.kind !== "advised") {
    const report: Report = { sentence: outcomeSentence(outcome), record };
    outbox.appendEntry(REPORT_ENTRY, report);
    return;
  }
  // While a turn ends Pi keeps such a message for the very next request; steering would put it behind
  // what the user steered, and entries returned from turn_end can be dropped by another extension.
  outbox.sendMessage(
    {
      customType: ADVICE_MESSAGE,
      content: adviceBlocks(consultation, outcome.advice),
      display: true,
      details: record,
    },
    { triggerTurn: false },
  );
}

/** What the user is told when the session took neither advice nor report: its file may be gone or full. */
export function undelivered(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Angel's answer could not be put into the session: ${reason}`;
}
