// Pieces of a run, for tests of what is made of them.

import type { Advice, Operation } from "../../../scripts/eval/observe.ts";

export function operation(tool: string, args: Operation["args"], rest: Partial<Operation> = {}): Operation {
  return { tool, args, result: "", isError: false, place: 0, ...rest };
}

export function adviceOf(text: string, rest: Partial<Advice> = {}): Advice {
  return { text, place: 1, shown: [], ...rest };
}
