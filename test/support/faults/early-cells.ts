// What can be wrong before there is an advisor: settings, its model, its credentials.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import type { Origin } from "../origins.ts";
import { ORIGINS } from "../origins.ts";
import { makeFaultyAdvisor } from "./advisor.ts";
import type { Cell, Right } from "./cell.ts";
import type { Occasion } from "./occasion.ts";
import { playFault } from "./play-fault.ts";

interface EarlyFault {
  readonly stage: string;
  readonly name: string;
  /** The object "angel" of the settings. */
  readonly angel: object;
  readonly reason: RegExp;
  /** Absent: it is known before anybody asks, so the executor has no tool and nothing starts by itself. */
  readonly isLate?: true;
}

const GOOD = { model: "local/adv" };

const FAULTS: readonly EarlyFault[] = [
  { stage: "settings", name: "a model that is no name", angel: { model: 5 }, reason: /angel\.model/ },
  {
    stage: "settings",
    name: "a thinking level that is none",
    angel: { ...GOOD, thinking: "huge" },
    reason: /angel\.thinking/,
  },
  { stage: "settings", name: "pairs that are no list", angel: { ...GOOD, pairs: 1 }, reason: /angel\.pairs/ },
  {
    stage: "settings",
    name: "extensions that are no list",
    angel: { ...GOOD, subagentExtensions: 3 },
    reason: /angel\.subagentExtensions/,
  },
  {
    stage: "model lookup",
    name: "a model that Pi does not know",
    angel: { model: "local/none" },
    reason: /local\/none/,
  },
  {
    stage: "model lookup",
    name: "an executor that is switched off",
    angel: { ...GOOD, pairs: [{ executor: "local/*", advisor: "off" }] },
    reason: /off/,
  },
  { stage: "auth", name: "no credentials", angel: { model: "openai/gpt-5" }, reason: /credentials/ },
  {
    stage: "auth",
    name: "a key command that fails",
    angel: { model: "vault/adv" },
    reason: /key/i,
    isLate: true,
  },
];

/** A provider whose key comes from a command that fails, which shows at the first request only. */
const VAULT: InlineExtension = {
  name: "vault",
  factory: (pi) =>
    pi.registerProvider("vault", {
      baseUrl: "http://127.0.0.1:9/v1",
      apiKey: "!exit 3",
      api: "openai-completions",
      models: [
        {
          id: "adv",
          name: "adv",
          reasoning: false,
          input: ["text"],
          cost: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
          contextWindow: 100_000,
          maxTokens: 1000,
        },
      ],
    }),
};

export function earlyCells(): Cell[] {
  return ORIGINS.flatMap((origin) =>
    FAULTS.map((fault) => ({
      origin,
      stage: fault.stage,
      fault: fault.name,
      right: right(origin, fault),
      play: () =>
        playFault({
          origin,
          advisor: makeFaultyAdvisor({ name: "never", lead: [] }, () => undefined),
          options: {
            settings: { angel: fault.angel, retry: { baseDelayMs: 1 } },
            factories: [VAULT],
          },
          repair: putRight,
        }),
    })),
  );
}

function right(origin: Origin, { reason, isLate }: EarlyFault): Right {
  if (origin === "human" || isLate) return { outcome: "failed", reason };
  return origin === "executor" ? { outcome: "refused", reason: /Tool angel not found/ } : { outcome: "none" };
}

async function putRight({ pi }: Occasion): Promise<void> {
  const path = join(pi.home.agentDir, "settings.json");
  const settings: object = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ ...settings, angel: GOOD }));
  await pi.session.reload();
}
