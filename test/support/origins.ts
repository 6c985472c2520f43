// Brings a consultation of any origin to where its advisor has begun to answer, in a real Pi over RPC.

import { join } from "node:path";
import type { Home } from "./home.ts";
import { ANGEL_FOLDER, makeHome } from "./home.ts";
import type { LoggedRequest, ModelServer } from "./model-server.ts";
import type { Rpc } from "./rpc.ts";
import { startRpc } from "./rpc.ts";
import { call, gate, say } from "./steps.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");

export type Origin = "executor" | "human" | "error";
export const ORIGINS: readonly Origin[] = ["executor", "human", "error"];

/** What the held advisor would say; it must not turn up anywhere once the consultation is cancelled. */
export const STALE = "STALE-ADVICE";

/** @returns the advisor's request, whose answer is held in the middle for ever */
export async function startConsultation(
  origin: Origin,
  pi: Rpc,
  server: ModelServer,
): Promise<LoggedRequest> {
  const before = server.requests("adv").length;
  server.script("adv", [gate(say(STALE), { after: 1 })]);
  // Pi may be gone before it answers these.
  const start = (message: string) => pi.send({ type: "prompt", message }).catch(() => {});
  if (origin === "human") void start("/angel Is it so?");
  if (origin === "executor") server.script("exec", [call("angel", { question: "Is it so?" })]);
  if (origin === "error") server.script("exec", [call("flaky", { n: before }), call("flaky", { n: before })]);
  if (origin !== "human") void start("work");
  return server.nextRequest("adv", before + 1);
}

/** A Pi whose session has had one exchange and is on disk. */
export async function startSeeded(
  server: ModelServer,
): Promise<{ home: Home; pi: Rpc; parentFile: string } & AsyncDisposable> {
  const home = await makeHome({ server, extensions: [FLAKY] });
  const pi = await startRpc(home);
  server.script("exec", [say("hello")]);
  await pi.prompt("hi");
  const parentFile = home.parent().path;
  return {
    home,
    pi,
    parentFile,
    async [Symbol.asyncDispose]() {
      await pi[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

export function entriesOf(home: Home, file: string): string {
  return JSON.stringify(home.sessions().find(({ path }) => path === file)?.entries ?? []);
}

/** All sessions that people talk in. */
export function ordinaryEntries(home: Home): string {
  const ordinary = home
    .sessions()
    .filter(({ entries }) => !JSON.stringify(entries[0]).includes("angel-consultation"));
  return JSON.stringify(ordinary.map(({ entries }) => entries));
}
