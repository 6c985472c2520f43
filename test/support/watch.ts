/**
 * Lets a test wait for a state instead of for a time: every change looks again for what is waited for.
 * A wait that lasts too long fails with a sentence that says what was there instead.
 */

/** Ten times what a slow machine needs: only a failing test waits this long. */
export const GENEROUS_MS = 40_000;

export interface Watch {
  /** Something may have changed: look again. */
  changed(): void;
  /** Nothing will change any more: every wait that finds nothing now fails, later ones too. */
  ended(reason: string): void;
  /** Resolves with the first value that `look` finds; `missing` says what was waited for in vain. */
  until<T>(look: () => T | undefined, missing: () => string, limitMs?: number): Promise<T>;
}

export function createWatch(): Watch {
  const waits = new Set<Wait>();
  let endedBecause: string | undefined;

  function lookAtAll(): void {
    for (const wait of [...waits]) wait.lookAgain();
    if (endedBecause === undefined) return;
    for (const wait of [...waits]) wait.giveUp(endedBecause);
  }

  return {
    changed: lookAtAll,
    ended(reason) {
      endedBecause ??= reason;
      lookAtAll();
    },
    until<T>(look: () => T | undefined, missing: () => string, limitMs = GENEROUS_MS) {
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const timer = setTimeout(() => wait.giveUp(`waited ${limitMs} ms`), limitMs);
      const settle = (how: () => void) => {
        clearTimeout(timer);
        waits.delete(wait);
        how();
      };
      const wait: Wait = {
        lookAgain() {
          try {
            const found = look();
            if (found !== undefined) settle(() => resolve(found));
          } catch (error) {
            settle(() => reject(error));
          }
        },
        giveUp: (reason) => settle(() => reject(new Error(`${missing()} (${reason})`))),
      };
      waits.add(wait);
      lookAtAll();
      // A test may start a wait now and await it much later: until then its failure is not "unhandled".
      promise.catch(() => {});
      return promise;
    },
  };
}

interface Wait {
  lookAgain(): void;
  giveUp(reason: string): void;
}
