// The books of a consultation that has ended: what the child spent is charged to the parent, and one record
// of the same shape says what became of it.

import { existsSync } from "node:fs";
import type { AgentSession, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Consultation } from "../core/consultation.ts";
import { subjectOf } from "../core/naming.ts";
import type { Outcome } from "../core/outcome.ts";
import { cancelled } from "../core/outcome.ts";
import type { ConsultationRecord } from "../core/record.ts";
import { RECORD_VERSION } from "../core/record.ts";
import { isOnBranch } from "../core/snapshot.ts";
import type { PriceLookup, UsageReport } from "../core/usage.ts";
import { tallyUsage } from "../core/usage.ts";
import { chargeParent } from "./accounting.ts";

/** What is known of a consultation by the time it settles. */
export type Facts = Partial<
  Pick<
    ConsultationRecord,
    | "model"
    | "thinking"
    | "parentLeafId"
    | "childSessionId"
    | "childSessionFile"
    | "refusedBy"
    | "changedBy"
    | "companions"
  >
> & { readonly usage: UsageReport };

/** Charges the parent and says what is left of the child. */
export function settleChild(
  session: AgentSession,
  hasPrice: PriceLookup,
  parentManager: object,
): Pick<Facts, "usage" | "childSessionId" | "childSessionFile"> {
  const { sessionId, sessionFile } = session;
  const { byModel, report } = tallyUsage(session.sessionManager.getEntries(), hasPrice);
  try {
    chargeParent(parentManager, byModel, sessionId);
  } catch {
    // The parent's folder may be gone or full; its record still says what was spent.
  }
  return {
    usage: report,
    childSessionId: sessionId,
    ...(sessionFile && existsSync(sessionFile) ? { childSessionFile: sessionFile } : {}),
  };
}

export function priceLookup(models: Pick<ExtensionContext["modelRegistry"], "find">): PriceLookup {
  return (provider, id) => {
    const cost = models.find(provider, id)?.cost;
    return cost !== undefined && cost.input + cost.output > 0;
  };
}

export function composeRecord(
  consultation: Consultation,
  outcome: Outcome,
  facts: Facts,
  elapsedMs: number,
): ConsultationRecord {
  const { id, origin, asked } = consultation;
  return {
    version: RECORD_VERSION,
    consultationId: id,
    origin,
    subject: subjectOf(consultation),
    outcome: outcome.kind,
    ...(outcome.kind === "advised" ? {} : { reason: outcome.reason }),
    asked,
    elapsedMs,
    ...facts,
  };
}

export const MOVED = "the session moved to another place in its tree.";

/** The last look before a session takes an answer: one that finds it elsewhere in its tree is withheld. */
export function withheldIfMoved<S extends { readonly outcome: Outcome; readonly record: ConsultationRecord }>(
  settled: S,
  session: Parameters<typeof isOnBranch>[0],
): S {
  const { outcome, record } = settled;
  const { parentLeafId } = record;
  if (outcome.kind !== "advised" || parentLeafId === undefined || isOnBranch(session, parentLeafId))
    return settled;
  return {
    ...settled,
    outcome: cancelled(MOVED),
    record: { ...record, outcome: "cancelled", reason: MOVED },
  };
}
