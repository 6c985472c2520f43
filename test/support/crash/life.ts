// One session that Pi is killed in again and again, each time in the middle of a consultation, and continued with
// `pi -c`. What is wrong afterwards is said in words.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../home.ts";
import { ANGEL_FOLDER, makeHome } from "../home.ts";
import type { ModelServer } from "../model-server.ts";
import { startModelServer } from "../model-server.ts";
import type { Origin } from "../origins.ts";
import type { Rpc } from "../rpc.ts";
import { startRpc } from "../rpc.ts";
import type { Seeded } from "../seeded.ts";
import type { Answer } from "../steps.ts";
import { call, drip, say } from "../steps.ts";
import type { Struck } from "./moment.ts";
import { pickMoment, reach, sessionFiles } from "./moment.ts";
import { inspect } from "./wreck.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");
const LOCK = "settings.json.lock";
/** More than a life takes. */
const REQUESTS = 1000;
/** Slow enough that a kill can hit its middle. */
const STREAM = { pieces: 6, pauseMs: 5 };

export interface Blow {
  readonly origin: Origin;
  readonly struck: Struck;
}

export interface Crash extends Blow {
  readonly delayMs: number;
  /** The advice was in the parent when Pi was gone. */
  readonly isAdvised: boolean;
  /** The kill came between the card and the result behind it. */
  readonly isCardOnly: boolean;
  /** The consultation had a child on disk. */
  readonly hasChild: boolean;
  /** Session files whose last line was cut off. */
  readonly torn: number;
  /** Pi's lock of its settings was held. */
  readonly isLockLeft: boolean;
  readonly wrong: readonly string[];
}

interface Life {
  readonly server: ModelServer;
  readonly home: Home;
  readonly parentFile: string;
  /** What the models say next; when nothing is left, something harmless. */
  readonly script: { readonly exec: Answer[]; readonly adv: Answer[] };
}

const adviceOf = (n: number) => `ADVICE-${n}-ENDS`;

export async function liveThroughCrashes(blows: readonly Blow[], random: Seeded): Promise<Crash[]> {
  await using server = await startModelServer();
  await using home = await makeHome({ server, extensions: [FLAKY] });
  const script: Life["script"] = { exec: [], adv: [] };
  for (const model of ["exec", "adv"] as const) {
    const next = () => script[model].shift() ?? say("Noted.");
    server.script(model, Array<() => Answer>(REQUESTS).fill(next));
  }
  let pi = await startRpc(home);
  await pi.prompt("hi");
  const life: Life = { server, home, script, parentFile: home.parent().path };

  const crashes: Crash[] = [];
  for (const [n, blow] of blows.entries()) {
    const crash = await strike(pi, n, blow, random, life);
    const isLockLeft = existsSync(join(home.agentDir, LOCK));
    // Pi itself takes it away when it is ten seconds old; until then it and Angel say that the settings are locked.
    if (isLockLeft) rmSync(join(home.agentDir, LOCK), { recursive: true });
    pi = await startRpc(home, { args: ["-c"] });
    const wrong = await goOn(pi, n, crash, life);
    crashes.push({ ...crash, isLockLeft, wrong: [...crash.wrong, ...wrong] });
  }
  const wrong = await consultInPeace(pi, blows.length, life);
  await pi.stop();
  const last = crashes.pop();
  return last === undefined ? [] : [...crashes, { ...last, wrong: [...last.wrong, ...wrong] }];
}

/** Asks in the way of the origin and kills Pi at the moment. */
async function strike(
  pi: Rpc,
  n: number,
  blow: Blow,
  random: Seeded,
  life: Life,
): Promise<Omit<Crash, "isLockLeft">> {
  const { server, parentFile } = life;
  const { origin } = blow;
  const advice = adviceOf(n);
  const moment = pickMoment(blow.struck, random);
  const filesBefore = sessionFiles(parentFile);
  const underWay = { pi, server, origin, parentFile, advice, filesBefore };
  const from = { fromEvent: pi.events.length, fromRequest: server.requests("adv").length };
  prepare(origin, n, life);
  // Pi is gone before it answers.
  pi.send({ type: "prompt", message: promptOf(origin, n) }).catch(() => {});
  const vain = await reach(moment, { ...underWay, ...from }).then(
    () => [],
    (error: unknown) => [
      `it never got there: ${error}; ${pi.notices()}; ${pi.events.slice(-6).map(({ type }) => type)}`,
    ],
  );
  await pi.kill("SIGKILL");

  const { wrong, ...left } = inspect(parentFile, advice);
  const wasTold = server.requests("exec").some(({ raw }) => raw.includes(advice));
  return {
    ...blow,
    ...left,
    delayMs: moment.delayMs,
    hasChild: sessionFiles(parentFile) > filesBefore,
    wrong: [
      ...vain,
      ...wrong,
      ...(wasTold && !left.isAdvised ? ["the executor was told what its session does not hold"] : []),
    ],
  };
}

function prepare(origin: Origin, n: number, { script }: Life): void {
  script.exec.length = 0;
  script.adv.length = 0;
  if (origin === "executor") script.exec.push(call("angel", { question: `Is it so, ${n}?` }));
  if (origin === "error") script.exec.push(call("flaky", { n }), call("flaky", { n }));
  script.adv.push(
    call("ls", {}),
    call("parent_session", { action: "overview" }),
    drip(`So it is. ${adviceOf(n)}`, STREAM),
  );
}

const promptOf = (origin: Origin, n: number) => (origin === "human" ? `/angel Is it so, ${n}?` : `work ${n}`);

/** What `pi -c` opened, and what the executor is sent when the user goes on. */
async function goOn(
  pi: Rpc,
  n: number,
  { isAdvised }: Pick<Crash, "isAdvised">,
  life: Life,
): Promise<string[]> {
  const { server, parentFile, script } = life;
  script.exec.length = 0;
  script.adv.length = 0;
  const advisorsBefore = server.requests("adv").length;
  const { data } = await pi.send({ type: "get_state" });
  await pi.prompt(`go on ${n}`);
  const sent = server.requests("exec").at(-1)?.raw ?? "";
  const there = Array.from({ length: n + 1 }, (_, one) => sent.split(adviceOf(one)).length - 1);
  return [
    ...(data.sessionFile === parentFile ? [] : [`pi -c opened ${data.sessionFile}`]),
    ...(sent.includes(`go on ${n}`) ? [] : ["the user's next words did not reach the executor"]),
    ...(there[n] === (isAdvised ? 1 : 0) ? [] : [`the executor is sent the advice ${there[n]} times`]),
    ...(there.some((times) => times > 1) ? [`advice is sent more than once: ${there}`] : []),
    ...(isInOrder(sent) ? [] : ["what was said is sent in another order"]),
    ...(server.requests("adv").length === advisorsBefore ? [] : ["an advisor was asked again"]),
    ...server.violations,
    ...server.unexpected,
  ];
}

/** After all the crashes a consultation of each kind is carried out as if nothing had been. */
async function consultInPeace(pi: Rpc, from: number, life: Life): Promise<string[]> {
  const origins = ["executor", "human", "error"] as const;
  for (const [step, origin] of origins.entries()) {
    prepare(origin, from + step, life);
    await pi.prompt(promptOf(origin, from + step));
  }
  await pi.prompt("go on");
  const sent = life.server.requests("exec").at(-1)?.raw ?? "";
  return origins.flatMap((origin, step) =>
    sent.split(adviceOf(from + step)).length === 2 ? [] : [`afterwards the ${origin} got no advice`],
  );
}

function isInOrder(sent: string): boolean {
  const numbers = [...sent.matchAll(/"(?:work|go on) (\d+)"/g)].map(([, n]) => Number(n));
  return numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0));
}
