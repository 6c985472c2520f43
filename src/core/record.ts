// The one shape that says what a consultation was: in the tool row, the message, the card and the report.

import type { Origin } from "./consultation.ts";
import type { Outcome } from "./outcome.ts";
import type { UsageReport } from "./usage.ts";

export const RECORD_VERSION = 1;

export interface Thinking {
  readonly requested: string;
  /** What the model can do of it: Pi clamps a level that the model does not support. */
  readonly effective: string;
}

export interface ConsultationRecord {
  /** Another one when another version of Angel wrote it. */
  readonly version: number;
  readonly consultationId: string;
  readonly origin: Origin;
  /** The first words of the question, or the tools that failed: what people know it by. */
  readonly subject?: string;
  readonly outcome: Outcome["kind"];
  /** Why there is no advice; absent when there is. */
  readonly reason?: string;
  /** Absent when the consultation ended before a child session was made. */
  readonly childSessionId?: string;
  /** Absent when the child is not on disk: the parent keeps no session, or nothing was recorded. */
  readonly childSessionFile?: string;
  /** `provider/id`; absent when no advisor model could be chosen. */
  readonly model?: string;
  readonly thinking?: Thinking;
  /** ISO 8601. */
  readonly asked: string;
  readonly elapsedMs: number;
  readonly usage: UsageReport;
  /** The parent entry that the snapshot was pinned to; null in an empty session, absent before the pin. */
  readonly parentLeafId?: string | null;
  /** The companion that refused it. */
  readonly refusedBy?: string;
  /** Companions that added to the request or chose its advisor. */
  readonly changedBy?: readonly string[];
  /** What companions keep of it, by their names. */
  readonly companions?: Readonly<Record<string, PlainFacts>>;
}

export type PlainFacts = Readonly<Record<string, string | number | boolean>>;
