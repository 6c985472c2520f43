/** Numbers that look random and are the same for the same seed: what a failure prints can be played again. */

export interface Seeded {
  /** 0 ≤ n < `limit` */
  below(limit: number): number;
  pick<T>(values: readonly T[]): T;
  shuffle<T>(values: readonly T[]): T[];
}

/** A linear congruential generator with the constants of Numerical Recipes; its high bits are good enough. */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const below = (limit: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  // Small seeds begin alike.
  for (let turn = 0; turn < 8; turn += 1) below(1);
  return {
    below,
    pick(values) {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error("There is nothing to pick from.");
      return value;
    },
    shuffle(values) {
      const rest = [...values];
      return values.flatMap(() => rest.splice(below(rest.length), 1));
    },
  };
}
