// From a completed turn to the attempts in it. What cannot be traced to exactly one call, what Pi's own
// low-signal file tools did, and Angel's own calls are no attempts.

import { identifyOperation } from "./operation.ts";
import type { Attempt } from "./recovery.ts";
import { ANGEL_TOOL } from "./tool-name.ts";

export interface TurnCall {
  readonly id: string;
  readonly name: string;
  /** The model's raw arguments. */
  readonly arguments: unknown;
}

export interface TurnResult {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly isError: boolean;
  /** The result's entry in the session; some providers count call ids anew in every message. */
  readonly entryId: string;
}

/** Where Pi says that a tool is registered; undefined when it knows no such tool. */
export type ProvenanceOf = (tool: string) => { readonly source: string; readonly path: string } | undefined;

/** Their failures are local discovery: the executor retries by itself. */
const LOW_SIGNAL_BUILTINS: readonly string[] = ["read", "edit", "write", "grep", "find", "ls"];

/** @param results in the order of their calls in the message */
export function attemptsOf(
  calls: readonly TurnCall[],
  results: readonly TurnResult[],
  provenanceOf: ProvenanceOf,
): Attempt[] {
  return results.flatMap((result) => {
    const named = calls.filter((call) => call.id === result.toolCallId);
    const [call] = named;
    if (!call || named.length > 1 || call.name !== result.toolName) return [];
    if (call.name === ANGEL_TOOL || isLowSignal(call.name, provenanceOf)) return [];
    const operation = identifyOperation(call.name, call.arguments);
    return operation
      ? [{ operation, callId: call.id, entryId: result.entryId, isFailure: result.isError }]
      : [];
  });
}

/** The name alone proves nothing: an extension may have put its own tool under it. */
function isLowSignal(tool: string, provenanceOf: ProvenanceOf): boolean {
  if (!LOW_SIGNAL_BUILTINS.includes(tool)) return false;
  const provenance = provenanceOf(tool);
  return provenance?.source === "builtin" && provenance.path === `builtin:${tool}`;
}
