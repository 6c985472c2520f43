// What can end a consultation, and an order of it that a seed decides.

import type { FauxResponseStep } from "@mariozechner/pi-ai";
import type { AgentSession } from "@mariozechner/pi-coding-agent";
import { fauxCall, fauxSay } from "../faux-models.ts";
import type { InProcess } from "../in-process.ts";
import type { Origin } from "../origins.ts";
import type { Seeded } from "../seeded.ts";

/** progress: the advisor calls a tool. complete: it answers. The others stop it. */
type Deed = "progress" | "complete" | "abort" | "cancel" | Replacement;
type Replacement = "new" | "fork" | "switch" | "reload" | "tree";

export interface Step {
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

/** Completion and progress always; one to three of what stops it; a replacement at most once. */
export function orderOf(origin: Origin, random: Seeded): Step[] {
  const stops: readonly Deed[] = ["abort", "cancel", random.pick(REPLACEMENTS[origin])];
  const chosen = random.shuffle(stops).slice(0, 1 + random.below(stops.length));
  const deeds = random.shuffle<Deed>(["progress", "complete", ...chosen]);
  // Half of all gaps are none: then both happen in the same tick.
  return deeds.map((deed) => ({
    deed,
    pause: random.below(2) === 0 ? 0 : random.below(random.pick([30, 150])),
  }));
}

export interface Gates {
  readonly progress: () => void;
  readonly complete: () => void;
  readonly open: () => void;
}

/** An advisor that calls a tool and then answers, each only when it is let. */
export function heldAdvisor(advice: string) {
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

export function executorOf(origin: Origin, n: number): FauxResponseStep[] {
  if (origin === "human") return [];
  if (origin === "executor") return [fauxCall("angel", { question: `Is it so, ${n}?` }), fauxSay("Noted.")];
  return [fauxCall("flaky", { n }), fauxCall("flaky", { n }), fauxSay("Noted.")];
}

/** @param files two sessions on disk */
export async function act(
  deed: Deed,
  { runtime }: InProcess,
  session: AgentSession,
  gates: Gates,
  files: readonly string[],
): Promise<unknown> {
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
      // Pi reads the other session's file before it stops the run, so a run must not be switched to its own.
      return runtime.switchSession(files.find((file) => file !== session.sessionFile) ?? "");
    case "reload":
      return session.reload();
    case "tree":
      return session.navigateTree(firstPrompt(session));
  }
}

function firstPrompt({ sessionManager }: AgentSession): string {
  const entry = sessionManager
    .getEntries()
    .find((one) => one.type === "message" && one.message.role === "user");
  if (entry === undefined) throw new Error("The session holds no prompt.");
  return entry.id;
}
