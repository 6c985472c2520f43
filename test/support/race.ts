// Everything that can end a consultation, at the same moment and in an order that a seed decides, while its advisor
// still reports progress. What came of it is compared with what must hold for every order.

import { existsSync } from "node:fs";
import type { FauxResponseStep, Message } from "@mariozechner/pi-ai";
import type { AgentSession, ExtensionUIContext, SessionEntry } from "@mariozechner/pi-coding-agent";
import type { EngineEvent } from "../../src/core/seam.ts";
import { mountCompanion } from "./companion.ts";
import { fauxCall, fauxSay } from "./faux-models.ts";
import { flakyTool } from "./flaky.ts";
import type { InProcess } from "./in-process.ts";
import { startSession } from "./in-process.ts";
import type { Origin } from "./origins.ts";
import { textOf } from "./pi-event.ts";
import type { Seeded } from "./seeded.ts";
import { seeded } from "./seeded.ts";

/** progress: the advisor calls a tool. complete: it answers. The others stop it. */
type Deed = "progress" | "complete" | "abort" | "cancel" | Replacement;
type Replacement = "new" | "fork" | "switch" | "reload" | "tree";

interface Step {
  readonly deed: Deed;
  /** Until the next one: so many small steps of the event loop, usually none. */
  readonly pause: number;
}

/** Pi itself refuses to reload or to move while a run goes on. */
const REPLACEMENTS: Readonly<Record<Origin, readonly Replacement[]>> = {
  executor: ["new", "fork", "switch"],
  error: ["new", "fork", "switch"],
  human: ["new", "fork", "switch", "reload", "tree"],
};

export interface Racing extends AsyncDisposable {
  readonly pi: InProcess;
  /** @returns what is wrong after the race of this seed, with the order that it came from */
  race(seed: number): Promise<string[]>;
  /** @returns what is wrong with a consultation that nobody disturbs */
  inPeace(): Promise<string[]>;
  /** How often each outcome was met. */
  readonly outcomes: ReadonlyMap<string, number>;
}

export async function startRacing(origin: Origin): Promise<Racing> {
  const events: EngineEvent[] = [];
  const widgets: (readonly string[] | undefined)[] = [];
  const screen: Pick<ExtensionUIContext, "notify" | "setWidget" | "setStatus"> = {
    notify: () => {},
    setStatus: () => {},
    setWidget: (_key: string, content: unknown) =>
      widgets.push(Array.isArray(content) ? content.map(String) : undefined),
  };
  const companion = mountCompanion({ name: "probe", on: (event) => void events.push(event) });
  const pi = await startSession({
    factories: [flakyTool().extension, companion.extension],
    bindings: { mode: "rpc", uiContext: screen as ExtensionUIContext },
    settings: { angel: { model: "adv/adv", companions: { probe: {} } }, retry: { enabled: false } },
  });
  pi.faux.exec.script([fauxSay("hello")]);
  await pi.session.prompt("hi");
  // The second one, so that there is another to switch to.
  await pi.runtime.newSession();
  const outcomes = new Map<string, number>();
  let round = 0;

  async function play(steps: readonly Step[]): Promise<string[]> {
    round += 1;
    const { faux, runtime } = pi;
    const advice = `ADVICE-${round}-ENDS`;
    await begin(pi);
    const { session } = runtime;
    const { sessionManager } = session;
    const from = { event: events.length, entry: sessionManager.getEntries().length, widget: widgets.length };
    const updates = lateUpdates(session);
    const { arrived, gates, advisor } = heldAdvisor(advice);
    faux.adv.handle.setResponses(advisor);
    faux.exec.handle.setResponses(executorOf(origin, round));
    const run = session.prompt(origin === "human" ? `/angel Is it so, ${round}?` : `work ${round}`);
    await arrived;
    const acts: Promise<unknown>[] = [];
    for (const { deed, pause } of steps) {
      acts.push(act(deed, pi, session, gates));
      for (let turn = 0; turn < pause; turn += 1) await smallStep(turn);
    }
    // What no deed has let go must not hold up the end.
    const refused = await Promise.allSettled(acts);
    gates.open();
    await run.catch(() => {});
    await session.waitForIdle().catch(() => {});
    await quiet();

    const own = events.slice(from.event);
    const settled = own.flatMap((event) => (event.type === "settled" ? [event] : []));
    const kept = sessionManager.getEntries().slice(from.entry).flatMap(outcomeIn);
    const [only] = kept;
    if (only !== undefined) outcomes.set(only.outcome, (outcomes.get(only.outcome) ?? 0) + 1);
    return [
      ...refused.flatMap((one) => (one.status === "rejected" ? [`a deed failed: ${one.reason}`] : [])),
      ...(settled.length === 1 ? [] : [`${settled.length} times settled`]),
      ...(kept.length === 1 ? [] : [`${kept.length} outcomes in the session: ${JSON.stringify(kept)}`]),
      ...lateEvents(own),
      ...updates(),
      ...(widgets.slice(from.widget).at(-1) === undefined ? [] : ["the board still shows it"]),
      ...adviceWhere(sessionManager.getEntries(), runtime.session, session, advice, only?.outcome),
      ...(await goOn(pi, advice)),
      ...pi.extensionErrors.map(({ event, error }) => `${event}: ${error}`),
    ];
  }

  return {
    pi,
    outcomes,
    async race(seed) {
      const steps = orderOf(origin, seeded(seed));
      const order = steps.map(({ deed, pause }) => (pause > 0 ? `${deed} +${pause}` : deed)).join(", ");
      const wrong = await play(steps);
      return wrong.map((words) => `${origin}, seed ${seed} (${order}): ${words}`);
    },
    async inPeace() {
      const wrong = await play([
        { deed: "progress", pause: 0 },
        { deed: "complete", pause: 0 },
      ]);
      return wrong;
    },
    [Symbol.asyncDispose]: pi.dispose,
  };
}

/** Completion and progress always; one to three of what stops it; a replacement at most once. */
function orderOf(origin: Origin, random: Seeded): Step[] {
  const stops: readonly Deed[] = ["abort", "cancel", random.pick(REPLACEMENTS[origin])];
  const chosen = random.shuffle(stops).slice(0, 1 + random.below(stops.length));
  const deeds = random.shuffle<Deed>(["progress", "complete", ...chosen]);
  // Half of all gaps are none: then both happen in the same tick.
  return deeds.map((deed) => ({ deed, pause: random.below(2) === 0 ? 0 : random.below(30) }));
}

interface Gates {
  readonly progress: () => void;
  readonly complete: () => void;
  readonly open: () => void;
}

/** An advisor that calls a tool and then answers, each only when it is let. */
function heldAdvisor(advice: string) {
  const [arrived, progress, complete] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  const step =
    (gate: PromiseWithResolvers<void> | undefined, answer: ReturnType<typeof fauxSay>): FauxResponseStep =>
    async () => {
      arrived?.resolve();
      await gate?.promise;
      return answer;
    };
  const gates: Gates = {
    progress: () => progress?.resolve(),
    complete: () => complete?.resolve(),
    open: () => [progress, complete].forEach((gate) => void gate?.resolve()),
  };
  const advisor = [step(progress, fauxCall("ls", {})), step(complete, fauxSay(`So it is. ${advice}`))];
  return { arrived: arrived?.promise, gates, advisor };
}

function executorOf(origin: Origin, n: number): FauxResponseStep[] {
  if (origin === "human") return [];
  if (origin === "executor") return [fauxCall("angel", { question: `Is it so, ${n}?` }), fauxSay("Noted.")];
  return [fauxCall("flaky", { n }), fauxCall("flaky", { n }), fauxSay("Noted.")];
}

async function act(deed: Deed, pi: InProcess, session: AgentSession, gates: Gates): Promise<unknown> {
  const { runtime } = pi;
  switch (deed) {
    case "progress":
      return gates.progress();
    case "complete":
      return gates.complete();
    case "abort":
      return runtime.session.abort();
    case "cancel":
      return runtime.session.prompt("/angel cancel");
    case "new":
      return runtime.newSession();
    case "fork":
      return runtime.fork(firstPrompt(session), { position: "at" });
    case "switch":
      return runtime.switchSession(await anotherSession(pi, session));
    case "reload":
      return session.reload();
    case "tree":
      return session.navigateTree(firstPrompt(session));
  }
}

/** Pi reads the other session's file before it stops the run, so a run must not be switched to its own. */
async function anotherSession({ home, sessionManager }: InProcess, session: AgentSession): Promise<string> {
  const first = sessionManager.getSessionFile();
  const ordinary = home.sessions().filter(({ header }) => header.parentSession === undefined);
  const other = ordinary.find(({ path }) => path !== session.sessionFile) ?? { path: first };
  if (other.path === undefined) throw new Error("There is no other session.");
  return other.path;
}

/** Every session that is raced in has had one exchange: it is on disk then, and can be forked. */
async function begin({ runtime, faux }: InProcess): Promise<void> {
  const { session } = runtime;
  const isNew = session.sessionManager
    .getBranch()
    .every((entry) => entry.type !== "message" || entry.message.role !== "assistant");
  if (!isNew) return;
  faux.exec.handle.setResponses([fauxSay("hello")]);
  await session.prompt("hi");
}

/** What the executor is sent next has every result behind its call, and is told by what it answers. */
async function goOn({ runtime, faux }: InProcess, advice: string): Promise<string[]> {
  let sent: readonly Message[] = [];
  faux.exec.handle.setResponses([
    ({ messages }) => {
      sent = [...messages];
      return fauxSay("Still here.");
    },
  ]);
  await runtime.session.prompt("go on");
  const times = JSON.stringify(sent).split(advice).length - 1;
  return [
    ...(runtime.session.getLastAssistantText() === "Still here." ? [] : ["the executor does not go on"]),
    ...(times > 1 ? [`the executor is sent the advice ${times} times`] : []),
    ...openCalls(sent),
  ];
}

function openCalls(messages: readonly Message[]): string[] {
  const open = new Set<string>();
  const wrong: string[] = [];
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (!open.delete(message.toolCallId)) wrong.push(`a result without a call: ${message.toolCallId}`);
    } else if (open.size > 0) wrong.push(`${[...open]} has no result before the next message`);
    if (message.role === "assistant")
      for (const block of message.content) if (block.type === "toolCall") open.add(block.id);
  }
  return wrong;
}

function lateEvents(events: readonly EngineEvent[]): string[] {
  const settled = events.findIndex(({ type }) => type === "settled");
  const late = events.slice(settled + 1).filter(({ type }) => type !== "settled");
  return settled >= 0 && late.length > 0 ? [`after the end: ${late.map(({ type }) => type)}`] : [];
}

/** Updates of a call of Angel that come when its result is there. */
function lateUpdates(session: AgentSession): () => string[] {
  const over = new Set<string>();
  const late: string[] = [];
  session.subscribe((event) => {
    if (event.type === "tool_execution_end") over.add(event.toolCallId);
    if (event.type === "tool_execution_update" && over.has(event.toolCallId))
      late.push("an update after the result");
  });
  return () => late;
}

/** Advice stands only in an outcome that says so, and only in the session where it was asked for. */
function adviceWhere(
  asked: readonly SessionEntry[],
  now: AgentSession,
  then: AgentSession,
  advice: string,
  outcome: string | undefined,
): string[] {
  const isThere = JSON.stringify(asked).includes(advice);
  const isElsewhere = now !== then && JSON.stringify(now.sessionManager.getEntries()).includes(advice);
  const isSameFile = now.sessionManager.getSessionFile() === then.sessionManager.getSessionFile();
  return [
    ...(isThere === (outcome === "advised") ? [] : [`advice ${isThere ? "with" : "without"} ${outcome}`]),
    ...(isElsewhere && !isSameFile ? ["the advice is in another session"] : []),
    ...(existsSync(now.sessionFile ?? "") || now !== then ? [] : ["the session is not on disk"]),
  ];
}

function outcomeIn(entry: SessionEntry): { readonly id: string; readonly outcome: string }[] {
  const isResult =
    entry.type === "message" && entry.message.role === "toolResult" && entry.message.toolName === "angel";
  const isMessage = entry.type === "custom_message" && entry.customType === "angel-advice";
  const isReport = entry.type === "custom" && entry.customType === "angel-report";
  if (!isResult && !isMessage && !isReport) return [];
  const text = JSON.stringify(entry);
  const id = text.match(/"consultationId":"(\w+)"/)?.[1];
  const outcome = text.match(/"outcome":"(\w+)"/)?.[1];
  if (id !== undefined && outcome !== undefined) return [{ id, outcome }];
  return [{ id: "none", outcome: entry.type === "message" ? textOf(entry.message) : "none" }];
}

function firstPrompt({ sessionManager }: AgentSession): string {
  const entry = sessionManager
    .getEntries()
    .find((one) => one.type === "message" && one.message.role === "user");
  if (entry === undefined) throw new Error("The session holds no prompt.");
  return entry.id;
}

/** A promise is a small step; each tenth lets everything else that is due go first. */
async function smallStep(turn: number): Promise<void> {
  if (turn % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
  else await undefined;
}

/** What is due by now has had its turn. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
