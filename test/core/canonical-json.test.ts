import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "../../src/core/canonical-json.ts";
import { identifyOperation } from "../../src/core/operation.ts";

/** The same value with every object's keys in another order; own `__proto__` keys survive. */
function shuffle(value: unknown, seed: number): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffle(one, seed));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, shuffle(inner, seed)] as const);
  const turned = [
    ...entries.slice(seed % (entries.length || 1)),
    ...entries.slice(0, seed % (entries.length || 1)),
  ];
  return Object.fromEntries(turned.reverse());
}

const { object: anyObject } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    tie("leaf"),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  leaf: fc.oneof(
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  ),
  object: fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), tie("value"), { maxKeys: 5 }),
}));

/** Few characters, and those that JSON itself is made of: texts that differ only in what was lost would meet here. */
const tricky = fc.string({ unit: fc.constantFrom('"', ",", ":", "\\", "a", "1"), maxLength: 5 });
const trickyObject = fc.dictionary(
  fc.oneof(tricky, fc.constantFrom("__proto__", "a", "b")),
  fc.oneof(tricky, fc.array(tricky, { maxLength: 3 }), fc.constantFrom(1, "1", null)),
  {
    maxKeys: 2,
  },
);

test("Arguments are equal exactly when the raw calls are, in any key order and at any depth.", () => {
  fc.assert(
    fc.property(anyObject, fc.nat(20), (one, seed) => {
      const first = identifyOperation("bash", one);
      expect(first).toBeDefined();
      expect(identifyOperation("bash", shuffle(one, seed))).toEqual(first);
    }),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.array(trickyObject, { minLength: 30, maxLength: 60 }), (many) => {
      for (const [i, one] of many.entries()) {
        for (const other of many.slice(i)) {
          expect(canonicalJson(one) === canonicalJson(other)).toBe(deepEqual(one, other));
        }
      }
    }),
    { numRuns: 60 },
  );
  fc.assert(
    fc.property(tricky, tricky, (one, other) => {
      expect(canonicalJson([`${one}","${other}`]) === canonicalJson([one, other])).toBe(false);
    }),
  );
});

/** Equality by structure, told apart from the code under test: it never makes a text. */
function deepEqual(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => {
      const own = Object.getOwnPropertyDescriptor(a, key);
      const other = Object.getOwnPropertyDescriptor(b, key);
      return other !== undefined && deepEqual(own?.value, other.value);
    })
  );
}

test.each([
  ['{"a":1,"b":{"c":2,"d":[1,2]}}', '{"b":{"d":[1,2],"c":2},"a":1}'],
  ['{ "k" : "\\u0041" }', '{"k":"A"}'],
  ['{"10":1,"9":2,"z":3,"Z":4,"ä":5}', '{"ä":5,"Z":4,"z":3,"9":2,"10":1}'],
])("%s is the same operation as %s", (one, other) => {
  expect(identifyOperation("t", JSON.parse(one))).toEqual(identifyOperation("t", JSON.parse(other)));
});

test.each([
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":null}', "{}"],
  ['{"a":"\\u00e9"}', '{"a":"e\\u0301"}'],
  ['{"a":"a "}', '{"a":"a"}'],
  ['{"__proto__":{"x":1}}', "{}"],
  ['{"__proto__":{"x":1}}', '{"__proto__":{"x":2}}'],
  ['{"a":"1,\\"b\\":2"}', '{"a":1,"b":2}'],
  ['{"k":["a","b"]}', '{"k":["a,b"]}'],
  ['{"n":"5"}', '{"n":5}'],
  ['{"n":-0}', '{"n":0}'],
])("%s is another operation than %s", (one, other) => {
  expect(identifyOperation("t", JSON.parse(one))).not.toEqual(identifyOperation("t", JSON.parse(other)));
});

test("another tool with equal arguments is another operation", () => {
  expect(identifyOperation("one", { a: 1 })).not.toEqual(identifyOperation("two", { a: 1 }));
});

test("What is not plain JSON identifies nothing and breaks nothing.", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = { cycle };
  const wide: { values: unknown[] } = { values: [] };
  for (let depth = 0; depth < 40; depth += 1) wide.values = [wide.values, wide.values];
  const strange: unknown[] = [
    undefined,
    null,
    5,
    "text",
    [1],
    { n: Number.NaN },
    { n: Number.POSITIVE_INFINITY },
    { n: 1n },
    { f: () => 1 },
    { s: Symbol("s") },
    { u: undefined },
    { holes: Object.assign(new Array(3), { 0: 1 }) },
    { date: new Date(0) },
    { map: new Map([[1, 2]]) },
    { [Symbol("key")]: 1 },
    { deep: JSON.parse(`${"[".repeat(6000)}${"]".repeat(6000)}`) },
    cycle,
    wide,
    Object.defineProperty({}, "trap", {
      enumerable: true,
      get: () => {
        throw new Error("trap");
      },
    }),
    new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no keys");
        },
      },
    ),
  ];

  for (const value of strange) expect(identifyOperation("t", value)).toBeUndefined();
});

test("Only the tool's name and a hash of its arguments are kept.", () => {
  const operation = identifyOperation("bash", { command: "echo SECRET-VALUE" });

  expect(operation).toEqual({ tool: "bash", argumentsHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(JSON.stringify(operation)).not.toContain("SECRET");
});
