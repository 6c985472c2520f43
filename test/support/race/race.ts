// Everything that can end a consultation, at the same moment and in an order that a seed decides, while its advisor
// still reports progress. What came of it is compared with what must hold for every order.

import type { ExtensionUIContext } from "@mariozechner/pi-coding-agent";
import type { EngineEvent } from "../../../src/core/seam.ts";
import { mountCompanion } from "../companion.ts";
import { fauxSay } from "../faux-models.ts";
import { flakyTool } from "../flaky.ts";
import type { InProcess } from "../in-process.ts";
import { startSession } from "../in-process.ts";
import type { Origin } from "../origins.ts";
import { seeded } from "../seeded.ts";
import type { Step } from "./deeds.ts";
import { act, executorOf, heldAdvisor, orderOf } from "./deeds.ts";
import { adviceWhere, goOn, lateEvents, noteLateUpdates, outcomeIn } from "./verdict.ts";

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
  const notices: string[] = [];
  const widgets: (readonly string[] | undefined)[] = [];
  const screen: Pick<ExtensionUIContext, "notify" | "setWidget" | "setStatus"> = {
    notify: (sentence) => void notices.push(sentence),
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
  await begin(pi);
  const files = pi.home.sessions().map(({ path }) => path);
  const late: string[] = [];
  const outcomes = new Map<string, number>();
  let round = 0;

  async function play(steps: readonly Step[]): Promise<string[]> {
    round += 1;
    const { faux, runtime } = pi;
    const advice = `ADVICE-${round}-ENDS`;
    await begin(pi);
    const { session } = runtime;
    const { sessionManager } = session;
    const from = {
      event: events.length,
      entry: sessionManager.getEntries().length,
      widget: widgets.length,
      notice: notices.length,
    };
    noteLateUpdates(session, late);
    const { arrived, gates, advisor } = heldAdvisor(advice);
    faux.adv.handle.setResponses(advisor);
    faux.exec.handle.setResponses(executorOf(origin, round));
    const run = session.prompt(origin === "human" ? `/angel Is it so, ${round}?` : `work ${round}`);
    await arrived;
    const acts: Promise<unknown>[] = [];
    for (const { deed, pause } of steps) {
      acts.push(act(deed, pi, session, gates, files));
      for (let turn = 0; turn < pause; turn += 1) await smallStep(turn);
    }
    const refused = await Promise.allSettled(acts);
    // An advisor that was never let go must not hold up the end.
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
      ...(notices.slice(from.notice).some((words) => words.startsWith("Cancelled:")) &&
      only?.outcome === "advised"
        ? ["the user was told that it is cancelled, and it was not"]
        : []),
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
      // By now whatever was held back to be shown later has had its time.
      return [...wrong, ...late];
    },
    [Symbol.asyncDispose]: pi.dispose,
  };
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

/** A promise is a small step; each tenth lets everything else that is due go first. */
async function smallStep(turn: number): Promise<void> {
  if (turn % 10 === 9) await new Promise((resolve) => setImmediate(resolve));
  else await undefined;
}

/** What is due by now has had its turn. */
async function quiet(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
