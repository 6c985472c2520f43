// A tool of a test extension that fails or succeeds by the word it is called with, so that a script of
// the executor reads as the story of its failures.

import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";

export interface FlakyTool {
  readonly extension: InlineExtension;
  /** The next calls fail or succeed in this order; when it is used up they fail. */
  readonly outcomes: ("ok" | "fail")[];
}

export function flakyTool(name = "flaky"): FlakyTool {
  const outcomes: ("ok" | "fail")[] = [];
  return {
    outcomes,
    extension: {
      name: `test-${name}`,
      factory: (pi) =>
        pi.registerTool({
          name,
          label: name,
          description: "Fails or succeeds as the test says.",
          parameters: Type.Object({ n: Type.Optional(Type.Number()) }),
          async execute(callId) {
            if (outcomes.shift() !== "ok") throw new Error(`${name} failed in ${callId}`);
            return { content: [{ type: "text", text: `${name} worked in ${callId}` }], details: undefined };
          },
        }),
    },
  };
}
