/**
 * Hostile arguments on histories of any shape: what comes back is a bounded page or a sentence, and nothing in it
 * comes from another branch, from another session or from what is withheld.
 */

import fc from "fast-check";
import { expect, test } from "vitest";
import { openParentSession } from "../support/ask-parent.ts";
import type { Deed } from "../support/random-history.ts";
import { history, live } from "../support/random-history.ts";
import { buildSession } from "../support/session-builder.ts";

/** Pi's limit on tool output, and the notes that say what was left out. */
const MAX_PAGE_BYTES = 51 * 1024 + 512;
const MAX_SENTENCE_LENGTH = 500;
/** What only the engine says, never the tool. */
const ENGINE_WORDS =
  /TypeError|RangeError|SyntaxError|is not a function|is not iterable|Cannot read|undefined|\[object|NaN|Invalid (regular|array|count|string|time)|Maximum call stack|heap/;
const MEGABYTE = 1024 * 1024;

/** Ids and texts that a model may find in its own head: `at` picks one of those that the session really has. */
type Reference =
  | { readonly kind: "entry" | "off branch" | "call" | "pair" | "other session"; readonly at: number }
  | { readonly kind: "text"; readonly text: unknown };

const at = fc.nat({ max: 1000 });
const hostile = fc.constantFrom<unknown>(
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "__defineGetter__", "hasOwnProperty"],
  ...["", " ", "\u0000", "\ud800", "\udfff", "a\ud83d", "\u202e", "\ufeff", "ß", "ſ", "\u0130".repeat(300)],
  ...[".*", "(a+)+$", "[", "\\", "\\u{110000}", "$&", "(?<a>", "^", "|", "{1,9999}", "/", "-", "\\p{L}"],
  ...["→", "→→", "[→]", "a→", "→a", "__proto__→__proto__", "../../auth.json", "%00", "'; --"],
  ...["NaN", "Infinity", "-Infinity", "-0", "1e3", "0x10", "1_000", "９", "9".repeat(400), "1.5", "+1", " 1"],
  ...[-1, -0, 0, 1, 2, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, 1e21, 1e308, 5e-324, Number.NaN],
  ...[Number.POSITIVE_INFINITY, 7n, Symbol.iterator, null, undefined, true, false],
  ...[{}, [], [[]], [null], { length: 5 }, { toString: 5 }, [[["a"]]]],
);
const real: fc.Arbitrary<Reference> = fc.record({
  kind: fc.constantFrom("entry", "entry", "off branch", "call", "pair", "other session"),
  at,
});
const forged: fc.Arbitrary<Reference> = fc.record({
  kind: fc.constant("text"),
  text: fc.oneof(hostile, fc.string({ unit: "binary" })),
});
const number = fc.nat({ max: 70 });
const sound = {
  action: fc.constantFrom("overview", "list", "files", "search", "get"),
  view: fc.constantFrom("context", "branch", "lost"),
  query: fc.constantFrom("user", "o", "1", " ", "custom", "thought", "system", "result"),
  ids: fc.array(real, { maxLength: 8 }),
  kinds: fc.constantFrom("user", "operation", "bookkeeping", "custom_message", "shell"),
  tool: fc.constant("bash"),
  errorsOnly: fc.boolean(),
  after: real,
  before: real,
  offset: number,
  column: number,
  limit: number,
};
/** At most two arguments are hostile, and some lead astray; the others would be answered well. */
const attack = fc
  .tuple(
    fc.record(sound, { requiredKeys: ["action", "query", "ids"] }),
    fc.uniqueArray(fc.constantFrom(...Object.keys(sound)), { maxLength: 2 }),
    fc.array(fc.oneof(forged, fc.array(forged, { maxLength: 3 })), { minLength: 2, maxLength: 2 }),
    fc.subarray(["after", "before", "offset", "column", "limit", "tool", "errorsOnly", "kinds"], {
      minLength: 5,
    }),
  )
  .map(([usual, spoilt, values, left]) => ({
    ...Object.fromEntries(Object.entries(usual).filter(([name]) => !left.includes(name))),
    ...Object.fromEntries(spoilt.map((name, index) => [name, values[index]])),
  }));

test("Hostile arguments on any history are answered with a bounded page or a full sentence, and with nothing from elsewhere.", {
  timeout: 120_000,
}, async () => {
  let pages = 0;
  await fc.assert(
    fc.asyncProperty(history, fc.array(attack, { minLength: 1, maxLength: 12 }), async (deeds, attacks) => {
      const session = buildSession();
      live(session, deeds);
      const { ask } = openParentSession(session.manager, { triggers: ["call_0", "__proto__"] });
      const resolve = resolver(session.manager);
      const hidden = hiddenWords(session.manager, deeds);

      for (const one of attacks) {
        const args = Object.fromEntries(Object.entries(one).map(([name, value]) => [name, resolve(value)]));
        const answer = await answerOf(() => ask(args));
        if (answer.kind === "page") pages += 1;
        expect(faultsOf(answer, hidden), printed(args)).toEqual([]);
      }
    }),
    { numRuns: 400 },
  );

  // Sentences alone would prove little.
  expect(pages).toBeGreaterThan(500);
});

test("An attack by sheer size is answered as fast and as briefly as any other.", async () => {
  const session = buildSession();
  for (let n = 0; n < 200; n += 1)
    session.operate("bash", { command: `${n} ${"a".repeat(5000)}!` }, "b".repeat(5000));
  const { ask } = openParentSession(session.manager);
  const many = (one: (n: number) => unknown) => Array.from({ length: 10_000 }, (_, n) => one(n));
  const entries = session.manager.getEntries();
  const own = many((n) => entries[n % entries.length]?.id);
  const attacks = [
    { action: "search", query: "a".repeat(MEGABYTE) },
    { action: "search", query: `${"(a".repeat(333)}${"+)".repeat(166)}$` },
    { action: "search", query: `${"a".repeat(999)}?` },
    { action: "get", ids: "x".repeat(MEGABYTE) },
    { action: "get", ids: many((n) => `id-${n}`) },
    { action: "get", ids: own },
    { action: "get", ids: many(() => "call_1→__proto__") },
    { action: "get", ids: ["call_1"], offset: Number.MAX_SAFE_INTEGER, column: Number.MAX_SAFE_INTEGER },
    { action: "list", limit: Number.MAX_SAFE_INTEGER, offset: 0, view: "branch" },
    { action: "list", offset: Number.MAX_SAFE_INTEGER },
    { action: "list", kinds: many(() => "user"), tool: "x".repeat(MEGABYTE) },
    { action: "list", after: "→".repeat(MEGABYTE) },
    { action: "x".repeat(MEGABYTE), ["y".repeat(MEGABYTE)]: 1 },
    Object.fromEntries(many((n) => [`parameter${n}`, n]) as [string, unknown][]),
    { action: "get", ids: JSON.parse("[".repeat(5000) + "]".repeat(5000)) },
  ];

  for (const args of attacks) {
    const started = performance.now();
    const answer = await answerOf(() => ask(args));
    const elapsedMs = performance.now() - started;

    expect(faultsOf(answer, []), printed(args)).toEqual([]);
    expect(elapsedMs, printed(args)).toBeLessThan(1000);
  }
});

test("Arguments that carry prototypes change nothing but their own answer.", async () => {
  const session = buildSession();
  session.operate("bash", { command: "ls" }, "text");
  const { ask } = openParentSession(session.manager);
  const usual = await ask({ action: "list" });
  const before = Object.getOwnPropertyNames(Object.prototype);

  const answers = [];
  for (const json of [
    '{"action":"list","__proto__":{"limit":1}}',
    '{"action":"list","constructor":{"prototype":{"polluted":1}}}',
    '{"__proto__":{"action":"list"}}',
    '{"action":"get","ids":["__proto__"],"toString":"x"}',
  ])
    answers.push(await answerOf(() => ask(JSON.parse(json))));

  for (const answer of answers) expect([answer.kind, faultsOf(answer, [])]).toEqual(["sentence", []]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  expect(await ask({ action: "list" })).toBe(usual);
});

type Manager = ReturnType<typeof buildSession>["manager"];
type Answer = { readonly kind: "page" | "sentence" | "crash"; readonly text: string };

async function answerOf(ask: () => Promise<string>): Promise<Answer> {
  try {
    return { kind: "page", text: await ask() };
  } catch (error) {
    const isTold = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
    return isTold ? { kind: "sentence", text: error.message } : { kind: "crash", text: String(error) };
  }
}

function faultsOf({ kind, text }: Answer, hidden: readonly string[]): string[] {
  const bytes = Buffer.byteLength(text);
  // The counts of kinds read like words of the history.
  const told = text.replace(/^(Entries|Lines of the list|Operations by tool|Withheld entries)\b.*$/gm, "");
  const leaks = kind === "page" ? hidden.filter((words) => new RegExp(`\\b${words}\\b`).test(told)) : [];
  return [
    ...(kind === "crash" ? [`crash: ${text.slice(0, 200)}`] : []),
    ...(kind === "page" && (text === "" || bytes > MAX_PAGE_BYTES) ? [`a page of ${bytes} bytes`] : []),
    ...(kind === "sentence" && !(/^["A-Za-z].*\.$/s.test(text) && text.length <= MAX_SENTENCE_LENGTH)
      ? [`no sentence: ${text.slice(0, 600)}`]
      : []),
    ...(kind === "sentence" && ENGINE_WORDS.test(withoutQuotes(text)) ? [`the engine's words: ${text}`] : []),
    ...leaks.map((words) => `a leak: ${words}`),
  ];
}

/** What the model itself sent may hold any words. */
function withoutQuotes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""').replace(/; found [^;]*\.$|cannot be [^;]*;/, "");
}

function resolver(manager: Manager): (value: unknown) => unknown {
  const branch = manager.getBranch();
  const onBranch = new Set(branch.map(({ id }) => id));
  const ids = branch.map(({ id }) => id);
  const off = manager.getEntries().flatMap(({ id }) => (onBranch.has(id) ? [] : [id]));
  const foreign = buildSession();
  foreign.operate("bash", {}, "foreign");
  const pools = {
    entry: ids,
    "off branch": off,
    call: JSON.stringify(branch).match(/call_[0-9_]+/g) ?? [],
    pair: ids.flatMap((id, n) => (ids[n + 1] ? [`${id}→${ids[n + 1]}`] : [])),
    "other session": foreign.manager.getEntries().map(({ id }) => id),
  };

  function resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(resolve);
    if (!isReference(value)) return value;
    if (value.kind === "text") return value.text;
    const pool = pools[value.kind];
    return pool[value.at % Math.max(1, pool.length)] ?? "none";
  }
  return resolve;
}

function isReference(value: unknown): value is Reference {
  return typeof value === "object" && value !== null && "kind" in value;
}

/** What no answer may hold: everything off the branch that is not on it too, and what is withheld on it. */
function hiddenWords(manager: Manager, deeds: readonly Deed[]): string[] {
  const words = (entries: readonly unknown[]) =>
    new Set(
      JSON.stringify(entries).match(
        /\b(user|say|argument|result|words|command|output|summary|left|edited) \d+/g,
      ),
    );
  const branch = manager.getBranch();
  const onBranch = new Set(branch);
  const there = words(branch);
  const elsewhere = [...words(manager.getEntries().filter((entry) => !onBranch.has(entry)))];
  const withheld = deeds.flatMap(({ kind }, step) => [
    `thought ${step}`,
    `custom ${step}`,
    `system ${step}`,
    ...(kind === "private" ? [`command ${step}`, `output ${step}`] : []),
  ]);
  return [...elsewhere.filter((one) => !there.has(one)), ...withheld];
}

function printed(args: object): string {
  const parts = Object.entries(args).map(([name, value]) => {
    const text = typeof value === "string" ? JSON.stringify(value) : typeof value;
    return `${name.slice(0, 40)}: ${text.slice(0, 80)}`;
  });
  return parts.slice(0, 15).join(", ");
}
