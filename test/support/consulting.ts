/**
 * A parent inside the test's process whose advisor is asked over HTTP: the executor is the faux "exec/exec", the
 * advisor "local/adv" of a scripted server. So a test sees on the wire what a child was sent, as fast as in-process.
 */

import type { ToolResultMessage } from "@mariozechner/pi-ai";
import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import type { InlineExtension, ProviderConfig, SessionEntry } from "@mariozechner/pi-coding-agent";
import type { ConsultationRecord } from "../../src/core/record.ts";
import { fauxSay } from "./faux-models.ts";
import type { InProcess, SessionOptions } from "./in-process.ts";
import { startSession } from "./in-process.ts";
import type { ModelServer } from "./model-server.ts";
import { startModelServer } from "./model-server.ts";

type ChatModel = Extract<NonNullable<ProviderConfig["models"]>[number], { reasoning: boolean }>;

export interface ConsultingOptions extends SessionOptions {
  /** Models of "local" by id, field by field over the usual "adv". */
  readonly models?: Readonly<Record<string, Partial<ChatModel>>>;
}

/** A result of `angel`; a call that was refused has no record in its details. */
type AngelResult = Omit<ToolResultMessage, "details"> & { readonly details: ConsultationRecord };

export interface Consulting extends InProcess {
  readonly server: ModelServer;
  /** Lets the executor call `angel` once and end; resolves with the result of the call. */
  ask(question: string, context?: string): Promise<AngelResult>;
  /** What a test did not foresee, in words: on the wire, in the scripts, in handlers of extensions. */
  surprises(): readonly string[];
  /** The results of all `angel` calls so far, in order. */
  results(): AngelResult[];
  /** The entries of this custom type in the parent. */
  custom(customType: string): Extract<SessionEntry, { type: "custom" }>[];
}

const USUAL_MODEL: ChatModel = {
  id: "adv",
  name: "adv",
  reasoning: true,
  thinkingLevelMap: { xhigh: "xhigh", max: "max" },
  input: ["text"],
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 },
  contextWindow: 200_000,
  maxTokens: 16_000,
};

export async function startConsulting(options: ConsultingOptions = {}): Promise<Consulting> {
  const { models = {}, settings, factories = [], ...rest } = options;
  const server = await startModelServer();
  const pi = await startSession({
    ...rest,
    settings: { angel: { model: "local/adv" }, retry: { baseDelayMs: 1 }, ...settings },
    factories: [localProvider(server.url, models), ...factories],
  }).catch(async (error) => {
    await server.close();
    throw error;
  });
  const { session, sessionManager, faux } = pi;

  function results(): AngelResult[] {
    return sessionManager.getBranch().flatMap((entry) => {
      const message = entry.type === "message" ? entry.message : undefined;
      if (message?.role !== "toolResult" || message.toolName !== "angel") return [];
      return [{ ...message, details: message.details as unknown as ConsultationRecord }];
    });
  }

  function surprises(): string[] {
    const left = server.pending() + faux.exec.pending();
    return [
      ...server.unexpected,
      ...server.violations,
      ...(left > 0 ? [`${left} steps were never taken`] : []),
      ...pi.extensionErrors.map(({ event, error }) => `${event}: ${error}`),
    ];
  }

  async function dispose(): Promise<void> {
    try {
      await pi.dispose();
    } finally {
      await server.close();
    }
  }

  return {
    ...pi,
    server,
    results,
    surprises,
    async ask(question, context) {
      faux.exec.script([angelCall(question, context), fauxSay("Noted.")]);
      const before = results().length;
      await session.prompt("go on");
      const [result, ...more] = results().slice(before);
      if (result === undefined || more.length > 0)
        throw new Error(`Expected one result of angel, found ${more.length}.`);
      return result;
    },
    custom: (customType) =>
      sessionManager
        .getBranch()
        .flatMap((entry) => (entry.type === "custom" && entry.customType === customType ? [entry] : [])),
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

export function angelCall(question: string, context?: string) {
  const args = { question, ...(context === undefined ? {} : { context }) };
  return fauxAssistantMessage(fauxToolCall("angel", args), { stopReason: "toolUse" });
}

function localProvider(baseUrl: string, models: ConsultingOptions["models"] = {}): InlineExtension {
  const ids = new Set(["adv", ...Object.keys(models)]);
  const definitions = [...ids].map((id): ChatModel => ({ ...USUAL_MODEL, ...models[id], id, name: id }));
  return {
    name: "local-provider",
    factory: (pi) =>
      pi.registerProvider("local", {
        baseUrl,
        apiKey: "no-secret",
        api: "openai-completions",
        models: definitions,
      }),
  };
}
