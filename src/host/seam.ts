// The engine as companions see it: found on Pi's event bus, and otherwise the same engine that everybody asks.

import type { ExtensionAPI, ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Consultation } from "../core/consultation.ts";
import { saysSomething } from "../core/consultation.ts";
import { isRecord } from "../core/is-record.ts";
import { subjectOf } from "../core/naming.ts";
import { failed } from "../core/outcome.ts";
import type { AngelEngine, CompanionRequest, EngineStatus } from "../core/seam.ts";
import { ENGINE_CHANNEL } from "../core/seam.ts";
import { NOTHING_SPENT } from "../core/usage.ts";
import { activityWords } from "../view/activity.ts";
import type { Board } from "./board.ts";
import type { Companions } from "./companions.ts";
import type { Outbox } from "./delivery.ts";
import { deliver, undelivered } from "./delivery.ts";
import type { Engine, Settled } from "./engine.ts";
import type { Notify } from "./notices.ts";
import { composeRecord, withheldIfMoved } from "./settlement.ts";

export interface SeamParts {
  readonly engine: Engine;
  readonly companions: Companions;
  readonly board: Board;
  readonly outbox: Outbox;
  readonly tell: Notify;
  readonly isOn: () => boolean;
  readonly switchTo: (isOn: boolean, ctx: ExtensionContext) => Promise<unknown>;
  readonly refresh: (ctx: ExtensionContext) => Promise<unknown>;
  /** Why Angel cannot be used now; undefined when it can. */
  readonly unusable: (ctx: ExtensionContext) => Promise<string | undefined>;
  readonly newId: () => string;
  /** ISO 8601. */
  readonly clock: () => string;
}

export interface Seam {
  /** Resolves when no companion asks any more and all that they asked has been delivered. */
  settled(): Promise<void>;
}

const CORE_ORIGINS: readonly string[] = ["executor", "human", "error"];

export function openSeam(pi: Pick<ExtensionAPI, "events">, parts: SeamParts): Seam {
  const { engine, companions, refresh, switchTo } = parts;
  const open = new Set<Promise<unknown>>();
  const angel: AngelEngine = {
    version: 1,
    mount: (companion) => companions.mount(companion),
    absent: (name, reason) => companions.absent(name, reason),
    consult(request) {
      const settling = consult(request, parts);
      open.add(settling);
      void settling.then(() => open.delete(settling));
      return settling;
    },
    cancel: (id, reason) => engine.cancel(reason, id).length > 0,
    setControl: async (isOn, ctx) => void (await switchTo(isOn, ctx)),
    refresh: async (ctx) => void (await refresh(ctx)),
    async status(ctx): Promise<EngineStatus> {
      const { running, waiting } = engine.status();
      const unusable = await parts.unusable(ctx);
      return {
        control: parts.isOn() ? "on" : "off",
        ...(unusable === undefined ? {} : { unusable }),
        ...(running ? { running: running.id } : {}),
        waiting: waiting.map(({ id }) => id),
        companions: companions.names(),
      };
    },
  };
  pi.events.on(ENGINE_CHANNEL, (call) => {
    if (isRecord(call) && call.version === 1 && typeof call.receive === "function")
      Reflect.apply(call.receive, call, [angel]);
  });
  return {
    async settled() {
      await Promise.all(open);
    },
  };
}

async function consult(request: CompanionRequest, parts: SeamParts): Promise<Settled> {
  const { origin, question, context, ctx, signal, lane, child } = request;
  const consultation: Consultation = {
    id: parts.newId(),
    origin: String(origin),
    question: String(question),
    ...(context?.trim() ? { context } : {}),
    toolCallIds: [],
    asked: parts.clock(),
  };
  const mistake = mistakeIn(request, parts.isOn());
  if (mistake !== undefined) {
    const outcome = failed(mistake);
    return { outcome, record: composeRecord(consultation, outcome, { usage: NOTHING_SPENT }, 0) };
  }
  // Pi's context goes stale with the session; what is asked of it later is taken now.
  const { sessionManager } = ctx;
  const line = parts.board.open(ctx, `${origin}: ${subjectOf(consultation)}`, "/angel cancel stops it");
  if (parts.engine.status().running) line.say("waits for the consultation before it");
  try {
    const settled = await parts.engine.consult({
      consultation,
      parent: ctx,
      signal,
      instructions: request.instructions,
      lane: lane === "now" ? "ahead" : "background",
      ...(child ? { brought: child } : {}),
      onProgress: (progress, sinceMs) =>
        line.show({ words: activityWords(progress), sinceMs, provisional: progress.provisional }),
    });
    return request.deliver === "advice"
      ? bringHome(consultation, withheldIfMoved(settled, sessionManager), ctx, parts)
      : settled;
  } finally {
    line.close();
  }
}

/** @returns what was delivered, which is no advice when it came too late */
function bringHome(
  consultation: Consultation,
  settled: Settled,
  ctx: ExtensionContext,
  { outbox, tell }: SeamParts,
): Settled {
  try {
    deliver(outbox, consultation, settled, ctx);
  } catch (error) {
    tell(undelivered(settled, error), "error", ctx);
  }
  return settled;
}

function mistakeIn(request: CompanionRequest, isOn: boolean): string | undefined {
  const { origin, question, instructions, lane, deliver: way, isAskedByUser } = request;
  if (typeof origin !== "string" || !/^[a-z][a-z0-9-]{0,39}$/.test(origin))
    return `a companion's origin is one word in small letters; found ${JSON.stringify(origin)}.`;
  if (CORE_ORIGINS.includes(origin))
    return `"${origin}" is an origin of Angel's own; a companion uses another word.`;
  if (typeof question !== "string" || !saysSomething(question))
    return "a companion's consultation needs a question in words.";
  if (typeof instructions !== "string" || instructions.trim() === "")
    return "a companion's consultation needs instructions: what its origin asks of the advisor.";
  if (lane !== "now" && lane !== "background") return 'the lane of a consultation is "now" or "background".';
  if (way !== "return" && way !== "advice") return '"deliver" of a consultation is "return" or "advice".';
  return isOn || isAskedByUser ? undefined : "Angel is off in this session, so nothing starts by itself.";
}
