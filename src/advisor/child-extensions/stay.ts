// What an extension of the user's is told and allowed while it is in a child: from its load to the end of the child.

import type { ChosenExtension } from "../../core/extension-choice.ts";

export interface Stay extends ChosenExtension {
  /** Aborted when the consultation is. */
  readonly signal: AbortSignal;
  /** True once the child is closed: nothing of the extension is called any more. */
  isOver(): boolean;
  /** Puts a full sentence into the child's record. */
  note(sentence: string): void;
  /** Called for each tool that the extension brings, whenever it does. */
  onTool(name: string): void;
}

/** Rejects when the time is over or the signal is aborted; the work itself cannot be stopped. */
export async function within<T>(work: Promise<T>, limitMs: number, signal?: AbortSignal): Promise<T> {
  const ending = Promise.withResolvers<never>();
  const stop = () => ending.reject(new Error("the consultation was stopped"));
  const limit = setTimeout(
    () => ending.reject(new Error(`it was not done within ${limitMs / 1000} s`)),
    limitMs,
  );
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, ending.promise]);
  } finally {
    clearTimeout(limit);
    signal?.removeEventListener("abort", stop);
    // Whatever it still does is nobody's any more.
    work.catch(() => {});
  }
}
