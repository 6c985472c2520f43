// Brings a settled consultation of the error and human origins to where it belongs: advice to the
// executor as one message that starts no turn, anything else to people's eyes alone.

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import { ADVICE_MESSAGE, adviceBlocks } from "../core/advice-message.ts";
import type { Consultation } from "../core/consultation.ts";
import { outcomeSentence } from "../core/outcome.ts";
import type { Settled } from "./engine.ts";
import type { Report } from "./report.ts";
import { REPORT_ENTRY } from "./report.ts";

export type Outbox = Pick<ExtensionAPI, "sendMessage" | "appendEntry">;

/** The session that an answer goes to. */
export type Recipient = Pick<ExtensionContext, "sessionManager" | "isIdle">;

/** @throws when the session takes nothing: its file may be gone or full */
export function deliver(
  outbox: Outbox,
  consultation: Consultation,
  { outcome, record }: Settled,
  session: Recipient,
): void {
  if (outcome.kind !== "advised") {
    const report: Report = { sentence: outcomeSentence(outcome), record };
    outbox.appendEntry(REPORT_ENTRY, report);
    return;
  }
  const isTakenAtOnce = session.isIdle();
  const leafBefore = session.sessionManager.getLeafId();
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
  // Pi tells of a message that it could not store in words that name neither Angel nor the advice.
  if (isTakenAtOnce && session.sessionManager.getLeafId() === leafBefore) {
    throw new Error("Pi could not store it.");
  }
}

/** What the user is told when the session took neither advice nor report. */
export function undelivered({ outcome, record }: Settled, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (outcome.kind !== "advised") {
    return `${outcomeSentence(outcome)} Angel's report could not be put into the session: ${reason}`;
  }
  const place = record.childSessionFile ? ` The advice is kept in ${record.childSessionFile}.` : "";
  return `Angel's answer could not be put into the session: ${reason}${place}`;
}
