/** How many bytes of the heap are in use once all that nobody holds is gone. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function liveHeap(): number {
  setFlagsFromString("--expose_gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("This Node cannot be told to collect its garbage.");
  collect();
  return process.memoryUsage().heapUsed;
}
