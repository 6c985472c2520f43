// The oldest Pi that has what Angel stands on: error results that carry usage, key hints in renderers.

export const OLDEST_PI = "1.5.0";

/** The sentence for a Pi that is too old; undefined when it will do. */
export function hostProblem(version: unknown): string | undefined {
  if (typeof version !== "string")
    return `Angel needs Pi ${OLDEST_PI} or newer; this host does not say its version.`;
  return isAtLeast(version, OLDEST_PI)
    ? undefined
    : `Angel needs Pi ${OLDEST_PI} or newer; this is Pi ${version}.`;
}

function isAtLeast(version: string, oldest: string): boolean {
  const have = numbersOf(version);
  for (const [i, need] of numbersOf(oldest).entries()) {
    const own = have[i] ?? 0;
    if (own !== need) return own > need;
  }
  return true;
}

function numbersOf(version: string): number[] {
  return (version.split(/[-+]/)[0] ?? "").split(".").map((part) => Number.parseInt(part, 10) || 0);
}
