// What must be settled before a child is made: who advises, what companions say to it, and the pin. What comes later
// stands on what came before, so a request that is refused has no child and costs nothing.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Advisor } from "../advisor/advisor-model.ts";
import type { Consultation } from "../core/consultation.ts";
import { abortReason } from "../core/desk.ts";
import type { Outcome } from "../core/outcome.ts";
import { cancelled, failed } from "../core/outcome.ts";
import type { AdvisorWish, RequestView } from "../core/seam.ts";
import type { Snapshot } from "../core/snapshot.ts";
import type { Availability, ParentView } from "./availability.ts";
import type { Addition, Companions } from "./companions.ts";
import { NOTHING_ADDED } from "./companions.ts";
import type { Place } from "./place.ts";
import { pin } from "./place.ts";
import type { Facts } from "./settlement.ts";

export interface Preparing {
  /** Asked anew when a consultation starts: settings, models and keys may have changed while it waited. */
  readonly availability: (
    parent: ParentView,
    signal: AbortSignal,
    wish?: AdvisorWish,
  ) => Promise<Availability>;
  readonly companions: Companions;
}

export interface Prepared extends Pick<Extract<Availability, { kind: "usable" }>, "advisor" | "runtime"> {
  readonly kind: "prepared";
  readonly request: RequestView;
  /** With what companions added to its context. */
  readonly consultation: Consultation;
  /** What companions add to the advisor's instructions. */
  readonly instructions: readonly string[];
  readonly snapshot: Snapshot;
}

interface Learner {
  readonly signal: AbortSignal;
  readonly learn: (more: Partial<Facts>) => void;
}

export async function prepare(
  consultation: Consultation,
  ctx: ExtensionContext,
  place: Place,
  { signal, learn }: Learner,
  { availability, companions }: Preparing,
): Promise<Prepared | Outcome> {
  let { snapshot } = place;
  let found = await availability(place, signal);
  if (signal.aborted) return cancelled(abortReason(signal));
  if (found.kind === "unusable") return failed(found.reason);
  let added: Addition = NOTHING_ADDED;
  if (companions.haveBefore()) {
    const request = requestView(consultation, found.advisor);
    const answer = await companions.before(request, ctx, signal);
    if (signal.aborted) return cancelled(abortReason(signal));
    if (answer.kind === "refused") {
      const { by, reason } = answer;
      companions.emit({ type: "refused", request, by, reason });
      learn({ refusedBy: by });
      return failed(reason);
    }
    added = answer;
    if (added.by.length > 0) learn({ changedBy: added.by });
    // They may have taken their time, and whatever a person was told meanwhile is part of the session now.
    snapshot = pin(place.sessionManager);
    learn({ parentLeafId: snapshot.leafId });
    found = await availability(place, signal, added.wish);
    if (signal.aborted) return cancelled(abortReason(signal));
    if (found.kind === "unusable") return failed(found.reason);
  }
  const { advisor, runtime } = found;
  const context = [consultation.context, ...added.context].filter((text) => text !== undefined).join("\n\n");
  const amended: Consultation = context === "" ? consultation : { ...consultation, context };
  learn({ model: advisor.name, thinking: advisor.thinking });
  return {
    kind: "prepared",
    advisor,
    runtime,
    request: requestView(amended, advisor),
    consultation: amended,
    instructions: added.instructions,
    snapshot,
  };
}

function requestView(consultation: Consultation, { name, thinking }: Advisor): RequestView {
  const { id, origin, question, context, toolCallIds, asked } = consultation;
  return {
    consultationId: id,
    origin,
    ...(question === undefined ? {} : { question }),
    ...(context === undefined ? {} : { context }),
    toolCallIds,
    advisor: { model: name, thinking: thinking.effective },
    asked,
  };
}
