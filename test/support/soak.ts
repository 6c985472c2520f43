/**
 * Many consultations of all origins and outcomes in one session of one process, and what is left of them: heap,
 * open handles, listeners, files. The models are faux, so whatever grows is Pi's or Angel's.
 */

import { readdirSync } from "node:fs";
import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import { liveHeap } from "./heap.ts";
import type { InProcess } from "./in-process.ts";
import { startSession } from "./in-process.ts";
import { hangNoticeBoard } from "./notice-board.ts";

export interface SoakFigures {
  readonly consultations: number;
  /** Bytes after a garbage collection. */
  readonly heap: number;
  /** Milliseconds that one consultation took, the median since the figures before. */
  readonly medianMs: number;
  /** Timers, sockets, watchers and the like that keep a process alive. */
  readonly resources: number;
  /** Listeners on the process. */
  readonly listeners: number;
  /** Undefined where the system does not tell. */
  readonly openFiles: number | undefined;
  readonly parentEntries: number;
  readonly children: number;
}

export interface Soak {
  readonly figures: readonly SoakFigures[];
  /** Outcomes that were not the ones that were played, and what handlers of extensions threw. */
  readonly surprises: readonly string[];
}

const call = (name: string, args: Record<string, string>) =>
  fauxAssistantMessage(fauxToolCall(name, args), { stopReason: "toolUse" });
const say = (text: string) => fauxAssistantMessage(text);
const fail = () => fauxAssistantMessage("", { stopReason: "error", errorMessage: "no quota left" });

/** The faux models take their steps in order, and nothing is recorded of what they were sent. */
type Play = (pi: InProcess, n: number) => Promise<unknown>;

const PLAYS: readonly { readonly outcome: string; readonly play: Play }[] = [
  {
    outcome: "advised",
    play: (pi, n) => {
      pi.faux.adv.handle.appendResponses([
        call("ls", {}),
        call("parent_session", { action: "overview" }),
        say(`A-${n}`),
      ]);
      pi.faux.exec.handle.appendResponses([call("angel", { question: `Q-${n}?` }), say("Noted.")]);
      return pi.session.prompt("go on");
    },
  },
  {
    outcome: "failed",
    play: (pi, n) => {
      pi.faux.adv.handle.appendResponses([fail()]);
      return pi.session.prompt(`/angel Q-${n}?`);
    },
  },
  {
    outcome: "advised",
    play: (pi, n) => {
      pi.faux.adv.handle.appendResponses([say(`A-${n}`)]);
      const failing = () => call("read_nothing", { n: String(n) });
      pi.faux.exec.handle.appendResponses([failing(), failing(), say("Done.")]);
      return pi.session.prompt("go on");
    },
  },
  {
    outcome: "cancelled",
    play: (pi, n) => {
      const arrived = Promise.withResolvers<void>();
      pi.faux.adv.handle.appendResponses([
        async (_context, options) => {
          arrived.resolve();
          await new Promise((stopped) => options?.signal?.addEventListener("abort", stopped, { once: true }));
          return fauxAssistantMessage("", { stopReason: "aborted" });
        },
      ]);
      const asked = pi.session.prompt(`/angel Q-${n}?`);
      return arrived.promise.then(() => pi.session.prompt("/angel cancel")).then(() => asked);
    },
  },
];

/** @param every after how many consultations figures are taken; the first ones are taken after that many, too */
export async function soak(
  consultations: number,
  every: number,
  onFigures: (figures: SoakFigures) => void = () => {},
): Promise<Soak> {
  await using pi = await startSession({
    bindings: hangNoticeBoard().bindings,
    settings: { retry: { enabled: false } },
  });
  pi.faux.exec.handle.appendResponses([say("hello")]);
  await pi.session.prompt("hi");
  const figures: SoakFigures[] = [];
  const surprises: string[] = [];
  let times: number[] = [];
  for (let n = 1; n <= consultations; n += 1) {
    const { outcome, play } = playOf(n);
    const started = performance.now();
    await play(pi, n);
    times.push(performance.now() - started);
    const found = lastOutcome(pi);
    if (found !== outcome) surprises.push(`${n}: ${found} instead of ${outcome}`);
    if (n % every !== 0) continue;
    const seen = await look(pi, n, times);
    figures.push(seen);
    onFigures(seen);
    times = [];
  }
  return { figures, surprises: [...surprises, ...pi.extensionErrors.map(({ error }) => error)] };
}

function playOf(n: number): (typeof PLAYS)[number] {
  const play = PLAYS[n % PLAYS.length];
  if (play === undefined) throw new Error("There is nothing to play.");
  return play;
}

/** The outcome that the last record of the session speaks of. */
function lastOutcome({ sessionManager }: InProcess): string {
  const text = sessionManager
    .getBranch()
    .slice(-12)
    .map((entry) => JSON.stringify(entry))
    .join("");
  return text.match(/.*"outcome":"(advised|failed|cancelled)"/)?.[1] ?? "none";
}

async function look(pi: InProcess, consultations: number, times: readonly number[]): Promise<SoakFigures> {
  // What is only waiting to be let go has had its turn by then.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((later) => setImmediate(later));
  const sorted = times.toSorted((one, other) => one - other);
  return {
    consultations,
    heap: liveHeap(),
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    resources: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
    openFiles: openFiles(),
    parentEntries: pi.sessionManager.getEntries().length,
    children: pi.home.children().length,
  };
}

function openFiles(): number | undefined {
  try {
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}
