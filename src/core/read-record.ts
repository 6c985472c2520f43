// Reads a record back from a session, where an older or newer Angel may have written it.

import { isRecord } from "./is-record.ts";
import type { ConsultationRecord, PlainFacts, Thinking } from "./record.ts";
import type { UsageReport } from "./usage.ts";

/** No Angel writes it. */
const UNKNOWN_VERSION = 0;

/** What can be understood of it; undefined when it is no record at all. Missing parts read as "not known". */
export function readRecord(value: unknown): ConsultationRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { consultationId, outcome } = value;
  if (typeof consultationId !== "string") return undefined;
  if (outcome !== "advised" && outcome !== "failed" && outcome !== "cancelled") return undefined;
  const thinking = readThinking(value.thinking);
  const leaf = value.parentLeafId;
  return {
    version: isNumber(value.version) ? value.version : UNKNOWN_VERSION,
    consultationId,
    outcome,
    origin: text(value.origin) ?? "unknown",
    asked: text(value.asked) ?? "at an unknown time",
    elapsedMs: isNumber(value.elapsedMs) ? value.elapsedMs : 0,
    usage: readUsage(value.usage),
    ...optional("subject", text(value.subject)),
    ...optional("reason", text(value.reason)),
    ...optional("model", text(value.model)),
    ...optional("thinking", thinking),
    ...optional("childSessionId", text(value.childSessionId)),
    ...optional("childSessionFile", text(value.childSessionFile)),
    ...(leaf === null ? { parentLeafId: null } : optional("parentLeafId", text(leaf))),
    ...optional("refusedBy", text(value.refusedBy)),
    ...optional("changedBy", names(value.changedBy)),
    ...optional("companions", companionFacts(value.companions)),
  };
}

function readThinking(value: unknown): Thinking | undefined {
  if (!isRecord(value)) return undefined;
  const requested = text(value.requested);
  const effective = text(value.effective);
  return requested === undefined || effective === undefined ? undefined : { requested, effective };
}

/** A count that is missing makes all of it unavailable: nothing unknown is shown as zero. */
function readUsage(value: unknown): UsageReport {
  if (!isRecord(value)) return { state: "unavailable" };
  const { state, input, output, cacheRead, cacheWrite, totalTokens, cost } = value;
  if (state !== "known" && state !== "partial") return { state: "unavailable" };
  if (!isNumber(input) || !isNumber(output) || !isNumber(cacheRead)) return { state: "unavailable" };
  if (!isNumber(cacheWrite) || !isNumber(totalTokens)) return { state: "unavailable" };
  return { state, input, output, cacheRead, cacheWrite, totalTokens, ...(isNumber(cost) ? { cost } : {}) };
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function names(value: unknown): string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : undefined;
}

function companionFacts(value: unknown): Record<string, PlainFacts> | undefined {
  if (!isRecord(value)) return undefined;
  const facts = Object.entries(value).flatMap(([name, own]) =>
    isRecord(own) ? [[name, plainFacts(own)]] : [],
  );
  return Object.fromEntries(facts);
}

/** Whatever a companion gave: only what has one plain value is kept. */
export function plainFacts(value: Readonly<Record<string, unknown>>): PlainFacts {
  const plain: Record<string, string | number | boolean> = {};
  for (const [key, one] of Object.entries(value)) {
    if (typeof one === "string" || typeof one === "boolean" || isNumber(one)) plain[key] = one;
  }
  return plain;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function optional<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  const found: Partial<Record<K, T>> = {};
  if (value !== undefined) found[key] = value;
  return found;
}
