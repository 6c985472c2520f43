// The subdued words about a consultation: who advised, how long, what it cost, where it is kept.

import { sessionName } from "../core/naming.ts";
import type { ConsultationRecord } from "../core/record.ts";
import { RECORD_VERSION } from "../core/record.ts";
import type { UsageReport } from "../core/usage.ts";
import type { Fact } from "./lines.ts";
import { plainLine } from "./plain.ts";

/** `local/adv · thinking max · 12 s · 4.2k tokens · $0.0123 · session 01JD…`; model, cost and time stay longest. */
export function metadataFacts(record: ConsultationRecord): Fact[] {
  const { model, childSessionId } = record;
  const [tokens = "", cost] = usageWords(record.usage);
  return [
    ...(model ? [{ text: plainLine(model), rank: 6 }] : []),
    ...thinkingWords(record).map((text) => ({ text, rank: 3 })),
    { text: seconds(record.elapsedMs), rank: 4 },
    { text: tokens, rank: cost === undefined ? 5 : 2 },
    ...(cost === undefined ? [] : [{ text: cost, rank: 5 }]),
    ...(childSessionId ? [{ text: `session ${shortId(childSessionId)}`, rank: 1 }] : []),
  ];
}

/** Pi's session ids begin with the time in milliseconds: that much of them tells two sessions apart. */
const ID_LENGTH = 13;

function shortId(id: string): string {
  return plainLine(id.slice(0, ID_LENGTH));
}

/** One fact a line, for the expanded views. */
export function metadataLines(record: ConsultationRecord): string[] {
  const { usage, thinking } = record;
  return [
    `origin ${plainLine(record.origin)}, asked ${plainLine(record.asked)}, took ${seconds(record.elapsedMs)}`,
    ...(record.model ? [`model ${plainLine(record.model)}`] : []),
    ...(thinking
      ? [`thinking requested ${plainLine(thinking.requested)}, effective ${plainLine(thinking.effective)}`]
      : []),
    usage.state === "unavailable"
      ? "usage unavailable"
      : `usage input ${usage.input}, output ${usage.output}, cache read ${usage.cacheRead}, cache write ${usage.cacheWrite}, ` +
        `${usage.cost === undefined ? "cost unavailable" : dollars(usage.cost)}${usage.state === "partial" ? ", partly unreported" : ""}`,
    ...sessionWords(record),
    ...(record.version === RECORD_VERSION
      ? []
      : ["written by another version of Angel; what this one does not know of it is not shown"]),
  ];
}

function thinkingWords({ thinking }: ConsultationRecord): string[] {
  if (!thinking) return [];
  const { requested, effective } = thinking;
  const clamp = requested === effective ? "" : ` (asked ${plainLine(requested)})`;
  return [`thinking ${plainLine(effective)}${clamp}`];
}

function usageWords(usage: UsageReport): string[] {
  if (usage.state === "unavailable") return ["usage unavailable"];
  const tokens = `${compact(usage.totalTokens)} tokens`;
  const cost = usage.cost === undefined ? "cost unavailable" : dollars(usage.cost);
  return [usage.state === "partial" ? `at least ${tokens}` : tokens, cost];
}

function sessionWords({ origin, subject, childSessionId, childSessionFile }: ConsultationRecord): string[] {
  if (!childSessionId) return ["no child session was made"];
  const id = plainLine(childSessionId);
  if (!childSessionFile) return [`child session ${id}, not kept on disk`];
  return [
    ...(subject === undefined ? [] : [`child session ${plainLine(sessionName(origin, subject))}`]),
    `open it with pi --session ${id}, or below its parent in /resume`,
    `kept in ${plainLine(childSessionFile)}`,
  ];
}

/** @param grain "whole" for a time that still runs: tenths would flicker */
export function seconds(elapsedMs: number, grain: "tenths" | "whole" = "tenths"): string {
  const total = grain === "whole" ? Math.floor(elapsedMs / 1000) : Math.round(elapsedMs / 1000);
  if (elapsedMs < 10_000 && grain === "tenths") return `${(elapsedMs / 1000).toFixed(1)} s`;
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

function compact(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

function dollars(cost: number): string {
  return cost > 0 && cost < 0.0001 ? "under $0.0001" : `$${cost.toFixed(4)}`;
}
