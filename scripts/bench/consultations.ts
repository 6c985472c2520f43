// How long a consultation takes and what it sends, beside a tool that does nothing, a bare request and a Pi that is
// started for the question.

import type { Parent, Times, Way } from "./asking.ts";
import { ANGEL, BARE_FETCH, byTurns, NOOP, SPAWNED_PI, startParent } from "./asking.ts";
import type { Row } from "./figures.ts";
import { median, ratioOf } from "./figures.ts";
import { writeParent } from "./parents.ts";
import type { Peer } from "./peers.ts";
import type { BenchServer } from "./server.ts";

export interface Raw {
  [series: string]: unknown;
}

/** @param peers installed packages that answer the same question */
export async function timeConsultations(
  server: BenchServer,
  rounds: number,
  peers: readonly Peer[],
  raw: Raw,
): Promise<readonly Row[]> {
  await using parent = await startParent(server);
  const own: [Way, Parent][] = [NOOP, BARE_FETCH, ANGEL, SPAWNED_PI].map((way) => [way, parent]);
  await using stack = new AsyncDisposableStack();
  for (const peer of peers) {
    const itsParent = stack.use(await startParent(server, { angel: false, ...peer.parent }));
    own.push([peer.way, itsParent], [{ ...NOOP, name: `noop beside ${peer.way.name}` }, itsParent]);
  }
  const times = await byTurns(new Map(own), rounds, 5);
  for (const [way, seen] of times)
    raw[`asking ${way.name}`] = seen.map(({ toFirstMs, totalMs }) => ({ toFirstMs, totalMs }));

  const first = (way: Way) => (times.get(way) ?? []).map(({ toFirstMs }) => toFirstMs);
  const added = (way: Way, noop: Way = NOOP) => addedBy(times.get(way), times.get(noop));
  const peer = (name: string) => peers.find(({ way }) => way.name === name)?.way;
  const besides = (way: Way | undefined) =>
    way && [...times.keys()].find(({ name }) => name === `noop beside ${way.name}`);
  const [rpiv, subagents] = [peer("rpiv-advisor"), peer("pi-subagents")];
  const ask = "ask → first child model request, warm";
  const whole = "added time of a whole one-answer consultation";
  return [
    compared(ask, "≤ 2.5 × the bare fetch", 2.5, first(ANGEL), first(BARE_FETCH)),
    compared(ask, "≤ 0.5 × pi-subagents", 0.5, first(ANGEL), subagents && first(subagents)),
    compared(ask, "≤ 0.05 × the spawned pi", 0.05, first(ANGEL), first(SPAWNED_PI)),
    compared(whole, "≤ 2 × rpiv-advisor", 2, added(ANGEL), rpiv && added(rpiv, besides(rpiv))),
    compared(
      whole,
      "≤ 0.3 × pi-subagents",
      0.3,
      added(ANGEL),
      subagents && added(subagents, besides(subagents)),
    ),
    compared(whole, "≤ 0.03 × the spawned pi", 0.03, added(ANGEL), added(SPAWNED_PI)),
  ];
}

export async function timeLongParent(server: BenchServer, rounds: number, raw: Raw): Promise<readonly Row[]> {
  await using short = await startParent(server, { session: compacted(100) });
  await using long = await startParent(server, { session: compacted(50_000) });
  const [shortNoop, shortAngel, longNoop, longAngel] = [NOOP, ANGEL, NOOP, ANGEL].map((way) => ({ ...way }));
  if (!shortNoop || !shortAngel || !longNoop || !longAngel) throw new Error("There are four ways.");
  const times = await byTurns(
    new Map([
      [shortNoop, short],
      [shortAngel, short],
      [longNoop, long],
      [longAngel, long],
    ]),
    rounds,
    5,
  );
  const added = (angel: Way, noop: Way) => addedBy(times.get(angel), times.get(noop));
  const [atShort, atLong] = [added(shortAngel, shortNoop), added(longAngel, longNoop)];
  raw["added at 100 entries, ms"] = atShort;
  raw["added at 50,000 entries, ms"] = atLong;
  const bytes = (way: Way) => median((times.get(way) ?? []).map(firstRequestBytes));
  const [shortBytes, longBytes] = [bytes(shortAngel), bytes(longAngel)];
  raw["first request, bytes"] = { "100 entries": shortBytes, "50,000 entries": longBytes };
  return [
    {
      what: "the same at a 50,000-entry parent",
      goal: "≤ 1.5 × that at 100 entries",
      most: 1.5,
      ...ratioOf(median(atLong), median(atShort)),
    },
    {
      what: "first request beyond the question",
      goal: "≤ 12,000 bytes",
      found: shortBytes,
      unit: "bytes",
      most: 12_000,
    },
    {
      what: "its growth from 100 to 50,000 parent entries",
      goal: "0 bytes",
      found: Math.abs(longBytes - shortBytes),
      unit: "bytes",
      most: 0,
    },
  ];
}

export const compacted = (entries: number) => (home: { project: string; sessionDir: string }) =>
  writeParent({ cwd: home.project, sessionDir: `${home.sessionDir}/bench`, entries, isCompacted: true });

function firstRequestBytes({ arrivals }: Times): number {
  return (arrivals[1]?.bytes ?? Number.NaN) - Buffer.byteLength(String(ANGEL.args["question" as never]));
}

function addedBy(times: readonly Times[] = [], noops: readonly Times[] = []): number[] {
  return times.flatMap(({ totalMs }, n) => {
    const noop = noops[n];
    return noop ? [totalMs - noop.totalMs] : [];
  });
}

function compared(
  what: string,
  goal: string,
  most: number,
  ours: readonly number[],
  theirs: readonly number[] | undefined,
): Row {
  return theirs === undefined
    ? { what, goal, most, note: "needs --peers" }
    : { what, goal, most, ...ratioOf(median(ours), median(theirs)) };
}
