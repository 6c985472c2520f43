// What makes two tool calls the same operation: the tool's name and the exact arguments. Of the
// arguments only a hash is kept.

import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

export interface Operation {
  readonly tool: string;
  /** SHA-256 of the canonical JSON of the model's raw arguments, in hex. */
  readonly argumentsHash: string;
}

/** Undefined when the arguments are no plain JSON object: such a call is nobody's repetition. */
export function identifyOperation(tool: string, rawArguments: unknown): Operation | undefined {
  if (typeof rawArguments !== "object" || rawArguments === null || Array.isArray(rawArguments))
    return undefined;
  const json = canonicalJson(rawArguments);
  if (json === undefined) return undefined;
  return { tool, argumentsHash: createHash("sha256").update(json).digest("hex") };
}
