/** A handful of the faults of docs/faults.md, in the real program. */

import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import type { Origin } from "../support/origins.ts";
import { ORIGINS, startSeeded } from "../support/origins.ts";
import { runPi } from "../support/print.ts";
import type { Rpc } from "../support/rpc.ts";
import type { Answer } from "../support/steps.ts";
import { call, cut, gate, say, stall, status } from "../support/steps.ts";

/** Pi's own three tries after the first one. */
const TRIES = 4;
const HALF = "HALF-AN-ANSWER";

interface Fault {
  readonly name: string;
  readonly answers: readonly Answer[];
  /** What people do, or the disk, once the advisor has been asked. */
  readonly strike?: (pi: Rpc, origin: Origin, childFile: () => string) => unknown;
  readonly outcome: RegExp;
}

const held = () => gate(say(HALF));

/** Made anew for each origin: a gate opens only once. */
const faults = (): Fault[] => {
  const answer = held();
  return [
    {
      name: "503 for good",
      answers: Array<Answer>(TRIES).fill(status(503)),
      outcome: /failed.*503/,
    },
    {
      name: "a stream that is dropped again and again",
      answers: Array<Answer>(TRIES).fill(cut(HALF)),
      outcome: /failed.*(terminated|closed|ended)/i,
    },
    {
      name: "a silent stall, cancelled",
      answers: [stall({ after: HALF })],
      strike: (pi, origin) =>
        origin === "human"
          ? pi.send({ type: "prompt", message: "/angel cancel" })
          : pi.send({ type: "abort" }),
      outcome: /cancelled/,
    },
    {
      name: "a child that cannot be written any more",
      answers: [answer],
      strike: (_pi, _origin, childFile) => {
        const file = childFile();
        rmSync(file);
        // A folder in its place refuses every write, to root too.
        mkdirSync(file);
        answer.open();
      },
      outcome: /failed.*could not be kept: EISDIR/,
    },
  ];
};

test("In the real program a provider that is down, drops, or falls silent, and a child that cannot be kept, end each origin with its reason, and the next consultation works.", async () => {
  for (const origin of ORIGINS) {
    await using server = await startModelServer();
    await using seeded = await startSeeded(server);
    const { home, pi, parentFile } = seeded;
    for (const [n, fault] of faults().entries()) {
      const where = `${origin}: ${fault.name}`;
      const linesBefore = linesOf(parentFile).length;
      const requestsBefore = server.requests("adv").length;
      server.script("adv", fault.answers);

      const isStopped = origin !== "human" && fault.name.includes("cancelled");
      const run = ask(pi, server, origin, { n: 2 * n, goesOn: !isStopped });
      await server.nextRequest("adv", requestsBefore + 1);
      await fault.strike?.(pi, origin, () => home.children().at(-1)?.path ?? "");
      await run;
      await server.requests("adv").at(-1)?.done;

      const kept = linesOf(parentFile).slice(linesBefore);
      expect(kept.flatMap(outcomeIn), where).toEqual([expect.stringMatching(fault.outcome)]);
      expect(kept.join(), where).not.toContain(HALF);
      expect(server.requests("adv").length - requestsBefore, where).toBe(fault.answers.length);
      removeFolders(dirname(parentFile));
      server.script("adv", [say(`ADVICE-${n}`)]);
      await ask(pi, server, origin, { n: 2 * n + 1, goesOn: true });
      server.script("exec", [say("Noted.")]);
      await pi.prompt("go on");
      expect(server.requests("exec").at(-1)?.raw.split(`ADVICE-${n}`), where).toHaveLength(2);
    }
    expect([server.unexpected, server.violations, server.pending(), pi.junk]).toEqual([[], [], 0, []]);
    expect(await pi.stop()).toEqual({ code: 0, signal: null });
  }
});

test("Pi's retry settings hold in a child as in its parent.", async () => {
  for (const retry of [
    { enabled: false },
    { maxRetries: 1, baseDelayMs: 1 },
    { maxRetries: 4, baseDelayMs: 1 },
    { maxRetries: 0, provider: { maxRetries: 2 } },
  ]) {
    await using server = await startModelServer();
    await using home = await makeHome({ server, settings: { retry } });
    const busy = () => status(429, { headers: { "retry-after": "0" } });
    for (const model of ["exec", "adv"]) server.script(model, Array(9).fill(busy()));

    await runPi(home, ["-p", "work"]);
    const asked = await runPi(home, ["-p", "/angel Is it so?"]);

    expect(asked.stderr).toContain("429");
    expect(server.requests("adv").length, JSON.stringify(retry)).toBe(server.requests("exec").length);
    expect(server.requests("adv").length).toBe(1 + triesIn(retry));
  }
});

function triesIn(retry: { enabled?: boolean; maxRetries?: number; provider?: { maxRetries: number } }) {
  return retry.enabled === false ? 0 : (retry.maxRetries ?? 3) + (retry.provider?.maxRetries ?? 0);
}

/** @param goesOn whether the executor is asked for more behind the consultation */
async function ask(
  pi: Rpc,
  server: ModelServer,
  origin: Origin,
  { n, goesOn }: { readonly n: number; readonly goesOn: boolean },
): Promise<void> {
  if (origin === "executor") server.script("exec", [call("angel", { question: `Is it so, ${n}?` })]);
  if (origin === "error") server.script("exec", [call("flaky", { n }), call("flaky", { n })]);
  if (origin !== "human" && goesOn) server.script("exec", [say("Noted.")]);
  await pi.prompt(origin === "human" ? `/angel Is it so, ${n}?` : `work ${n}`);
}

function linesOf(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").filter(Boolean);
}

/** The outcome and the reason that this line of a session holds; a card is a copy. */
function outcomeIn(line: string): string[] {
  if (line.includes("angel-advice-card")) return [];
  const outcome = /"outcome":"(\w+)"/.exec(line)?.[1];
  const reason = /"reason":"((?:[^"\\]|\\.)*)"/.exec(line)?.[1];
  return outcome === undefined ? [] : [`${outcome}: ${reason}`];
}

function removeFolders(parent: string): void {
  for (const entry of readdirSync(parent, { withFileTypes: true }))
    if (entry.isDirectory()) rmSync(join(parent, entry.name), { recursive: true });
}
