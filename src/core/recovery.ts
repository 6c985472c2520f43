// The recovery memory: which operations failed and have not succeeded since. Deterministic, in memory
// only, without counters or quotas; a second failure in a later turn is a stall, once.

import type { Operation } from "./operation.ts";

/** One result of a completed turn whose call could be identified. */
export interface Attempt {
  readonly operation: Operation;
  readonly callId: string;
  /** Of its result. */
  readonly entryId: string;
  readonly isFailure: boolean;
}

/** The same operation failed in two turns of one task. */
export interface Stall {
  readonly tool: string;
  readonly earlierCallId: string;
  readonly presentCallId: string;
  /** The entries of the two results: call ids alone may name several calls of a session. */
  readonly earlierEntryId: string;
  readonly presentEntryId: string;
}

export interface RecoveryMemory {
  /** Takes in a completed turn and returns what stalled in it; each operation stalls once until it succeeds. */
  completed(attempts: readonly Attempt[]): readonly Stall[];
  /** A task boundary: nothing before it counts any more. */
  clear(): void;
  /** True when a turn of successes has nothing to change here. */
  isEmpty(): boolean;
}

interface Incident {
  readonly failedCallId: string;
  readonly failedEntryId: string;
  readonly isStalled: boolean;
}

export function startRecoveryMemory(): RecoveryMemory {
  const incidents = new Map<string, Incident>();
  return {
    completed(attempts) {
      // Several results of one operation in a turn are one attempt, and the last of them decides.
      const decisive = new Map(attempts.map((attempt) => [keyOf(attempt.operation), attempt]));
      const stalls: Stall[] = [];
      for (const [key, { isFailure, callId, entryId, operation }] of decisive) {
        const incident = incidents.get(key);
        if (!isFailure) incidents.delete(key);
        else if (!incident)
          incidents.set(key, { failedCallId: callId, failedEntryId: entryId, isStalled: false });
        else if (!incident.isStalled) {
          incidents.set(key, { ...incident, isStalled: true });
          stalls.push({
            tool: operation.tool,
            earlierCallId: incident.failedCallId,
            presentCallId: callId,
            earlierEntryId: incident.failedEntryId,
            presentEntryId: entryId,
          });
        }
      }
      return stalls;
    },
    clear: () => incidents.clear(),
    isEmpty: () => incidents.size === 0,
  };
}

/** A hash has a fixed form, so whatever the tool is called, two operations never share a key. */
function keyOf({ tool, argumentsHash }: Operation): string {
  return `${argumentsHash} ${tool}`;
}
