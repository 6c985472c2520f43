// One real Pi whose executor calls a tool of the bench's choice, and the times in between.

import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Home } from "../../test/support/home.ts";
import { makeHome } from "../../test/support/home.ts";
import type { Rpc } from "../../test/support/rpc.ts";
import { startRpc } from "../../test/support/rpc.ts";
import type { Arrival, BenchServer, Reply } from "./server.ts";

/** The tools of the bench itself: nothing, a request and nothing else, and a Pi that is started for the question. */
const BENCH_TOOLS = `
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
const answer = (text) => ({ content: [{ type: "text", text }], details: undefined });
const schema = { type: "object", properties: {} };
const tool = (name, run) => ({ name, label: name, description: name, parameters: schema, execute: async () => answer(await run()) });
export default function (pi) {
  pi.registerTool(tool("noop", async () => "done"));
  pi.registerTool(tool("bare_fetch", async () => {
    const response = await fetch(process.env.BENCH_URL + "/chat/completions", { method: "POST", body: "{}" });
    await response.text();
    return "done";
  }));
  pi.registerTool(tool("spawned_pi", () => new Promise((resolve, reject) => {
    const args = [process.argv[1], "--mode", "json", "-p", "--no-session", "--no-extensions", "Task: why?"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    let out = "";
    child.stdout.on("data", (data) => { out += data; });
    child.on("error", reject);
    child.on("close", () => resolve(out.includes("Because.") ? "Because." : "nothing"));
  })));
  pi.registerCommand("bench_look", { description: "what this process uses", handler: async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((later) => setImmediate(later));
    if (globalThis.gc) globalThis.gc();
    const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0);
    const cpu = process.cpuUsage();
    appendFileSync(process.env.BENCH_LOOKS, JSON.stringify({
      heap: process.memoryUsage().heapUsed,
      handles: process.getActiveResourcesInfo().length,
      children: process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length,
      listeners,
      cpuMs: (cpu.user + cpu.system) / 1000,
    }) + "\\n");
  } });
}`;

/** What a Pi uses at one moment. */
export interface Look {
  /** Bytes, after a garbage collection where Pi was started with it. */
  readonly heap: number;
  readonly handles: number;
  readonly children: number;
  readonly listeners: number;
  /** Processor time since the start. */
  readonly cpuMs: number;
}

/** Every look so far, oldest first. */
export function looksOf({ env }: Home): readonly Look[] {
  const file = env.BENCH_LOOKS;
  if (file === undefined || !existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export interface Way {
  readonly name: string;
  readonly tool: string;
  readonly args: object;
  /** Requests of its own before the executor is asked again. */
  readonly own: number;
}

export const NOOP: Way = { name: "noop", tool: "noop", args: {}, own: 0 };
export const BARE_FETCH: Way = { name: "bare fetch", tool: "bare_fetch", args: {}, own: 1 };
export const SPAWNED_PI: Way = { name: "spawned pi", tool: "spawned_pi", args: {}, own: 1 };
export const ANGEL: Way = { name: "angel", tool: "angel", args: { question: "Why?" }, own: 1 };

export interface Times {
  /** From the executor's call to the first request of the way's own, in milliseconds. */
  readonly toFirstMs: number;
  /** From the executor's call to its next request. */
  readonly totalMs: number;
  readonly arrivals: readonly Arrival[];
}

export interface Parent extends AsyncDisposable {
  readonly home: Home;
  readonly rpc: Rpc;
  ask(way: Way): Promise<Times>;
}

export interface ParentOptions {
  readonly extensions?: readonly string[];
  readonly angel?: boolean;
  /** Makes the session to begin with. */
  readonly session?: (home: Home) => string;
  readonly env?: Readonly<Record<string, string>>;
  readonly agentFiles?: Readonly<Record<string, string>>;
  readonly project?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A home whose Pi has the tools of the bench. */
export function makeBenchHome(server: BenchServer, options: ParentOptions = {}): Promise<Home> {
  const { extensions = [], angel = true, env = {}, agentFiles = {}, project = {}, settings = {} } = options;
  return makeHome({
    server,
    angel,
    extensions,
    project,
    settings,
    agentFiles: { "extensions/bench-tools.ts": BENCH_TOOLS, ...agentFiles },
    env: {
      BENCH_URL: server.url,
      BENCH_LOOKS: join(tmpdir(), `angel-looks-${randomUUID()}`),
      ...env,
    },
  });
}

export async function startParent(server: BenchServer, options: ParentOptions = {}): Promise<Parent> {
  const { session } = options;
  const home = await makeBenchHome(server, options);
  const args = session ? ["--session", session(home)] : [];
  const rpc = await startRpc(home, { args });
  return {
    home,
    rpc,
    async ask(way) {
      const replies: Reply[] = [
        { call: way.tool, args: way.args },
        ...Array.from({ length: way.own }, () => ({ text: "Because." })),
        { text: "Noted." },
      ];
      const played = server.play(replies);
      await rpc.prompt("go on");
      const arrivals = await played;
      const [asked, first] = arrivals;
      const next = arrivals.at(-1);
      if (!asked || !first || !next) throw new Error(`${way.name} made no request.`);
      return {
        toFirstMs: first.atMs - asked.answeredMs,
        totalMs: next.atMs - asked.answeredMs,
        arrivals,
      };
    },
    async [Symbol.asyncDispose]() {
      await rpc.stop();
      await endHome(home);
    },
  };
}

export async function endHome(home: Home): Promise<void> {
  rmSync(home.env.BENCH_LOOKS ?? "", { force: true });
  await home[Symbol.asyncDispose]();
}

/** All ways by turns, so that whatever slows the machine down slows all of them. */
export async function byTurns(
  parents: ReadonlyMap<Way, Parent>,
  rounds: number,
  warmUp: number,
): Promise<ReadonlyMap<Way, readonly Times[]>> {
  const times = new Map<Way, Times[]>([...parents.keys()].map((way) => [way, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [way, parent] of parents) {
      const seen = await parent.ask(way);
      if (round >= warmUp) times.get(way)?.push(seen);
    }
  }
  return times;
}
