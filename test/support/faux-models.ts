/**
 * Scripted models without a provider, for sessions inside the test's process: "exec/exec" and "adv/adv", each
 * with its own script and its own record of what it was sent. They cost nothing and estimate their usage.
 */

import type { FauxProviderHandle, FauxResponseStep, JsonObject, Message } from "@mariozechner/pi-ai";
import { fauxAssistantMessage, fauxProvider, fauxToolCall } from "@mariozechner/pi-ai";

export interface FauxModel {
  readonly handle: FauxProviderHandle;
  /** The messages that the model was sent, request by request. */
  readonly requests: readonly (readonly Message[])[];
  /** Adds steps to the model's script: what it answers, or a function that answers. */
  script(steps: readonly FauxResponseStep[]): void;
  /** How many steps no request has taken yet. */
  pending(): number;
}

export function makeFauxModel(id: string, options: { readonly reasoning?: boolean } = {}): FauxModel {
  const handle = fauxProvider({ provider: id, models: [{ id, ...options, contextWindow: 200_000 }] });
  // The faux provider cannot declare the levels above "high", which exist only where a model names them.
  if (options.reasoning) handle.getModel().thinkingLevelMap = { xhigh: "xhigh", max: "max" };
  const requests: Message[][] = [];

  const recorded =
    (step: FauxResponseStep): FauxResponseStep =>
    (context, ...rest) => {
      requests.push([...context.messages]);
      return typeof step === "function" ? step(context, ...rest) : step;
    };

  return {
    handle,
    requests,
    script: (steps) => handle.appendResponses(steps.map(recorded)),
    pending: () => handle.getPendingResponseCount(),
  };
}

export function fauxSay(text: string) {
  return fauxAssistantMessage(text);
}

export function fauxCall(name: string, args: JsonObject) {
  return fauxAssistantMessage(fauxToolCall(name, args), { stopReason: "toolUse" });
}
