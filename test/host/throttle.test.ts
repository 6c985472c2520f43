import { expect, test } from "vitest";
import { throttle } from "../../src/host/throttle.ts";

/** A clock that the test moves, and the one timer of it. */
function handClock() {
  let nowMs = 0;
  let due: { at: number; call: () => void } | undefined;
  return {
    now: () => nowMs,
    after: (delayMs: number, call: () => void) => {
      due = { at: nowMs + delayMs, call };
      return () => {
        due = undefined;
      };
    },
    pass(ms: number) {
      nowMs += ms;
      if (due === undefined || due.at > nowMs) return;
      const { call } = due;
      due = undefined;
      call();
    },
    isArmed: () => due !== undefined,
  };
}

test("What changes often is shown at once, then at intervals with its latest state, and never after its end.", () => {
  const clock = handClock();
  const shown: number[] = [];
  const live = throttle((value: number) => shown.push(value), 100, clock);

  live.pass(1);
  for (const value of [2, 3, 4]) live.pass(value);
  expect(shown).toEqual([1]);
  clock.pass(99);
  expect(shown).toEqual([1]);
  clock.pass(1);
  expect(shown).toEqual([1, 4]);
  clock.pass(500);
  live.pass(5);
  live.pass(6);
  live.end();
  clock.pass(500);
  live.pass(7);

  expect(shown).toEqual([1, 4, 5]);
  expect(clock.isArmed()).toBe(false);
});

test("a value that comes when its time is due goes out once", () => {
  const clock = handClock();
  const shown: number[] = [];
  const live = throttle((value: number) => shown.push(value), 100, { ...clock, after: () => () => {} });

  live.pass(1);
  live.pass(2);
  clock.pass(100);
  live.pass(3);

  expect(shown).toEqual([1, 3]);
});
