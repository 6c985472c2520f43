/** An abort of the run that waits for Angel, in every stage of a consultation. */

import { delimiter, join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Consulting } from "../support/consulting.ts";
import { angelCall, startConsulting } from "../support/consulting.ts";
import { holdSearches, isAlive } from "../support/held-search.ts";
import type { LoggedRequest } from "../support/model-server.ts";
import { textOf } from "../support/pi-event.ts";
import { isForSummary, SMALL, SMALL_WINDOW } from "../support/small-advisor.ts";
import * as step from "../support/steps.ts";

/** What a cancellation may take at most. */
const SECOND_MS = 1000;

interface Reached {
  /** The request of the advisor that is open in this stage. */
  readonly open?: LoggedRequest;
  /** What else must be over in the end. */
  readonly isOver?: () => boolean;
}

/** Lets a consultation, which has been asked for, come to a stage. */
type Stage = (pi: Consulting) => Promise<Reached>;

const STAGES: Readonly<Record<string, Stage>> = {
  async "before Angel is called"({ session }) {
    await event(session, "tool_execution_start");
    return {};
  },

  async "while the provider holds the request"({ server }) {
    server.script("adv", [step.gate(step.say("Too late."))]);
    return { open: await server.nextRequest("adv") };
  },

  async "in the middle of the stream"({ server, session }) {
    server.script("adv", [step.gate(step.drip(["Half a ", "sentence."], { pauseMs: 1 }), { after: 1 })]);
    await event(session, "tool_execution_update", /writing/);
    return { open: await server.nextRequest("adv") };
  },

  async "in a stream of blanks without end"({ server, session }) {
    server.script("adv", [step.drip(Array<string>(100_000).fill(" "), { pauseMs: 1 })]);
    await event(session, "tool_execution_update", /writing/);
    return { open: await server.nextRequest("adv") };
  },

  async "in the middle of a tool of the advisor"({ server, home }) {
    const folder = join(home.root, "held");
    const search = holdSearches(folder);
    vi.stubEnv("PATH", [folder, process.env.PATH].join(delimiter));
    server.script("adv", [step.call("grep", { pattern: "needle" })]);
    await server.nextRequest("adv");
    const processId = await search.running();
    return { isOver: () => !isAlive(processId) };
  },

  async "between two tries"({ server, session }) {
    server.script("adv", [step.status(500)]);
    await server.nextRequest("adv");
    await event(session, "tool_execution_update", /retry 1 of/);
    return {};
  },

  async "while the child is compacted"({ server }) {
    server.script("adv", [
      step.call("read", { path: "log.txt" }).usage({ in: SMALL_WINDOW - 1000 }),
      step.gate(step.say("The story so far.")),
    ]);
    await server.nextRequest("adv");
    const open = await server.nextRequest("adv");
    expect(isForSummary(open)).toBe(true);
    return { open };
  },

  async "when it is asked once more for an answer"({ server }) {
    server.script("adv", [step.empty(), step.gate(step.say("Too late."))]);
    await server.nextRequest("adv");
    return { open: await server.nextRequest("adv") };
  },
};

const unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown) => unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", noteUnhandled);
});

afterEach(() => {
  process.off("unhandledRejection", noteUnhandled);
  vi.unstubAllEnvs();
});

test("An abort at any stage closes the advisor's connection, gives the call one error result and leaves Pi usable.", async () => {
  await using pi = await startConsulting({
    ...SMALL,
    settings: { ...SMALL.settings, retry: { baseDelayMs: 60_000 } },
    project: { "log.txt": "a line of the log\n".repeat(1000) },
  });

  const seen: Record<string, unknown> = {};
  for (const [name, stage] of Object.entries(STAGES)) {
    seen[name] = await abortAt(stage, pi);
  }

  const asItShouldBe = {
    results: [{ isError: true, text: "The consultation was cancelled: the run was stopped." }],
    cards: 0,
    ending: "aborted",
    isWithinASecond: true,
    isClosedEarly: true,
    isOver: true,
    requestsAfterwards: 0,
    answerAfterwards: "All is well.",
  };
  expect(seen).toEqual({
    ...Object.fromEntries(Object.keys(STAGES).map((name) => [name, asItShouldBe])),
    // Nothing was under way but the wait.
    "between two tries": { ...asItShouldBe, ending: "error" },
    // Pi itself turns down a call whose run was stopped before the call began.
    "before Angel is called": {
      ...asItShouldBe,
      results: [{ isError: true, text: "Operation aborted" }],
      ending: undefined,
    },
  });
  expect(unhandled).toEqual([]);
  expect(pi.surprises()).toEqual([]);
});

async function abortAt(stage: Stage, pi: Consulting) {
  const { session, server, faux } = pi;
  const before = { results: pi.results().length, cards: pi.custom("angel-advice-card").length };
  faux.exec.script([angelCall("What now?")]);

  const run = session.prompt("go on");
  const { open, isOver } = await stage(pi);
  const started = performance.now();
  await session.abort();
  const elapsedMs = performance.now() - started;
  await Promise.all([run, open?.done]);
  const requests = server.requests("adv").length;
  const results = pi.results().slice(before.results);
  const cards = pi.custom("angel-advice-card").length - before.cards;
  const ending = endOfChild(results[0]?.details?.childSessionFile);

  vi.unstubAllEnvs();
  server.script("adv", [step.say("All is well.")]);
  const next = await pi.ask("And now?");
  await server.nextRequest("adv");
  return {
    results: results.map((result) => ({ isError: result.isError, text: textOf(result) })),
    cards,
    ending,
    isWithinASecond: elapsedMs < SECOND_MS,
    isClosedEarly: open?.closedEarly ?? true,
    isOver: isOver?.() ?? true,
    requestsAfterwards: server.requests("adv").length - requests - 1,
    answerAfterwards: textOf(next),
  };
}

async function event(session: Consulting["session"], type: string, saying = /./): Promise<void> {
  await new Promise<void>((resolve) => {
    const off = session.subscribe((seen) => {
      if (seen.type !== type || !saying.test(JSON.stringify(seen))) return;
      off();
      resolve();
    });
  });
}

/** How the last message in the child's file ended. */
function endOfChild(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const entries = SessionManager.open(file).getBranch();
  const last = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : [])).at(-1);
  return last?.role === "assistant" ? last.stopReason : last?.role;
}
