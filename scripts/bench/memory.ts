// What a consultation leaves in the process: heap after a garbage collection, handles, listeners, child processes.

import type { Look, Parent, Way } from "./asking.ts";
import { ANGEL, looksOf, NOOP, startParent } from "./asking.ts";
import type { Raw } from "./consultations.ts";
import type { Row } from "./figures.ts";
import type { BenchServer } from "./server.ts";

export async function measureMemory(server: BenchServer, rounds: number, raw: Raw): Promise<readonly Row[]> {
  const [noop, angel] = [await growth(server, NOOP, rounds), await growth(server, ANGEL, rounds)];
  raw["left by a tool call, each"] = { noop, angel };
  return [
    {
      what: "heap after garbage collection, per consultation, over the no-op",
      goal: "≤ 15 KB",
      found: (angel.heap - noop.heap) / 1024,
      unit: "KB",
      most: 15,
    },
    {
      what: "handles, timers, listeners and processes that stay after consultations",
      goal: "0",
      found: grown([angel.handles, angel.listeners, angel.children]) * rounds,
      unit: "in all",
      most: 0,
    },
  ];
}

/** What one kind lost does not make up for what another gained. */
function grown(kinds: readonly number[]): number {
  return kinds.reduce((sum, each) => sum + Math.max(0, each), 0);
}

/** By how much one call makes everything grow. */
async function growth(server: BenchServer, way: Way, rounds: number): Promise<Omit<Look, "cpuMs">> {
  await using parent = await startParent(server, { env: { NODE_OPTIONS: "--expose-gc" } });
  for (let round = 0; round < rounds / 2; round += 1) await parent.ask(way);
  const before = await look(parent);
  for (let round = 0; round < rounds; round += 1) await parent.ask(way);
  const after = await look(parent);
  const each = (name: keyof Look) => (after[name] - before[name]) / rounds;
  return {
    heap: each("heap"),
    handles: each("handles"),
    listeners: each("listeners"),
    children: each("children"),
  };
}

async function look({ home, rpc }: Parent): Promise<Look> {
  await rpc.prompt("/bench_look");
  const seen = looksOf(home).at(-1);
  if (!seen) throw new Error("Pi did not look at itself.");
  return seen;
}
