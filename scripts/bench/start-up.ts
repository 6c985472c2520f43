// What extensions add to the start of Pi: when nothing of them has been compiled before, and when it has.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { startRpc } from "../../test/support/rpc.ts";
import type { ParentOptions } from "./asking.ts";
import { endHome, makeBenchHome } from "./asking.ts";
import type { Raw } from "./consultations.ts";
import type { Row } from "./figures.ts";
import { median, ratioOf } from "./figures.ts";
import type { Peer } from "./peers.ts";
import type { BenchServer } from "./server.ts";

const ONE_FILE = `export default function (pi) { pi.on("session_start", () => {}); }`;

export async function measureStartUp(
  server: BenchServer,
  peers: readonly Peer[],
  rounds: number,
  raw: Raw,
): Promise<readonly Row[]> {
  const rpiv = peers.find(({ way }) => way.name === "rpiv-advisor");
  const kinds: Readonly<Record<string, ParentOptions>> = {
    none: { angel: false },
    angel: {},
    "one file": { angel: false, agentFiles: { "extensions/one.ts": ONE_FILE } },
    ...(rpiv ? { "rpiv-advisor": { angel: false, ...rpiv.parent } } : {}),
  };
  const times = new Map<string, { first: number[]; cached: number[] }>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, options] of Object.entries(kinds)) {
      const { first, cached } = await startTwice(server, options);
      const seen = times.get(name) ?? { first: [], cached: [] };
      times.set(name, { first: [...seen.first, first], cached: [...seen.cached, cached] });
    }
  }
  raw["start of Pi, ms"] = Object.fromEntries(times);
  const added = (name: string, when: "first" | "cached") =>
    median(times.get(name)?.[when] ?? []) - median(times.get("none")?.[when] ?? []);
  return (["first", "cached"] as const).flatMap((when) => {
    const what = `start-up of Pi, ${when === "first" ? "the first time" : "compiled before"}`;
    const own = added("angel", when);
    return [
      {
        what,
        goal: "≤ 0.15 × what rpiv-advisor adds",
        most: 0.15,
        ...(rpiv ? ratioOf(own, added("rpiv-advisor", when)) : { note: "needs --peers" }),
      },
      {
        what,
        goal: "≤ 3 × what a one-file extension adds",
        most: 3,
        ...ratioOf(own, added("one file", when)),
      },
    ];
  });
}

/** Until Pi answers; with an empty cache of compiled extensions, then with the one that is left. */
async function startTwice(
  server: BenchServer,
  options: ParentOptions,
): Promise<{ readonly first: number; readonly cached: number }> {
  const home = await makeBenchHome(server, options);
  const temp = join(home.root, "temp");
  const start = async () => {
    const startedMs = performance.now();
    const rpc = await startRpc({ ...home, env: { ...home.env, TMPDIR: temp } });
    await rpc.send({ type: "get_state" });
    const elapsedMs = performance.now() - startedMs;
    await rpc.stop();
    return elapsedMs;
  };
  try {
    mkdirSync(temp);
    const first = await start();
    return { first, cached: await start() };
  } finally {
    rmSync(temp, { recursive: true, force: true });
    await endHome(home);
  }
}
