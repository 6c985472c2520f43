// Passes on what changes often no more often than people can see: the first at once, then the latest at
// intervals. Nothing comes after the end.

export interface Throttle<T> {
  pass(value: T): void;
  /** What was held back is dropped: by now something better stands in its place. */
  end(): void;
}

export interface Clockwork {
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  /** Calls back once after that many milliseconds; returns the way to call it off. */
  readonly after: (delayMs: number, call: () => void) => () => void;
}

export function throttle<T>(
  show: (value: T) => void,
  everyMs: number,
  { now, after }: Clockwork,
): Throttle<T> {
  let lastMs = Number.NEGATIVE_INFINITY;
  let held: { readonly value: T; readonly callOff: () => void } | undefined;
  let isOver = false;
  const showNow = (value: T) => {
    held?.callOff();
    held = undefined;
    lastMs = now();
    show(value);
  };
  return {
    pass(value) {
      if (isOver) return;
      const waitMs = lastMs + everyMs - now();
      if (waitMs <= 0) return showNow(value);
      const callOff = held?.callOff ?? after(waitMs, () => held && showNow(held.value));
      held = { value, callOff };
    },
    end() {
      isOver = true;
      held?.callOff();
      held = undefined;
    },
  };
}
