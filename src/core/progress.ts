// What a consultation is doing right now, for whoever watches it live. Nothing of it is ever kept.

export interface Progress {
  /** The tool at work; absent while the advisor thinks or writes. */
  readonly tool?: { readonly name: string; readonly args: unknown };
  readonly toolCount: number;
  /** The end of the message being written, as much as anybody can look at. Provisional: a tool call may still follow it. */
  readonly provisional: string;
  /** A pause that Pi makes before it asks the provider again. */
  readonly retry?: { readonly attempt: number; readonly maxAttempts: number };
}

export const NO_PROGRESS: Progress = { toolCount: 0, provisional: "" };

/** More characters than the few lines that a live view shows can hold on any terminal. */
const TAIL = 1000;

export function withText(progress: Progress, delta: string): Progress {
  const text = progress.provisional + delta;
  // A stream of a megabyte must not be copied whole with every piece of it.
  return { ...progress, provisional: text.length > 2 * TAIL ? text.slice(-TAIL) : text };
}
