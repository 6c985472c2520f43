// A report: one entry that only people see. It says that a consultation brought no advice, or what
// happened to Angel itself, and is never styled like advice.

import type { ConsultationRecord } from "../core/record.ts";

export const REPORT_ENTRY = "angel-report";

export interface Report {
  readonly sentence: string;
  /** Absent in a notice that is about no consultation. */
  readonly record?: ConsultationRecord;
}
