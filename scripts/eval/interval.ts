// Intervals of 95 %: Wilson's for proportions, a bootstrap for means. Both say how little few runs tell.

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The two-sided quantile of the normal distribution for 95 %. */
const Z = 1.959964;

/** @see Wilson 1927; unlike the usual one it stays between 0 and 1 and is no point at 0 of n */
export function wilson(successes: number, of: number): Interval {
  if (of === 0) return { low: 0, high: 1 };
  const share = successes / of;
  const spread = Z ** 2 / of;
  const middle = share + spread / 2;
  const reach = Z * Math.sqrt((share * (1 - share) + spread / 4) / of);
  return {
    low: Math.max(0, (middle - reach) / (1 + spread)),
    high: Math.min(1, (middle + reach) / (1 + spread)),
  };
}

const RESAMPLES = 2000;

/**
 * The interval of a mean over groups: whole groups are drawn, since the runs of one episode resemble each other.
 * The same values give the same interval, whenever and wherever it is computed. Undefined for fewer than two groups.
 */
export function bootstrapMean(groups: readonly (readonly number[])[]): Interval | undefined {
  const filled = groups.filter(({ length }) => length > 0);
  if (filled.length < 2) return undefined;
  const random = seededRandom(filled.length);
  const draw = () => filled[Math.floor(random() * filled.length)] ?? [];
  const means = Array.from({ length: RESAMPLES }, () => mean(filled.flatMap(draw))).sort((a, b) => a - b);
  const at = (quantile: number) => means[Math.floor(quantile * (RESAMPLES - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A 32-bit generator (mulberry32): small, and good enough for drawing with replacement. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
