// A model may send anything. It gets a bounded page, or a full sentence that says what to do.

import { SessionManager } from "@mariozechner/pi-coding-agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openParentSession } from "../support/ask-parent.ts";
import { startConsulting } from "../support/consulting.ts";
import { buildSession } from "../support/session-builder.ts";
import * as step from "../support/steps.ts";

const MAX_PAGE_BYTES = 51 * 1024 + 512;
const MAX_SENTENCE_LENGTH = 500;
const PARAMETERS = "action view query ids kinds tool errorsOnly after before offset column limit".split(" ");
const ACTIONS = ["overview", "list", "files", "search", "get"] as const;

/** What models, attackers and accidents put where a text or a number belongs. */
const ODD_VALUES: readonly unknown[] = [
  ...[
    "",
    " ",
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "../../auth.json",
    "\u0000",
    "\u001b[31m",
  ],
  ...[
    "(a+)+$",
    "[",
    "(",
    "\\",
    "*",
    "→",
    "[→]",
    "a→b",
    "context",
    "branch",
    "5",
    "-1",
    "1e9",
    "x".repeat(40_000),
  ],
  ...["\ud800", "🙂".repeat(600), "null", "true", "user", "bash"],
  ...[-1, 0, 1, 2.5, 1e9, 2 ** 53, 1e308, Number.NaN, Number.POSITIVE_INFINITY, 10n],
  ...[null, undefined, true, false, {}, [], [[]], [null], { a: 1 }, ["user", 7], [{}]],
  Array.from({ length: 10_000 }, (_, n) => `id${n}`),
  Array.from({ length: 10_000 }, () => "call_1"),
];

test("Any argument whatever is answered with a bounded page or a full sentence.", {
  timeout: 120_000,
}, async () => {
  const answerOf = openAnyAnswer();
  const odd = fc.constantFrom(...ODD_VALUES);
  const value = fc.oneof(
    odd,
    fc.jsonValue({ maxDepth: 2 }),
    fc.string(),
    fc.integer(),
    fc.constantFrom("call_1", "call_2"),
  );
  const likely = fc.record(Object.fromEntries(PARAMETERS.map((name) => [name, value])), { requiredKeys: [] });
  const calls = fc.oneof(
    fc.tuple(fc.constantFrom(...ACTIONS), likely).map(([action, args]) => ({ ...args, action })),
    likely,
    fc.dictionary(fc.string(), value),
    value,
  );

  await fc.assert(
    fc.asyncProperty(calls, async (args) => {
      expect(faultsOf(await answerOf(args))).toEqual([]);
    }),
    { numRuns: 2000 },
  );
});

test("Every odd value in every parameter of every action is answered well, within a second.", {
  timeout: 120_000,
}, async () => {
  const answerOf = openAnyAnswer();
  const usual = { query: "a", ids: ["call_1"] };

  const faults: unknown[] = [];
  for (const action of ACTIONS) {
    for (const name of PARAMETERS) {
      for (const [index, value] of ODD_VALUES.entries()) {
        const started = performance.now();
        const answer = await answerOf({ action, ...usual, [name]: value });
        const elapsedMs = performance.now() - started;
        const found = [...faultsOf(answer), ...(elapsedMs > 1000 ? [`took ${elapsedMs} ms`] : [])];
        if (found.length > 0) faults.push([action, name, index, found]);
      }
    }
  }

  expect(faults).toEqual([]);
});

test.for<[args: object | null, sentence: string]>([
  [null, 'parent_session needs an "action": overview, list, files, search, get. Start with overview.'],
  [{ action: "read" }, '"action" cannot be "read"; it is one of overview, list, files, search, get.'],
  [{ action: "list", view: "all" }, '"view" cannot be "all"; it is one of context, branch, lost.'],
  [
    { action: "list", kinds: ["tool"] },
    '"kinds" cannot be "tool"; it is one of user, assistant, operation, shell, compaction, branch_summary, custom_message, bookkeeping.',
  ],
  [
    { action: "list", id: "x" },
    'parent_session has no parameter "id"; its parameters are action, view, query, ids, kinds, tool, errorsOnly, after, before, offset, column, limit.',
  ],
  [{ action: "get" }, 'get needs "ids": entry ids or tool-call ids; list and search give them.'],
  [
    { action: "get", ids: ["", null] },
    'get needs "ids": entry ids or tool-call ids; list and search give them.',
  ],
  [
    { action: "search", query: "" },
    'search needs a "query": the plain text to look for, at least one character.',
  ],
  [
    { action: "search", query: "x".repeat(1001) },
    '"query" has 1001 characters; look for a part of it, at most 1000 characters.',
  ],
  [{ action: "list", limit: 0 }, '"limit" must be a whole number of at least 1; found 0.'],
  [{ action: "list", offset: -1 }, '"offset" must be a whole number of at least 0; found -1.'],
  [{ action: "get", ids: ["call_1"], offset: 0 }, '"offset" must be a whole number of at least 1; found 0.'],
  [{ action: "list", offset: 2.5 }, '"offset" must be a whole number of at least 0; found 2.5.'],
  [{ action: "list", errorsOnly: "perhaps" }, '"errorsOnly" must be true or false; found "perhaps".'],
  [{ action: "list", tool: {} }, '"tool" must be a text; found an object.'],
  [
    { action: "get", ids: ["__proto__"] },
    'No entry or tool call "__proto__" in the pinned snapshot; take an id from list or search, in full as it stands there.',
  ],
  [
    { action: "get", ids: ["\u0000"] },
    'No entry or tool call "\\u0000" in the pinned snapshot; take an id from list or search, in full as it stands there.',
  ],
  [
    { action: "list", after: "nowhere" },
    '"after" names "nowhere", which the pinned snapshot does not have; take an id from list or search.',
  ],
  [
    { action: "get", ids: ["call_1", "call_2"], offset: 1 },
    "offset, column and limit of get count within one content, so give one id at a time with them.",
  ],
])("A wrong call is told what to do: %j", async ([args, sentence]) => {
  expect(await openAnyAnswer()(args)).toEqual({ refusal: sentence });
});

test("Harmless slips are understood.", async () => {
  const answerOf = openAnyAnswer();
  const list = await answerOf({ action: "list", limit: 2 });
  const got = await answerOf({ action: "get", ids: ["call_1"] });

  expect(
    await answerOf({ action: "list", limit: "2", view: null, kinds: [], tool: "", errorsOnly: "false" }),
  ).toEqual(list);
  expect(await answerOf({ action: "get", ids: "call_1", kinds: null, offset: null })).toEqual(got);
  expect(await answerOf({ action: "search", query: 404 })).toMatchObject({
    page: expect.stringContaining("1 hit in all"),
  });
  expect(await answerOf({ action: "list", offset: 99 })).toMatchObject({
    page: expect.stringMatching(
      /^Lines: none at offset 99, because there are only 5; offset counts from 0, view context/,
    ),
  });
});

test("A child's wrong calls are error results with the same sentences, and its right ones pages.", async () => {
  await using pi = await startConsulting({
    sessionManager: (home) => {
      const session = buildSession(SessionManager.create(home.project, home.sessionDir));
      session.user(`${"a".repeat(5000)}!`);
      return session.manager;
    },
  });
  const look = (args: object) => step.call("parent_session", args);
  pi.server.script("adv", [
    look({ action: "search", query: "(a+)+$" }),
    look({ action: "get", ids: ["../../auth.json"] }),
    look({ action: "list", limit: "1", offset: null, kinds: "user" }),
    look({ limit: 2.5 }),
    step.say("Do this."),
  ]);

  await pi.ask("Why?");

  const answers = pi.server.requests("adv").map(({ body }) => body.messages.at(-1)?.content);
  expect(answers.slice(1)).toEqual([
    expect.stringMatching(/^Entries with hits: none, 0 hits in all/),
    expect.stringMatching(
      /^No entry or tool call "\.\.\/\.\.\/auth\.json" in the pinned snapshot; take an id/,
    ),
    expect.stringMatching(/^Lines 1-1 of 2, view context/),
    'parent_session needs an "action": overview, list, files, search, get. Start with overview.',
  ]);
  expect(pi.surprises()).toEqual([]);
});

type AnyAnswer = { page: string } | { refusal: string } | { crash: unknown };

function openAnyAnswer(): (args: unknown) => Promise<AnyAnswer> {
  const session = buildSession();
  session.user(`${"a".repeat(5000)}!`);
  session.operate("bash", { command: "ls 404" }, "text\n".repeat(5000));
  session.operate("read", { path: "__proto__" }, "constructor");
  session.shell("ls", "a");
  session.say("toString");
  const { ask } = openParentSession(session.manager, { triggers: ["call_1"] });
  return async (args) => {
    try {
      return { page: await ask(args) };
    } catch (error) {
      // Anything but a plain Error was thrown by the engine, not told by the tool.
      const isTold = error instanceof Error && Object.getPrototypeOf(error) === Error.prototype;
      return isTold ? { refusal: error.message } : { crash: error };
    }
  };
}

function faultsOf(answer: AnyAnswer): unknown[] {
  if ("crash" in answer) return [answer.crash];
  if ("page" in answer) {
    const bytes = Buffer.byteLength(answer.page);
    return answer.page !== "" && bytes <= MAX_PAGE_BYTES ? [] : [`a page of ${bytes} bytes`];
  }
  const isSentence = /^["A-Za-z].*\.$/s.test(answer.refusal) && answer.refusal.length <= MAX_SENTENCE_LENGTH;
  return isSentence ? [] : [`no sentence: ${answer.refusal.slice(0, 600)}`];
}
