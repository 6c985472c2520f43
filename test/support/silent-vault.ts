/** A provider "vault" whose keys come from a place that can fall silent: whoever asks it then waits for ever. */

import type { Provider } from "@mariozechner/pi-ai";
import { fauxProvider } from "@mariozechner/pi-ai";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { createWatch } from "./watch.ts";

export interface SilentVault {
  readonly extension: InlineExtension;
  /** From now on nothing is answered in this place. */
  fallSilent(place: "check" | "key"): void;
  speakAgain(): void;
  /** How many wait in vain so far. */
  waiting(): number;
  /** Resolves when more than so many do. */
  isAskedAfter(count: number): Promise<number>;
  /** What its model says next. */
  say: ReturnType<typeof fauxProvider>["setResponses"];
}

export function silentVault(): SilentVault {
  const { provider, setResponses } = fauxProvider({ provider: "vault", models: [{ id: "adv" }] });
  const watch = createWatch();
  let silent: "check" | "key" | undefined;
  let waiting = 0;
  const answer = async <T>(place: "check" | "key", value: T): Promise<T> => {
    if (silent !== place) return value;
    waiting += 1;
    watch.changed();
    return new Promise(() => {});
  };
  const guarded: Provider = {
    ...provider,
    auth: {
      apiKey: {
        name: "A vault",
        // Never at hand: whoever wants to know has to ask.
        check: () => answer("check", { source: "the vault", type: "api_key" as const }),
        resolve: () => answer("key", { auth: { apiKey: "no-secret" } }),
      },
    },
  };
  return {
    extension: { name: "vault", factory: (pi) => pi.registerProvider(guarded) },
    fallSilent(place) {
      silent = place;
    },
    speakAgain() {
      silent = undefined;
    },
    waiting: () => waiting,
    isAskedAfter: (count) =>
      watch.until(
        () => (waiting > count ? waiting : undefined),
        () => `nobody asks the vault any more, after ${waiting} times`,
      ),
    say: setResponses,
  };
}
