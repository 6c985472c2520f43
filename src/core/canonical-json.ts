// One text for equal arguments and different texts for different ones: keys sorted by code unit at
// every depth, nothing lost on the way. What is not plain JSON has no text.

/** Far beyond any tool's arguments, far below what overflows the stack. */
const MAX_DEPTH = 500;
/** Values shared many times over would otherwise multiply without end. */
const MAX_VALUES = 1_000_000;

/** Undefined for anything that JSON cannot hold exactly: NaN, BigInt, functions, cycles, holes, absurd depth. */
export function canonicalJson(value: unknown): string | undefined {
  const out: string[] = [];
  const budget = { values: MAX_VALUES };
  try {
    return write(value, out, 0, budget) ? out.join("") : undefined;
  } catch {
    // A getter or a proxy of somebody else's making threw: not plain JSON.
    return undefined;
  }
}

function write(value: unknown, out: string[], depth: number, budget: { values: number }): boolean {
  budget.values -= 1;
  if (depth > MAX_DEPTH || budget.values < 0) return false;
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    out.push(JSON.stringify(value));
    return true;
  }
  if (typeof value === "number") {
    // JSON.stringify would turn -0 into 0 and NaN into null.
    out.push(Object.is(value, -0) ? "-0" : String(value));
    return Number.isFinite(value);
  }
  if (typeof value !== "object") return false;
  return Array.isArray(value)
    ? writeArray(value, out, depth, budget)
    : writeObject(value, out, depth, budget);
}

function writeArray(
  array: readonly unknown[],
  out: string[],
  depth: number,
  budget: { values: number },
): boolean {
  out.push("[");
  // By index, so that a hole is met as the undefined that JSON does not have.
  for (let i = 0; i < array.length; i += 1) {
    if (i > 0) out.push(",");
    if (!write(array[i], out, depth + 1, budget)) return false;
  }
  out.push("]");
  return true;
}

function writeObject(value: object, out: string[], depth: number, budget: { values: number }): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  out.push("{");
  // Array.prototype.sort without a comparator compares code units, in every locale.
  for (const [i, key] of Object.keys(value).sort().entries()) {
    out.push(i > 0 ? "," : "", JSON.stringify(key), ":");
    const own = Object.getOwnPropertyDescriptor(value, key);
    if (!write(own?.value, out, depth + 1, budget)) return false;
  }
  out.push("}");
  return true;
}
