// parent_session by itself: against a flat scan of the same text, against Pi's own projection, and by the parent's length.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { defineParentSession } from "../../src/advisor/parent-session/tool.ts";
import { pinSnapshot } from "../../src/core/snapshot.ts";
import type { Raw } from "./consultations.ts";
import type { Row } from "./figures.ts";
import { median } from "./figures.ts";
import { writeParent } from "./parents.ts";

const LENGTHS = [1_000, 10_000, 50_000];

type Action = (args: object) => Promise<unknown>;

interface Reading {
  readonly length: number;
  readonly list: number;
  readonly search: number;
  /** Of texts that are at hand. */
  readonly scan: number;
  /** The same scan, with the texts yet to be gathered from the entries. */
  readonly walk: number;
  readonly context: number;
  readonly projection: number;
  /** In a consultation that has read the branch before. */
  readonly get: number;
  /** As the first look of a consultation. */
  readonly firstGet: number;
  readonly pin: number;
}

export async function measureReading(rounds: number, raw: Raw): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "angel-bench-"));
  try {
    const readings: Reading[] = [];
    for (const length of LENGTHS) readings.push(await readParent(folder, length, rounds));
    raw["parent_session, ms"] = readings;
    const worst = (ratio: (reading: Reading) => number) => Math.max(...readings.map(ratio));
    const [least, most] = [readings[0], readings.at(-1)];
    if (!least || !most) throw new Error("There are readings.");
    const lengths = "parent_session at 1,000, 10,000 and 50,000 entries, the worst";
    return [
      {
        what: `${lengths}: list`,
        goal: "≤ 3 × a flat scan",
        found: worst((one) => one.list / one.scan),
        most: 3,
        note: walked(worst((one) => one.list / one.walk)),
      },
      {
        what: `${lengths}: search`,
        goal: "≤ 3 × a flat scan",
        found: worst((one) => one.search / one.scan),
        most: 3,
        note: walked(worst((one) => one.search / one.walk)),
      },
      {
        what: "the context view of a whole parent",
        goal: "≤ 1.2 × Pi's own projection",
        found: worst((one) => one.context / one.projection),
        most: 1.2,
      },
      {
        what: "get by id as the first look, at 50,000 entries",
        goal: "as at 1,000 (≤ 2 ×)",
        found: most.firstGet / least.firstGet,
        most: 2,
      },
      {
        what: "get by id after another look, at 50,000 entries",
        goal: "as at 1,000 (≤ 2 ×)",
        found: most.get / least.get,
        most: 2,
      },
      {
        what: "pinning, at 50,000 entries",
        goal: "as at 1,000 (≤ 2 ×)",
        found: most.pin / least.pin,
        most: 2,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const walked = (ratio: number) => `${ratio.toFixed(2)} × a scan that gathers the texts first`;

async function readParent(folder: string, length: number, rounds: number): Promise<Reading> {
  const file = writeParent({
    cwd: folder,
    sessionDir: join(folder, String(length)),
    entries: length,
    isCompacted: false,
  });
  const manager = SessionManager.open(file);
  const entries = manager.getBranch();
  const texts = [...textsOf(entries)];
  const id = entries[Math.floor(length / 2)]?.id ?? "";
  /** A tool whose branch has not been read yet, as in a new consultation. */
  const fresh = (): Action => {
    const tool = defineParentSession(pinSnapshot(manager), { triggers: [], takesImages: false });
    return (args) =>
      Promise.resolve(Reflect.apply(tool.execute, tool, ["id", args, undefined, undefined, undefined]));
  };
  const known = fresh();
  await known({ action: "overview" });
  const times = {
    list: () => fresh()({ action: "list", view: "branch" }),
    search: () => fresh()({ action: "search", query: "no such words", view: "branch" }),
    scan: () => scan(texts),
    walk: () => scan(textsOf(entries)),
    context: () => fresh()({ action: "list", view: "context", limit: 1 }),
    projection: () => manager.buildSessionContext(),
    get: () => known({ action: "get", ids: [id] }),
    firstGet: () => fresh()({ action: "get", ids: [id] }),
    pin: () => pinSnapshot(manager),
  };
  const seen = new Map<string, number[]>();
  for (let round = 0; round < rounds + 2; round += 1) {
    for (const [name, work] of Object.entries(times)) {
      // What is over in microseconds is repeated until a clock can tell.
      const repeats = name === "get" || name === "pin" ? 500 : 1;
      const startedMs = performance.now();
      for (let n = 0; n < repeats; n += 1) await work();
      const own = seen.get(name) ?? [];
      if (round >= 2) own.push((performance.now() - startedMs) / repeats);
      seen.set(name, own);
    }
  }
  const of = (name: keyof typeof times) => median(seen.get(name) ?? []);
  return {
    length,
    list: of("list"),
    search: of("search"),
    scan: of("scan"),
    walk: of("walk"),
    context: of("context"),
    projection: of("projection"),
    get: of("get"),
    firstGet: of("firstGet"),
    pin: of("pin"),
  };
}

/** All text of all entries, case ignored, from the first letter to the last. */
function scan(texts: Iterable<string>): number {
  let hits = 0;
  for (const text of texts) if (text.toLowerCase().includes("no such words")) hits += 1;
  return hits;
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const inner of Object.values(value)) yield* textsOf(inner);
}
