// How a consultation ended. Decided once: whatever comes later never rewrites it.

export type Outcome =
  | { readonly kind: "advised"; readonly advice: string }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "cancelled"; readonly reason: string };

export function failed(reason: string): Outcome {
  return { kind: "failed", reason };
}

export function cancelled(reason: string): Outcome {
  return { kind: "cancelled", reason };
}

/** The one line that a human or a model reads about an outcome without advice. */
export function outcomeSentence(outcome: Exclude<Outcome, { kind: "advised" }>): string {
  return outcome.kind === "failed"
    ? `Angel gave no advice: ${outcome.reason}`
    : `The consultation was cancelled: ${outcome.reason}`;
}
