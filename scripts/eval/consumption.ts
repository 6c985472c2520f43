// Who consumed what in a run. The executor: its answers and compactions. The advisor: usage entries, and what tools report
// of their own model calls. A consultation that left neither makes the advisor's sum partial, never a zero.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import { isRecord } from "../../src/core/is-record.ts";
import type { UsageReport } from "../../src/core/usage.ts";
import { tallyUsage } from "../../src/core/usage.ts";

export interface Consumption {
  readonly executor: UsageReport;
  readonly advisor: UsageReport;
}

/** `consultations` counts those that were begun, advice or not. */
export function consumptionOf(entries: readonly SessionEntry[], consultations: number): Consumption {
  const executor = tally(entries.flatMap(executorsPart));
  const advisors = entries.flatMap(advisorsPart);
  const accounts = new Set(advisors.map(({ note, id }) => note ?? id)).size;
  const advisor = tally(advisors);
  return { executor, advisor: accounts < consultations ? withHole(advisor) : advisor };
}

type UsageEntry = Extract<SessionEntry, { type: "usage" }>;

// Whether a model has a price is asked when the sums are shown.
function tally(entries: readonly SessionEntry[]): UsageReport {
  return tallyUsage(entries, () => true).report;
}

/** Results stay in, since a run that ends with one was waiting for an answer; what they report of advisors does not. */
function executorsPart(entry: SessionEntry): SessionEntry[] {
  if (entry.type === "usage") return [];
  if (entry.type !== "message" || entry.message.role !== "toolResult") return [entry];
  const { usage: _advisors, ...message } = entry.message;
  return [{ ...entry, message }];
}

function advisorsPart(entry: SessionEntry): UsageEntry[] {
  if (entry.type === "usage") return [entry];
  if (entry.type !== "message" || entry.message.role !== "toolResult") return [];
  const { id, parentId, timestamp, message } = entry;
  const usage = message.usage ?? usageIn(message.details);
  if (usage === undefined) return [];
  return [
    {
      type: "usage",
      id,
      parentId,
      timestamp,
      kind: "tool",
      provider: "tool",
      model: message.toolName,
      usage,
    },
  ];
}

/** Where packages report it that do not know of Pi's own place for it. */
function usageIn(details: unknown): UsageEntry["usage"] | undefined {
  const usage: unknown = isRecord(details) ? details.usage : undefined;
  return isUsage(usage) ? usage : undefined;
}

/** Whether its numbers are such is asked when they are summed up. */
function isUsage(value: unknown): value is UsageEntry["usage"] {
  return isRecord(value) && typeof value.totalTokens === "number" && isRecord(value.cost);
}

function withHole(report: UsageReport): UsageReport {
  if (report.state === "unavailable" || report.totalTokens === 0) return { state: "unavailable" };
  return { ...report, state: "partial" };
}
