/**
 * A client of a real `pi --mode rpc`. Every wait fails at once, with Pi's stderr, when Pi is gone.
 */

import type { RpcCommand, RpcResponse } from "@mariozechner/pi-coding-agent";
import type { Home } from "./home.ts";
import { createJsonLines } from "./json-lines.ts";
import type { PiEvent, PiRecord } from "./pi-event.ts";
import { ofType } from "./pi-event.ts";
import type { Exit } from "./pi-process.ts";
import { spawnPi } from "./pi-process.ts";
import { createWatch } from "./watch.ts";

type Command<T extends RpcCommand["type"]> = Omit<Extract<RpcCommand, { type: T }>, "id">;
type Success<T extends RpcCommand["type"]> = Extract<RpcResponse, { command: T; success: true }>;

export interface Rpc extends AsyncDisposable {
  /** Everything that Pi wrote except responses. */
  readonly events: readonly PiEvent[];
  /** Lines of stdout that are no JSON objects. */
  readonly junk: readonly string[];
  readonly stderr: string;
  readonly exited: Promise<Exit>;
  /** Resolves with the response; a refusal rejects with Pi's reason. */
  send<T extends RpcCommand["type"]>(
    command: { type: T } & Command<T>,
    limitMs?: number,
  ): Promise<Success<T>>;
  /** Resolves with the events since the prompt, when its run has settled or its command has been handled. */
  prompt(message: string, options?: PromptOptions): Promise<readonly PiEvent[]>;
  /** The first event that fits, past ones included; `from` is the index in `events` to begin at. */
  waitFor<E extends PiEvent>(fits: (event: PiEvent) => event is E, what: string, from?: number): Promise<E>;
  waitFor(fits: (event: PiEvent) => boolean, what: string, from?: number): Promise<PiEvent>;
  /** Answers a dialog of an extension. */
  reply(dialog: { readonly id: string }, answer: DialogAnswer): void;
  /** The texts of all `ctx.ui.notify` so far. */
  notices(): string[];
  /** Closes stdin and waits; a Pi that does not leave is killed, which the exit's signal shows. */
  stop(): Promise<Exit>;
  kill(signal: NodeJS.Signals): Promise<Exit>;
}

type DialogAnswer =
  | { readonly value: string }
  | { readonly confirmed: boolean }
  | { readonly cancelled: true };

interface PromptOptions {
  readonly streamingBehavior?: "steer" | "followUp";
  readonly limitMs?: number;
}

const LEAVING_MS = 20_000;

export async function startRpc(
  home: Home,
  options: { readonly args?: readonly string[] } = {},
): Promise<Rpc> {
  const pi = spawnPi(home, ["--mode", "rpc", ...(options.args ?? [])]);
  const events: PiEvent[] = [];
  const responses = new Map<string | undefined, RpcResponse>();
  const junk: string[] = [];
  const watch = createWatch();
  let sent = 0;

  const lines = createJsonLines((record) => {
    const known = record as PiRecord;
    if (known.type === "response") responses.set(known.id, known);
    else events.push(known);
    watch.changed();
  }, junk);
  pi.child.stdout.setEncoding("utf8").on("data", lines.take).on("end", lines.end);
  pi.exited.then(
    (exit) => watch.ended(`Pi left with ${exit.signal ?? exit.code}`),
    (error) => watch.ended(`Pi did not start: ${error}`),
  );

  function write(record: object): void {
    pi.child.stdin.write(`${JSON.stringify(record)}\n`);
  }

  const vain = (what: string) => () => {
    const last = events.slice(-8).map((event) => event.type);
    return `No ${what}. Last events: ${last.join(", ") || "none"}. Stderr: ${pi.stderr() || "empty"}.`;
  };

  async function send<T extends RpcCommand["type"]>(command: { type: T } & Command<T>, limitMs?: number) {
    const id = `test-${++sent}`;
    write({ ...command, id });
    const look = () => responses.get(id);
    const response = await watch.until(look, vain(`response to ${JSON.stringify(command)}`), limitMs);
    if (!response.success) throw new Error(`Pi refused ${command.type}: ${response.error}`);
    return response as Success<T>;
  }

  async function prompt(message: string, { limitMs, ...behavior }: PromptOptions = {}) {
    const from = events.length;
    const { data } = await send({ type: "prompt", message, ...behavior }, limitMs);
    if (data.disposition === "handled") return events.slice(from);
    // A run before this one may settle in between: a run that this prompt started has its own beginning.
    const begin = data.disposition === "started" ? "agent_start" : undefined;
    const look = () => settledRun(events.slice(from), begin);
    return watch.until(look, vain(`end of the run of ${JSON.stringify(message)}`), limitMs);
  }

  async function waitFor(fits: (event: PiEvent) => boolean, what: string, from = 0) {
    return watch.until(() => events.slice(from).find(fits), vain(what));
  }

  async function stop(): Promise<Exit> {
    pi.child.stdin.end();
    return pi.exitWithin(LEAVING_MS);
  }

  return {
    events,
    junk,
    get stderr() {
      return pi.stderr();
    },
    exited: pi.exited,
    send: send as Rpc["send"],
    prompt,
    waitFor: waitFor as Rpc["waitFor"],
    reply({ id }, answer) {
      write({ type: "extension_ui_response", id, ...answer });
    },
    notices: () =>
      ofType(events, "extension_ui_request").flatMap((e) => (e.method === "notify" ? [e.message] : [])),
    stop,
    async kill(signal) {
      pi.child.kill(signal);
      return pi.exitWithin(LEAVING_MS);
    },
    async [Symbol.asyncDispose]() {
      await stop();
    },
  };
}

function settledRun(events: readonly PiEvent[], begin: "agent_start" | undefined): PiEvent[] | undefined {
  const start = begin === undefined ? 0 : events.findIndex((event) => event.type === begin);
  const end = events.findIndex((event, index) => index >= start && event.type === "agent_settled");
  return start === -1 || end === -1 ? undefined : events.slice(0, end + 1);
}
