// Brings a consultation of any origin to where its advisor has begun to answer, or a question to where it waits, in a
// real Pi that is typed at. Each key waits for what the one before did.

import { join } from "node:path";
import type { Home, HomeOptions } from "./home.ts";
import { ANGEL_FOLDER, makeHome } from "./home.ts";
import type { LoggedRequest, ModelServer } from "./model-server.ts";
import type { Origin } from "./origins.ts";
import { STALE } from "./origins.ts";
import { call, gate, say } from "./steps.ts";
import type { Tui } from "./tui.ts";
import { startTui } from "./tui.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");

/** Of the origins, or a question of the user that waits for the end of the executor's turn. */
export type Situation = Origin | "waiting";

/** What the user asks, and the executor too. */
export const QUESTION = "Is it so?";

export interface Terminal extends AsyncDisposable {
  readonly home: Home;
  readonly pi: Tui;
  /** The file of the session that had the first exchange. */
  readonly parentFile: string;
}

/** A Pi whose session has had one exchange, "hi" and "hello there", and is on disk. */
export async function startTerminal(
  server: ModelServer,
  { project = {}, extensions = [] }: Pick<HomeOptions, "project" | "extensions"> = {},
): Promise<Terminal> {
  const home = await makeHome({ server, project, extensions: [FLAKY, ...extensions] });
  const pi = await startTui(home, { cols: 100, rows: 40 });
  server.script("exec", [say("hello there")]);
  await enterLine(pi, "hi");
  await pi.until("hello there");
  // What is entered before the run has ended would be queued for it.
  await pi.until((lines) => !lines.some((line) => line.includes("Working")), "an idle Pi");
  return {
    home,
    pi,
    parentFile: home.parent().path,
    async [Symbol.asyncDispose]() {
      await pi[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}

/** @returns the request that is held in the middle for ever: the advisor's, or the one that the question waits behind */
export async function bringAbout(
  situation: Situation,
  { pi }: Terminal,
  server: ModelServer,
): Promise<LoggedRequest> {
  const n = { adv: server.requests("adv").length, exec: server.requests("exec").length };
  switch (situation) {
    case "executor":
      server.script("exec", [call("angel", { question: QUESTION })]);
      break;
    case "error":
      server.script("exec", [call("flaky", {}), call("flaky", {})]);
      break;
    case "waiting":
      server.script("exec", [gate(say("NEVER-FINISHED"), { after: 1 })]);
      break;
    case "human":
      break;
    default:
      situation satisfies never;
  }
  if (situation !== "waiting") server.script("adv", [gate(say(STALE), { after: 1 })]);
  if (situation !== "human") await enterLine(pi, "work");
  if (situation === "waiting") {
    const held = await server.nextRequest("exec", n.exec + 1);
    await pi.until("NEVER-FINISHED");
    await enterLine(pi, `/angel ${QUESTION}`);
    await pi.until("waits for the end of this turn");
    return held;
  }
  if (situation === "human") await enterLine(pi, `/angel ${QUESTION}`);
  const held = await server.nextRequest("adv", n.adv + 1);
  await pi.until(STALE);
  return held;
}

export async function enterLine(pi: Tui, text: string): Promise<void> {
  await pi.type(text);
  await pi.until(text);
  await pi.press("Enter");
}

/** A command of Pi's own, once its completion shows: before that, Enter would be another key. */
export async function enterCommand(pi: Tui, name: string): Promise<void> {
  await pi.type(`/${name}`);
  await pi.until(`→ ${name}`);
  await pi.press("Enter");
}
