// `pi -c` opens the file of the folder that was written last. While a child works, its parent's file
// time is kept ahead of it, so that even a killed Pi comes back to the parent.

import { statSync, utimesSync } from "node:fs";

/** How far ahead: it covers what the child writes until the next touch. */
const LEAD_MS = 1000;
/** Streams bring many events a second; the lead makes most touches needless. */
const PAUSE_MS = 250;

/** @returns a function to call whenever the child is about to write or has written */
export function keepParentAhead(parentFile: string | undefined, now: () => number = Date.now): () => void {
  if (parentFile === undefined) return () => {};
  let touched = Number.NEGATIVE_INFINITY;
  return () => {
    const time = now();
    if (time - touched < PAUSE_MS) return;
    touched = time;
    try {
      const { atime } = statSync(parentFile);
      utimesSync(parentFile, atime, new Date(time + LEAD_MS));
    } catch {
      // The parent may not be on disk yet, or its folder is gone: then there is nothing to keep ahead.
    }
  };
}
