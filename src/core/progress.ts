// What a consultation is doing right now, for whoever watches it live. Nothing of it is ever kept.

export interface Progress {
  /** The tool at work; absent while the advisor thinks or writes. */
  readonly tool?: { readonly name: string; readonly args: unknown };
  readonly toolCount: number;
  /** Text of the message being written. Provisional: a tool call may still follow it. */
  readonly provisional: string;
  /** A pause that Pi makes before it asks the provider again. */
  readonly retry?: { readonly attempt: number; readonly maxAttempts: number };
}

export const NO_PROGRESS: Progress = { toolCount: 0, provisional: "" };
