// Charges the parent for what a child consumed: once, one usage entry a model, with the child's id
// beside it so that whoever adds up sessions can leave one of the two out.

import type { ModelUsage } from "../core/usage.ts";

const USAGE_KIND = "angel";

/** Pi's session manager has this member but does not publish it to extensions. */
interface UsageBook {
  appendUsage(
    kind: string,
    provider: string,
    model: string,
    usage: ModelUsage["usage"],
    note?: string,
  ): unknown;
}

export function hasUsageBook(sessionManager: object): sessionManager is UsageBook {
  return "appendUsage" in sessionManager && typeof sessionManager.appendUsage === "function";
}

export function chargeParent(
  sessionManager: object,
  models: readonly ModelUsage[],
  childSessionId: string,
): void {
  if (!hasUsageBook(sessionManager)) return;
  for (const { provider, model, usage } of models) {
    sessionManager.appendUsage(USAGE_KIND, provider, model, usage, childSessionId);
  }
}
