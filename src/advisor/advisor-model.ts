// From the settings to the model that advises: found, with credentials, at the thinking level it can do.

import { clampThinkingLevel } from "@mariozechner/pi-ai";
import type { ExtensionContext, ModelRuntime } from "@mariozechner/pi-coding-agent";
import { chooseAdvisor } from "../core/pairing.ts";
import type { Thinking } from "../core/record.ts";
import type { AngelSettings, ThinkingLevel } from "../core/settings.ts";

export type Model = NonNullable<ExtensionContext["model"]>;

export interface Advisor {
  readonly model: Model;
  /** `provider/id` */
  readonly name: string;
  readonly thinking: Thinking & { readonly effective: ThinkingLevel };
}

export type AdvisorFinding =
  | { readonly kind: "found"; readonly advisor: Advisor }
  | {
      readonly kind: "none";
      readonly reason: string;
      /** Whether the user's settings are to be put right, rather than a state that is meant or still to come. */
      readonly isMistake: boolean;
    };

/** What the parent knows about models. */
export interface ModelSource {
  readonly model: Model | undefined;
  readonly modelRegistry: Pick<ExtensionContext["modelRegistry"], "find">;
}

type Credentials = Pick<ModelRuntime, "hasConfiguredAuth" | "checkAuth">;

export async function findAdvisor(
  settings: AngelSettings,
  source: ModelSource,
  credentials: Credentials,
): Promise<AdvisorFinding> {
  const executor = source.model;
  const choice = chooseAdvisor(settings, executor && modelName(executor));
  if (choice.kind === "off") return { kind: "none", reason: choice.reason, isMistake: false };
  const model = choice.model === undefined ? executor : lookUp(choice.model, source);
  if (!model) {
    return {
      kind: "none",
      isMistake: choice.model !== undefined,
      reason:
        choice.model === undefined
          ? "no advisor model is set and the session has no model yet; choose one with /model or set angel.model."
          : `${choice.setting} names "${choice.model}", which Pi does not know; \`pi --list-models\` lists what it knows.`,
    };
  }
  if (!(await hasCredentials(model.provider, credentials))) {
    return {
      kind: "none",
      isMistake: choice.model !== undefined,
      reason: `there are no credentials for ${modelName(model)}; sign in with /login or set the key of ${model.provider}.`,
    };
  }
  const effective = clampThinkingLevel(model, choice.thinking);
  return {
    kind: "found",
    advisor: { model, name: modelName(model), thinking: { requested: choice.thinking, effective } },
  };
}

function modelName(model: { readonly provider: string; readonly id: string }): string {
  return `${model.provider}/${model.id}`;
}

/** What Pi has at hand is a snapshot; a provider that has just been registered is not in it yet. */
async function hasCredentials(provider: string, credentials: Credentials): Promise<boolean> {
  return credentials.hasConfiguredAuth(provider) || (await credentials.checkAuth(provider)) !== undefined;
}

function lookUp(name: string, source: ModelSource): Model | undefined {
  const slash = name.indexOf("/");
  return source.modelRegistry.find(name.slice(0, slash), name.slice(slash + 1));
}
