// Whether Angel can advise now, or the sentence why not. Control (on, off) is another matter.

import type { ExtensionContext, ModelRuntime } from "@mariozechner/pi-coding-agent";
import type { Advisor, Patience } from "../advisor/advisor-model.ts";
import { findAdvisor } from "../advisor/advisor-model.ts";
import { sharedRuntime } from "../advisor/runtime.ts";
import type { AdvisorWish } from "../core/seam.ts";
import type { SettingsReading } from "../core/settings.ts";
import { hasUsageBook } from "./accounting.ts";

export type Availability =
  | { readonly kind: "usable"; readonly advisor: Advisor; readonly runtime: ModelRuntime }
  | {
      readonly kind: "unusable";
      readonly reason: string;
      /** Whether the user has something to put right, so that it is worth a notice. */
      readonly isMistake: boolean;
    };

export type ParentView = Pick<ExtensionContext, "model" | "modelRegistry" | "sessionManager">;

/** What companions have to say to it. */
export interface Conditions {
  readonly wish?: AdvisorWish | undefined;
  /** Why it cannot be used because of one of them. */
  readonly obstacle?: string | undefined;
}

export async function assess(
  reading: SettingsReading,
  parent: ParentView,
  patience: Patience,
  { wish, obstacle }: Conditions = {},
): Promise<Availability> {
  const problem = reading.problems[0] ?? obstacle;
  if (problem) return unusable(problem);
  const runtime = sharedRuntime(parent.modelRegistry);
  if (!runtime)
    return unusable(
      "this Pi does not hand on its model runtime, so no child session can use your providers.",
    );
  if (!hasUsageBook(parent.sessionManager)) {
    return unusable(
      "this Pi cannot record usage for extensions, so a consultation could not be accounted for.",
    );
  }
  const finding = await findAdvisor(reading.settings, parent, runtime, patience, wish);
  return finding.kind === "found"
    ? { kind: "usable", advisor: finding.advisor, runtime }
    : { kind: "unusable", reason: finding.reason, isMistake: finding.isMistake };
}

function unusable(reason: string): Availability {
  return { kind: "unusable", reason, isMistake: true };
}
