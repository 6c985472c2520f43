// Speed and size, measured side by side in one run: `npm run bench`, with `-- --peers` beside other packages, too.
// It prints the table of goals, keeps every figure as JSON, and with `--readme` puts the table into README.md.

import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Raw } from "./bench/consultations.ts";
import { timeConsultations, timeLongParent } from "./bench/consultations.ts";
import type { Row } from "./bench/figures.ts";
import { tableOf, verdictOf, withTable } from "./bench/figures.ts";
import { measureLiveView } from "./bench/live-view.ts";
import { measureMemory } from "./bench/memory.ts";
import type { Peer } from "./bench/peers.ts";
import { installPeers } from "./bench/peers.ts";
import { measureReading } from "./bench/reading.ts";
import { startBenchServer } from "./bench/server.ts";
import { measureSizes } from "./bench/sizes.ts";
import { measureStartUp } from "./bench/start-up.ts";
import { measureTurns } from "./bench/turns.ts";

const { values } = parseArgs({
  options: {
    peers: { type: "boolean", default: false },
    readme: { type: "boolean", default: false },
    out: { type: "string", default: join(tmpdir(), "angel-bench.json") },
    /** How often each thing is measured, as a multiple of the usual. */
    times: { type: "string", default: "1" },
  },
});
const times = Number(values.times);
if (!Number.isFinite(times) || times <= 0)
  throw new Error(`--times is ${JSON.stringify(values.times)}; give a number above 0, such as 0.5.`);
const rounds = (usual: number) => Math.max(2, Math.round(usual * times));

await using server = await startBenchServer();
await using found = values.peers ? await installPeers() : undefined;
const peers: readonly Peer[] = found?.peers ?? [];
if (found?.problem) console.error(`Peers are not measured: they ${found.problem}`);

const raw: Raw = { peers: Object.fromEntries(peers.map(({ way, version }) => [way.name, version])) };
const series: readonly [string, () => Promise<readonly Row[]>][] = [
  ["consultations", () => timeConsultations(server, rounds(40), peers, raw)],
  ["long parents", () => timeLongParent(server, rounds(30), raw)],
  ["sizes", () => measureSizes(server, peers, raw)],
  ["memory", () => measureMemory(server, rounds(60), raw)],
  ["reading", () => measureReading(rounds(7), raw)],
  ["turns", () => measureTurns(rounds(12), raw)],
  ["start-up", () => measureStartUp(server, peers, rounds(8), raw)],
  ["live view", () => measureLiveView(server, rounds(5), raw)],
];
const rows: Row[] = [];
for (const [name, measure] of series) {
  console.error(`measures ${name}`);
  rows.push(...(await measure()));
}

const table = tableOf(rows);
console.log(table);
writeFileSync(values.out, `${JSON.stringify({ rows, raw }, null, 2)}\n`);
const count = (verdict: string) => rows.filter((row) => verdictOf(row) === verdict).length;
console.log(
  `\n${count("met")} goals met, ${count("not met")} not met, ${count("not measured")} not measured. Every figure is in ${values.out}.`,
);
if (values.readme) {
  const readme = fileURLToPath(new URL("../README.md", import.meta.url));
  writeFileSync(readme, withTable(readFileSync(readme, "utf8"), table));
}
