// What an extension of the user's is told and allowed while it is in a child: from its load to the end of the child.

import type { ChosenExtension } from "../../core/extension-choice.ts";

export interface Stay extends ChosenExtension {
  /** Aborted when the consultation is. */
  readonly signal: AbortSignal;
  /** The advisor's own tools, which no extension takes away. */
  readonly ownTools: readonly string[];
  /** True once the child is closed: nothing of the extension is called any more. */
  isOver(): boolean;
  /** How long all shutdowns of the child together may still take, in milliseconds. */
  shutdownLeftMs(): number;
  /** Puts a full sentence into the child's record; never throws. */
  note(sentence: string): void;
  /** Called for each tool that the extension brings, whenever it does. */
  onTool(name: string): void;
}

/** Rejects when the time is over or the signal is aborted; the work itself cannot be stopped. */
export async function within<T>(work: Promise<T>, limitMs: number, signal?: AbortSignal): Promise<T> {
  const ending = Promise.withResolvers<never>();
  const stop = () => ending.reject(new Error("the consultation was stopped"));
  const limit = setTimeout(
    () => ending.reject(new Error(`it was not done within ${Math.round(limitMs / 100) / 10} s`)),
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

/** Of whatever was thrown, on one line and bounded; also of what has no form as text. */
export function reasonOf(thrown: unknown): string {
  const text =
    thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : "it threw no error";
  return text.replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 500);
}
