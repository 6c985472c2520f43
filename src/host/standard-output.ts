// Writes to the real standard output. Print mode takes `process.stdout` over for itself and prints only what
// an assistant said, so the answer to a command has to go past it.

import { writeSync } from "node:fs";

const STANDARD_OUTPUT = 1;
/** How long to rest while a slow reader empties a full pipe, in milliseconds. */
const PIPE_PAUSE_MS = 2;

/** Returns when all of it is written, however slow the reader is; a reader that went away ends it. */
export function writeStandardOutput(text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) {
    try {
      written += writeSync(STANDARD_OUTPUT, bytes, written);
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
      if (code !== "EAGAIN") return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PIPE_PAUSE_MS);
    }
  }
}
