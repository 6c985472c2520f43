// The companions that are mounted on this session's engine. What one throws or hands over in a wrong form is
// caught here, and never lets through what it was there to hold back.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { EvidenceFilter } from "../core/filtered.ts";
import { isRecord } from "../core/is-record.ts";
import { plainFacts } from "../core/read-record.ts";
import type { PlainFacts } from "../core/record.ts";
import type {
  AdvisorWish,
  ChildExtension,
  ChildView,
  Companion,
  EngineEvent,
  RequestView,
  Verdict,
} from "../core/seam.ts";

export interface Companions {
  /** @returns what unmounts it. @throws Error when it cannot be mounted */
  mount(companion: Companion): () => void;
  absent(name: string, reason: string): void;
  /** Why Angel cannot be used because of them. @param switchedOn names under angel.companions */
  problem(switchedOn: readonly string[]): string | undefined;
  /** Whether anybody has to be asked before a consultation. */
  haveBefore(): boolean;
  before(request: RequestView, ctx: ExtensionContext, signal: AbortSignal): Promise<Amendment>;
  /** Undefined when nobody filters. */
  filter(): EvidenceFilter | undefined;
  /** One that fails refuses. */
  refusesPath(path: string): Promise<string | undefined>;
  /** @throws Error when one of them fails: the advisor does not start without it */
  child(request: RequestView, home: ChildView): readonly ChildExtension[];
  areListening(): boolean;
  emit(event: EngineEvent): void;
  facts(consultationId: string): Readonly<Record<string, PlainFacts>>;
  /** One line each. */
  lines(): readonly string[];
  names(): readonly string[];
}

/** What the mounted companions say to a request, taken together. */
export type Amendment = Addition | { readonly kind: "refused"; readonly by: string; readonly reason: string };

export interface Addition {
  readonly kind: "added";
  /** Names of those that added something. */
  readonly by: readonly string[];
  readonly context: readonly string[];
  readonly instructions: readonly string[];
  readonly wish: AdvisorWish;
}

export const NOTHING_ADDED: Addition = { kind: "added", by: [], context: [], instructions: [], wish: {} };

/** @param complain tells the user of a fault that changes nothing; never throws */
export function gatherCompanions(complain: (sentence: string) => void): Companions {
  const mounted = new Map<string, Companion>();
  const absences = new Map<string, string>();

  return {
    mount(companion) {
      const { name } = companion;
      if (typeof name !== "string" || name.trim() === "")
        throw new Error("A companion needs a name: its key under angel.companions.");
      if (mounted.has(name)) throw new Error(`A companion "${name}" is mounted already.`);
      mounted.set(name, companion);
      absences.delete(name);
      return () => {
        if (mounted.get(name) === companion) mounted.delete(name);
      };
    },
    absent: (name, reason) => void absences.set(name, reason),
    problem(switchedOn) {
      for (const name of switchedOn) {
        if (mounted.has(name)) continue;
        const reason = absences.get(name) ?? "no companion of that name was started.";
        return `"${name}" is switched on in angel.companions but is not running: ${reason}`;
      }
      for (const companion of mounted.values()) {
        const sentence = attempt(
          () => companion.unavailable?.(),
          (reason) => failure(companion.name, reason),
        );
        if (sentence !== undefined) return String(sentence);
      }
      return undefined;
    },
    haveBefore: () => [...mounted.values()].some(({ before }) => before !== undefined),
    async before(request, ctx, signal) {
      let all = NOTHING_ADDED;
      for (const companion of mounted.values()) {
        if (!companion.before) continue;
        const verdict = await stoppable(async () => companion.before?.(request, ctx, signal), signal).catch(
          (error: unknown): Verdict => ({ refuse: failure(companion.name, wordsOf(error)) }),
        );
        if (verdict === undefined) continue;
        if ("refuse" in verdict)
          return { kind: "refused", by: companion.name, reason: sentence(String(verdict.refuse)) };
        all = withAddition(all, companion.name, verdict);
      }
      return all;
    },
    filter() {
      const filters = [...mounted.values()].filter(({ evidence }) => evidence !== undefined);
      if (filters.length === 0) return undefined;
      return async (text, entryId, part) => {
        let shown = text;
        for (const companion of filters) {
          try {
            const filtered: unknown = await companion.evidence?.(shown, {
              tool: "parent_session",
              entryId,
              part,
            });
            if (typeof filtered !== "string") throw new Error("it gave no text");
            shown = filtered;
          } catch {
            // Its error may quote the text that it was to hold back.
            return `[withheld: the companion "${companion.name}" could not filter this text]`;
          }
        }
        return shown;
      };
    },
    async refusesPath(path) {
      for (const companion of mounted.values()) {
        try {
          const reason = await companion.refusesPath?.(path);
          if (reason !== undefined) return String(reason);
        } catch (error) {
          return failure(companion.name, wordsOf(error));
        }
      }
      return undefined;
    },
    child: (request, home) =>
      [...mounted.values()].flatMap((companion) => {
        try {
          return companion.child?.(request, home) ?? [];
        } catch (error) {
          throw new Error(failure(companion.name, wordsOf(error)), { cause: error });
        }
      }),
    areListening: () => [...mounted.values()].some(({ on }) => on !== undefined),
    emit(event) {
      for (const companion of mounted.values()) {
        if (!companion.on) continue;
        // Also of a handler that returns a promise, against its type.
        const heard = (async () => companion.on?.(frozen(event)))();
        heard.catch((error: unknown) => complain(failure(companion.name, wordsOf(error))));
      }
    },
    facts: (consultationId) =>
      Object.fromEntries(
        [...mounted.values()].flatMap((companion) => {
          const facts = attempt(
            () => companion.record?.(consultationId),
            (reason) => void complain(failure(companion.name, reason)),
          );
          return isRecord(facts) ? [[companion.name, plainFacts(facts)] as const] : [];
        }),
      ),
    lines: () =>
      [...mounted.values()].map((companion) => {
        const line = attempt(
          () => companion.describe?.(),
          (reason) => failure(companion.name, reason),
        );
        return line === undefined
          ? `Companion ${companion.name} runs.`
          : `Companion ${companion.name}: ${line}`;
      }),
    names: () => [...mounted.keys()],
  };
}

function withAddition(
  all: Addition,
  name: string,
  { context, instructions, advisor }: Exclude<Verdict, { refuse: string }>,
): Addition {
  return {
    kind: "added",
    by: [...all.by, name],
    context: [...all.context, ...(context?.trim() ? [context] : [])],
    instructions: [...all.instructions, ...(instructions?.trim() ? [instructions] : [])],
    wish: { ...all.wish, ...advisor },
  };
}

/** A companion may wait for a person; whoever stops the consultation does not wait for that. */
async function stoppable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = Promise.withResolvers<never>();
  const stop = () => stopped.reject(new Error("the consultation was stopped"));
  signal.addEventListener("abort", stop, { once: true });
  const running = work();
  running.catch(() => {});
  try {
    return await Promise.race([running, stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function attempt<T, R>(call: () => T, otherwise: (reason: string) => R): T | R {
  try {
    return call();
  } catch (error) {
    return otherwise(wordsOf(error));
  }
}

function frozen(event: EngineEvent): EngineEvent {
  return freeze(structuredClone(event));
}

function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}

function failure(name: string, reason: string): string {
  return `the companion "${name}" failed: ${sentence(reason)}`;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sentence(text: string): string {
  const line = text.replace(/\s+/g, " ").trim().slice(0, 600);
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}
