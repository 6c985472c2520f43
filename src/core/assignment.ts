// The child's first message: what is asked, and where the evidence is. Nothing of the parent's
// transcript is in it; the question stands last so that nothing in it can pass for the rest.

import type { Consultation } from "./consultation.ts";
import { firstOf, firstWords } from "./naming.ts";
import type { Stall } from "./recovery.ts";
import type { Snapshot } from "./snapshot.ts";

/** Whoever has read this many knows where to look for the rest. */
const NAMED_STALLS = 20;

export function composeAssignment(
  consultation: Consultation,
  snapshot: Pick<Snapshot, "sessionId" | "leafId" | "cwd">,
): string {
  const { origin, question, context, toolCallIds, asked, stalls = [] } = consultation;
  return [
    "# Your assignment",
    "",
    `- Origin: ${origin}, asked ${asked}.`,
    `- Parent session ${snapshot.sessionId}, pinned at entry ${snapshot.leafId ?? "none (it is empty)"}. Read it through parent_session only.`,
    ...(toolCallIds.length > 0
      ? [`- Triggering tool calls: ${firstOf(toolCallIds.map(named), 2 * NAMED_STALLS).join(", ")}.`]
      : []),
    `- Project folder ${snapshot.cwd}.`,
    ...part(
      "The same call, marked as failed in two turns; its failures may differ",
      firstOf(stalls.map(stallLine), NAMED_STALLS)
        .map((line) => `- ${line}`)
        .join("\n"),
    ),
    ...part("Context that the asker adds", context),
    ...part("The question", question),
  ].join("\n");
}

function stallLine({ tool, earlierCallId, presentCallId, earlierEntryId, presentEntryId }: Stall): string {
  return `${named(tool)}: earlier ${named(earlierCallId)} (entry ${earlierEntryId}), now ${named(presentCallId)} (entry ${presentEntryId})`;
}

/** Some providers' ids are long; none needs more than this, and none may break a line. */
function named(text: string): string {
  return firstWords(text, 100);
}

function part(title: string, text: string | undefined): string[] {
  return text?.trim() ? ["", `## ${title}`, "", text] : [];
}
