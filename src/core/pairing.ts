// Which model advises which executor: the first matching pair wins over the general settings.

import type { AdvisorWish } from "./seam.ts";
import type { AngelSettings, ThinkingLevel } from "./settings.ts";

export type AdvisorChoice =
  | {
      readonly kind: "advisor";
      /** `provider/id`; absent: the executor's own model. */
      readonly model?: string;
      readonly thinking: ThinkingLevel;
      /** The setting that named the model, for messages about it; absent when none did. */
      readonly setting?: string;
    }
  | { readonly kind: "off"; readonly reason: string };

/** Whether an executor's `provider/id` fits a pattern. */
export type FitsPattern = (executor: string, pattern: string) => boolean;

/**
 * @param executor the executor's `provider/id`; absent while the parent has no model
 * @param fits asked only where there are pairs
 * @param wish what a companion asks for; it goes before the settings, but not before an "off"
 */
export function chooseAdvisor(
  settings: AngelSettings,
  executor: string | undefined,
  fits: FitsPattern,
  wish: AdvisorWish = {},
): AdvisorChoice {
  const choice = chooseBySettings(settings, executor, fits);
  if (choice.kind === "off") return choice;
  return {
    ...choice,
    ...(wish.model === undefined ? {} : { model: wish.model, setting: "a companion" }),
    ...(wish.thinking === undefined ? {} : { thinking: wish.thinking }),
  };
}

function chooseBySettings(
  settings: AngelSettings,
  executor: string | undefined,
  fits: FitsPattern,
): AdvisorChoice {
  const index =
    executor === undefined ? -1 : settings.pairs.findIndex((pair) => fits(executor, pair.executor));
  const pair = settings.pairs[index];
  if (!pair) {
    return {
      kind: "advisor",
      thinking: settings.thinking,
      ...(settings.model ? { model: settings.model, setting: "angel.model" } : {}),
    };
  }
  if (pair.advisor === "off") {
    return {
      kind: "off",
      reason: `angel.pairs[${index}] ("${pair.executor}") switches it off for ${executor}.`,
    };
  }
  return {
    kind: "advisor",
    model: pair.advisor,
    thinking: pair.thinking ?? settings.thinking,
    setting: `angel.pairs[${index}].advisor`,
  };
}
