// The subdued words about a consultation: who advised, how long, what it cost, where it is kept.

import type { ConsultationRecord } from "../core/record.ts";
import type { UsageReport } from "../core/usage.ts";
import { plainLine } from "./plain.ts";

/** `local/adv · thinking max · 12 s · 4.2k tokens · $0.0123 · session 01JD…` */
export function metadataLine(record: ConsultationRecord): string {
  return [
    ...(record.model ? [plainLine(record.model)] : []),
    ...thinkingWords(record),
    seconds(record.elapsedMs),
    ...usageWords(record.usage),
    ...(record.childSessionId ? [`session ${shortId(record.childSessionId)}`] : []),
  ].join(" · ");
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

function sessionWords({ childSessionId, childSessionFile }: ConsultationRecord): string[] {
  if (!childSessionId) return ["no child session was made"];
  if (!childSessionFile) return [`child session ${plainLine(childSessionId)}, not kept on disk`];
  return [
    `child session ${plainLine(childSessionId)}, listed under its parent in /resume, or`,
    `pi --session ${plainLine(childSessionFile)}`,
  ];
}

function seconds(elapsedMs: number): string {
  const total = Math.round(elapsedMs / 1000);
  if (elapsedMs < 10_000) return `${(elapsedMs / 1000).toFixed(1)} s`;
  return total < 60 ? `${total} s` : `${Math.floor(total / 60)} min ${total % 60} s`;
}

function compact(tokens: number): string {
  if (tokens < 1000) return String(tokens);
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(1)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

function dollars(cost: number): string {
  return cost > 0 && cost < 0.0001 ? "under $0.0001" : `$${cost.toFixed(4)}`;
}
