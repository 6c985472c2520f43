// What a consultation consumed. "Not reported" is a state of its own: it never becomes a zero, and
// a sum with a hole in it is partial, not known.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";
import { isRecord } from "./is-record.ts";

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens: number;
}

export type UsageReport =
  | (Tokens & {
      readonly state: "known" | "partial";
      /** US dollars. Absent when a model involved has no price. */
      readonly cost?: number;
    })
  | { readonly state: "unavailable" };

/** Pi's own usage value, as it stands in session entries. */
export type PiUsage = Extract<SessionEntry, { type: "usage" }>["usage"];

type AssistantMessage = Extract<Extract<SessionEntry, { type: "message" }>["message"], { role: "assistant" }>;

/** What one model consumed, in the shape that a usage entry of the parent takes. */
export interface ModelUsage {
  readonly provider: string;
  readonly model: string;
  readonly usage: PiUsage;
}

export interface ChildUsage {
  readonly byModel: readonly ModelUsage[];
  readonly report: UsageReport;
}

export type PriceLookup = (provider: string, model: string) => boolean;

export const NOTHING_SPENT: UsageReport = {
  state: "known",
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: 0,
};

type ModelName = Pick<ModelUsage, "provider" | "model">;

/**
 * Adds up a child session: assistant messages, compaction and branch summaries, usage entries, and what
 * tools report of nested model work. A request that may have been served without a report leaves a hole.
 */
export function tallyUsage(entries: Iterable<SessionEntry>, hasPrice: PriceLookup): ChildUsage {
  const byModel = new Map<string, ModelUsage>();
  let current: ModelName = { provider: "unknown", model: "unknown" };
  let holes = 0;
  // A session that ends with a question may have asked it: the answer, and its usage, were not recorded.
  let isAwaitingAnswer = false;
  const add = ({ provider, model }: ModelName, usage: unknown) => {
    if (!isReported(usage)) {
      holes += 1;
      return;
    }
    const key = JSON.stringify([provider, model]);
    const before = byModel.get(key);
    byModel.set(key, { provider, model, usage: before ? addUsage(before.usage, usage) : usage });
  };

  for (const entry of entries) {
    if (entry.type === "model_change") current = { provider: entry.provider, model: entry.modelId };
    if (entry.type === "compaction" || entry.type === "branch_summary") add(current, entry.usage);
    if (entry.type === "usage") add(entry, entry.usage);
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role !== "system") isAwaitingAnswer = message.role !== "assistant";
    if (message.role === "assistant") {
      current = message;
      if (!wasRefused(message)) add(message, message.usage);
      // What a stopped answer reported by then is not all that it consumed.
      if (message.stopReason === "aborted" && isReported(message.usage)) holes += 1;
    }
    if (message.role === "toolResult" && message.usage) add(current, message.usage);
  }

  if (isAwaitingAnswer) holes += 1;
  return { byModel: [...byModel.values()], report: reportUsage([...byModel.values()], holes, hasPrice) };
}

/**
 * A provider that turned the request down with an HTTP error consumed nothing. An answer that broke off, even
 * before its first word, may have been billed.
 */
function wasRefused({ stopReason, responseId, content, usage, errorMessage }: AssistantMessage): boolean {
  if (!/^[45]\d\d\b/.test(errorMessage ?? "")) return false;
  const saidNothing = content.every((block) => block.type === "text" && block.text === "");
  return stopReason === "error" && responseId === undefined && saidNothing && !isReported(usage);
}

function reportUsage(models: readonly ModelUsage[], holes: number, hasPrice: PriceLookup): UsageReport {
  const sum = models
    .map((one) => one.usage)
    .reduce<PiUsage | undefined>((a, b) => (a ? addUsage(a, b) : b), undefined);
  if (!sum) return holes > 0 ? { state: "unavailable" } : NOTHING_SPENT;
  const isPriced = models.every(
    ({ provider, model, usage: { cost } }) =>
      cost.total > 0 || cost.totalFromProvider === true || hasPrice(provider, model),
  );
  return {
    state: holes > 0 ? "partial" : "known",
    input: sum.input,
    output: sum.output,
    cacheRead: sum.cacheRead,
    cacheWrite: sum.cacheWrite,
    totalTokens: sum.totalTokens,
    ...(isPriced ? { cost: sum.cost.total } : {}),
  };
}

/** Pi writes zeros where a provider reported nothing; a tool of an extension may report anything. */
function isReported(usage: unknown): usage is PiUsage {
  if (!isRecord(usage) || !isRecord(usage.cost)) return false;
  const { input, output, cacheRead, cacheWrite, totalTokens } = usage;
  const counts = [input, output, cacheRead, cacheWrite, totalTokens];
  const { cost } = usage;
  const prices = [cost.input, cost.output, cost.cacheRead, cost.cacheWrite, cost.total];
  return [...counts, ...prices].every(Number.isFinite) && counts.some((count) => count !== 0);
}

function addUsage(a: PiUsage, b: PiUsage): PiUsage {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    totalTokens: a.totalTokens + b.totalTokens,
    ...addOptional("cacheWrite1h", a.cacheWrite1h, b.cacheWrite1h),
    ...addOptional("reasoning", a.reasoning, b.reasoning),
    cost: {
      input: a.cost.input + b.cost.input,
      output: a.cost.output + b.cost.output,
      cacheRead: a.cost.cacheRead + b.cost.cacheRead,
      cacheWrite: a.cost.cacheWrite + b.cost.cacheWrite,
      total: a.cost.total + b.cost.total,
      // A sum is a billed one only when every part is.
      ...(a.cost.totalFromProvider && b.cost.totalFromProvider ? { totalFromProvider: true } : {}),
    },
  };
}

function addOptional<K extends string>(key: K, a: number | undefined, b: number | undefined) {
  return a === undefined && b === undefined ? {} : { [key]: (a ?? 0) + (b ?? 0) };
}
