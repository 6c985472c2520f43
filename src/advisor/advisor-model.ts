// From the settings to the model that advises: found, with credentials, at the thinking level it can do.

import { clampThinkingLevel } from "@mariozechner/pi-ai";
import type { ExtensionContext, ModelRuntime } from "@mariozechner/pi-coding-agent";
import { chooseAdvisor } from "../core/pairing.ts";
import type { Thinking } from "../core/record.ts";
import type { AdvisorWish } from "../core/seam.ts";
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

/** How long to wait for a provider's own check; without either for as long as it takes. */
export interface Patience {
  readonly signal?: AbortSignal;
  readonly limitMs?: number;
}

type Credentials = Pick<ModelRuntime, "hasConfiguredAuth" | "checkAuth">;

export async function findAdvisor(
  settings: AngelSettings,
  source: ModelSource,
  credentials: Credentials,
  patience: Patience,
  wish?: AdvisorWish,
): Promise<AdvisorFinding> {
  const executor = selectedModel(source);
  // Taken before the first wait: Pi's own context may be stale after it.
  const { modelRegistry } = source;
  const fits = settings.pairs.length === 0 ? () => false : (await import("../core/pattern.ts")).fitsPattern;
  const choice = chooseAdvisor(settings, executor && modelName(executor), fits, wish);
  if (choice.kind === "off") return { kind: "none", reason: choice.reason, isMistake: false };
  const model = choice.model === undefined ? executor : lookUp(choice.model, modelRegistry);
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
  const check = await checkCredentials(model.provider, credentials, patience);
  if (check !== "found") {
    return {
      kind: "none",
      isMistake: choice.model !== undefined,
      reason:
        check === "missing"
          ? `there are no credentials for ${modelName(model)}; sign in with /login or set the key of ${model.provider}.`
          : `the credentials for ${modelName(model)} could not be checked: ${check.fault}`,
    };
  }
  const effective = clampThinkingLevel(model, choice.thinking);
  return {
    kind: "found",
    advisor: { model, name: modelName(model), thinking: { requested: choice.thinking, effective } },
  };
}

/** Before anybody has selected a model Pi holds a placeholder in its place. */
function selectedModel({ model }: ModelSource): Model | undefined {
  return model?.provider === "unknown" && model.id === "unknown" ? undefined : model;
}

function modelName(model: { readonly provider: string; readonly id: string }): string {
  return `${model.provider}/${model.id}`;
}

/**
 * What Pi has at hand is a snapshot; a provider that has just been registered is not in it yet. A check of a
 * provider's own may take its time: when patience ends it counts as found, and the first request will tell.
 */
async function checkCredentials(
  provider: string,
  credentials: Credentials,
  { signal, limitMs }: Patience,
): Promise<"found" | "missing" | { readonly fault: string }> {
  if (credentials.hasConfiguredAuth(provider)) return "found";
  const patience = AbortSignal.any([
    ...(signal ? [signal] : []),
    ...(limitMs ? [AbortSignal.timeout(limitMs)] : []),
  ]);
  const ended = Promise.withResolvers<"found">();
  const end = () => ended.resolve("found");
  patience.addEventListener("abort", end, { once: true });
  if (patience.aborted) end();
  const asked = credentials.checkAuth(provider, { signal: patience }).then(
    (auth) => (auth ? ("found" as const) : ("missing" as const)),
    (error: unknown) => ({ fault: error instanceof Error ? error.message : String(error) }),
  );
  try {
    return await Promise.race([asked, ended.promise]);
  } finally {
    patience.removeEventListener("abort", end);
  }
}

function lookUp(name: string, registry: ModelSource["modelRegistry"]): Model | undefined {
  const slash = name.indexOf("/");
  return registry.find(name.slice(0, slash), name.slice(slash + 1));
}
