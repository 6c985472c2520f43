// Where in a consultation a fault strikes: at a request of the advisor, once some others have gone well.

import type { ConsultingOptions } from "../consulting.ts";
import type { LoggedRequest } from "../model-server.ts";
import { isForSummary, SMALL, SMALL_WINDOW } from "../small-advisor.ts";
import type { Answer } from "../steps.ts";
import * as step from "../steps.ts";

/** What the advisor has said of its answer before the fault; it must get nowhere. */
export const HALF = "HALF-A-SENTENCE";

export interface Stage {
  readonly name: string;
  /** What the advisor answers before the request that is struck. */
  readonly lead: readonly Answer[];
  /** Text that has been streamed when the fault strikes; absent: nothing has been answered yet. */
  readonly said?: string;
  /** Which request is struck; absent: the first one after the lead. */
  readonly isStruck?: (request: LoggedRequest) => boolean;
  readonly options?: Pick<ConsultingOptions, "models" | "settings">;
}

export const STAGES: readonly Stage[] = [
  { name: "first request", lead: [] },
  { name: "streaming", lead: [], said: HALF },
  { name: "after a tool of the child", lead: [step.sayThenCall(HALF, "read", { path: "log.txt" })] },
  { name: "after parent_session", lead: [step.call("parent_session", { action: "overview" })] },
  {
    name: "compaction of the child",
    lead: [step.call("read", { path: "log.txt" }).usage({ in: SMALL_WINDOW - 1000 })],
    isStruck: isForSummary,
    options: SMALL,
  },
  { name: "end of the answer", lead: [], said: `# A whole answer\n\n${HALF}` },
  { name: "after a blank answer", lead: [step.empty()] },
];
