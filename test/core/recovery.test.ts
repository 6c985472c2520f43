import fc from "fast-check";
import { expect, test } from "vitest";
import type { Attempt, Stall } from "../../src/core/recovery.ts";
import { startRecoveryMemory } from "../../src/core/recovery.ts";

interface Model {
  readonly failedBefore: string[];
  readonly quiet: string[];
}

/** What the contract says, in the plainest form: lists, one attempt after the other. */
function modelTurn(model: Model, attempts: readonly Attempt[]): string[] {
  const stalled: string[] = [];
  const last: Record<string, boolean> = {};
  for (const { operation, isFailure } of attempts) last[operation.argumentsHash] = isFailure;
  for (const [hash, isFailure] of Object.entries(last)) {
    const wasRemembered = model.failedBefore.includes(hash);
    if (!isFailure) {
      if (wasRemembered) model.failedBefore.splice(model.failedBefore.indexOf(hash), 1);
      if (model.quiet.includes(hash)) model.quiet.splice(model.quiet.indexOf(hash), 1);
    } else if (!wasRemembered) {
      model.failedBefore.push(hash);
    } else if (!model.quiet.includes(hash)) {
      model.quiet.push(hash);
      stalled.push(hash);
    }
  }
  return stalled;
}

const attempt = fc
  .record({ operation: fc.constantFrom("o1", "o2", "o3", "o4"), isFailure: fc.boolean() })
  .map(
    ({ operation, isFailure }): Attempt => ({
      operation: { tool: "t", argumentsHash: operation },
      callId: operation,
      entryId: `entry of ${operation}`,
      isFailure,
    }),
  );
const event = fc.oneof(
  { weight: 12, arbitrary: fc.array(attempt, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.constant("boundary" as const) },
);

test("The recovery memory follows the plain model over any history.", () => {
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 200 }), (history) => {
      const memory = startRecoveryMemory();
      let model: Model = { failedBefore: [], quiet: [] };
      for (const turn of history) {
        if (turn === "boundary") {
          memory.clear();
          model = { failedBefore: [], quiet: [] };
          continue;
        }
        const stalls = memory.completed(turn).map(({ presentCallId }) => presentCallId);
        expect(stalls.toSorted()).toEqual(modelTurn(model, turn).toSorted());
        expect(memory.isEmpty()).toBe(model.failedBefore.length === 0);
      }
    }),
    { numRuns: 500 },
  );
});

test("a stall names the first failed call and the present one", () => {
  const memory = startRecoveryMemory();
  const failure = (callId: string): Attempt => ({
    operation: { tool: "bash", argumentsHash: "h" },
    callId,
    entryId: `entry of ${callId}`,
    isFailure: true,
  });

  memory.completed([failure("call-1")]);
  const stalls: readonly Stall[] = memory.completed([failure("call-2"), failure("call-3")]);

  expect(stalls).toEqual([
    {
      tool: "bash",
      earlierCallId: "call-1",
      presentCallId: "call-3",
      earlierEntryId: "entry of call-1",
      presentEntryId: "entry of call-3",
    },
  ]);
});
