// What a consultation consumed. "Not reported" is a state of its own: it never becomes a zero, and
// a sum with a hole in it is partial, not known.

import type { SessionEntry } from "@mariozechner/pi-coding-agent";

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

/**
 * Adds up a child session: assistant messages, compaction and branch summaries, and what tools
 * report of nested model work. A message that produced something without usage leaves a hole.
 */
export function tallyUsage(
  entries: Iterable<SessionEntry>,
  hasPrice: (provider: string, model: string) => boolean,
): ChildUsage {
  const byModel = new Map<string, ModelUsage>();
  let current = { provider: "unknown", model: "unknown" };
  let holes = 0;
  const add = (at: { provider: string; model: string }, usage: PiUsage | undefined) => {
    if (usage === undefined || isUnreported(usage)) {
      holes += 1;
      return;
    }
    const key = JSON.stringify([at.provider, at.model]);
    const before = byModel.get(key);
    byModel.set(key, {
      provider: at.provider,
      model: at.model,
      usage: before ? addUsage(before.usage, usage) : usage,
    });
  };

  for (const entry of entries) {
    if (entry.type === "model_change") current = { provider: entry.provider, model: entry.modelId };
    if (entry.type === "compaction" || entry.type === "branch_summary") add(current, entry.usage);
    if (entry.type !== "message") continue;
    const { message } = entry;
    if (message.role === "assistant") {
      current = { provider: message.provider, model: message.model };
      // A provider that refused the request consumed nothing, so there is nothing to report.
      const wasRefused = message.stopReason === "error" && message.content.length === 0;
      if (!wasRefused || !isUnreported(message.usage)) add(current, message.usage);
    }
    if (message.role === "toolResult" && message.usage) add(current, message.usage);
  }

  const models = [...byModel.values()];
  return { byModel: models, report: reportUsage(models, holes, hasPrice) };
}

function reportUsage(
  models: readonly ModelUsage[],
  holes: number,
  hasPrice: (provider: string, model: string) => boolean,
): UsageReport {
  const sum = models
    .map((one) => one.usage)
    .reduce<PiUsage | undefined>((a, b) => (a ? addUsage(a, b) : b), undefined);
  if (!sum) return { state: "unavailable" };
  const isPriced = models.every((one) => one.usage.cost.total > 0 || hasPrice(one.provider, one.model));
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

/** Pi writes zeros where a provider reported nothing. */
function isUnreported(usage: PiUsage): boolean {
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite + usage.totalTokens === 0;
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
    },
  };
}

function addOptional<K extends string>(key: K, a: number | undefined, b: number | undefined) {
  return a === undefined && b === undefined ? {} : { [key]: (a ?? 0) + (b ?? 0) };
}
