// What is sent to the advisor's provider, in bytes, beside an advisor that is sent the whole transcript.

import type { Parent, Way } from "./asking.ts";
import { ANGEL, startParent } from "./asking.ts";
import type { Raw } from "./consultations.ts";
import { compacted } from "./consultations.ts";
import type { Row } from "./figures.ts";
import type { Peer } from "./peers.ts";
import type { BenchServer } from "./server.ts";

/** A file of 4 KB, as often as an investigation of usual size reads one. */
const READS = 5;
const FILE = "export const rate = 0.19; // of the net price, rounded once\n".repeat(69).slice(0, 4096);

export async function measureSizes(
  server: BenchServer,
  peers: readonly Peer[],
  raw: Raw,
): Promise<readonly Row[]> {
  const files = Object.fromEntries(Array.from({ length: READS }, (_, n) => [`src/rate-${n}.ts`, FILE]));
  await using parent = await startParent(server, { session: compacted(1000), project: files });
  const first = (await requestBytes(parent, ANGEL))[0] ?? Number.NaN;
  const investigation = await investigate(server, parent);
  const sum = investigation.reduce((total, bytes) => total + bytes, 0);
  const rpiv = peers.find(({ way }) => way.name === "rpiv-advisor");
  const whole = rpiv && (await transcriptBytes(server, rpiv));
  Object.assign(raw, {
    "first request at 1,000 compacted entries, bytes": first,
    "requests of an investigation of five reads, bytes": investigation,
    "the request of rpiv-advisor at 1,000 compacted entries, bytes": whole ?? null,
  });
  const what = `all requests of an investigation of five 4 KB reads`;
  return [
    {
      what: "first request at a compacted 1,000-entry parent",
      goal: "≤ 1/12 of rpiv-advisor's",
      most: 1 / 12,
      ...(whole === undefined ? { note: "needs --peers" } : { found: first / whole }),
    },
    { what, goal: "≤ 130 KB", found: sum / 1024, unit: "KB", most: 130 },
    {
      what,
      goal: "below rpiv-advisor's single request",
      most: 1,
      ...(whole === undefined ? { note: "needs --peers" } : { found: sum / whole }),
    },
  ];
}

async function requestBytes(parent: Parent, way: Way): Promise<readonly number[]> {
  return (await parent.ask(way)).arrivals.slice(1, -1).map(({ bytes }) => bytes);
}

async function investigate(server: BenchServer, { rpc }: Parent): Promise<readonly number[]> {
  const played = server.play([
    { call: ANGEL.tool, args: ANGEL.args },
    ...Array.from({ length: READS }, (_, n) => ({ call: "read", args: { path: `src/rate-${n}.ts` } })),
    { text: "Because." },
    { text: "Noted." },
  ]);
  await rpc.prompt("go on");
  return (await played).slice(1, -1).map(({ bytes }) => bytes);
}

async function transcriptBytes(server: BenchServer, { way, parent }: Peer): Promise<number> {
  await using peer = await startParent(server, { angel: false, ...parent, session: compacted(1000) });
  return (await requestBytes(peer, way))[0] ?? Number.NaN;
}
