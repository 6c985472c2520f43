// The command line of `npm run eval`, turned into a plan or into one sentence.

import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Thinking } from "./agent-folder.ts";
import { THINKING } from "./agent-folder.ts";
import { armProblem, USUAL_ARMS } from "./arms.ts";
import { EPISODES_FOLDER } from "./episode.ts";

export interface Model {
  /** `provider/id` */
  readonly name: string;
  readonly thinking: Thinking;
}

export type Asking = "prompted" | "free";

export interface Plan {
  /** Undefined in scripted mode, where both are played. */
  readonly models: { readonly executor: Model; readonly advisor: Model } | undefined;
  /** Empty: all. */
  readonly episodes: readonly string[];
  readonly episodesFolder: string;
  readonly runs: number;
  readonly arms: readonly string[];
  readonly parallel: number;
  /** Undefined: a new temporary folder. */
  readonly out: string | undefined;
  readonly asking: Asking;
  readonly limitMs: number;
  /** A folder whose files are laid into the agent folder of npm arms. */
  readonly npmHome: string | undefined;
}

export type Reading = { readonly kind: "plan"; readonly plan: Plan } | { readonly kind: "help" };

export const HELP = `npm run eval -- --executor provider/id --advisor provider/id [options]
npm run eval -- --scripted [options]

  --executor, --advisor  provider/id[:thinking]; thinking is ${THINKING.join(", ")} (default: high, max)
  --episode NAME         only this one; may be given several times (default: all)
  --episodes FOLDER      episodes of your own, in the shape of fixtures/episodes
  --runs N               runs of each episode in each arm (default: 3)
  --arms LIST            of alone, transcript, angel, npm:NAME, with commas between (default: the first three)
  --parallel N           runs at a time (default: 2)
  --out FOLDER           where results are kept and resumed from (default: eval-results; scripted: a new one)
  --asking MODE          prompted: the task tells executors to consult once; free: it is their choice (default: prompted)
  --limit MINUTES        how long one run may take (default: 30)
  --npm-home FOLDER      files for the agent folder of npm arms, such as their settings
  --scripted             known-good and known-bad behaviours instead of models: proves this program, not the advice`;

const OPTIONS = {
  executor: { type: "string" },
  advisor: { type: "string" },
  episode: { type: "string", multiple: true },
  episodes: { type: "string" },
  runs: { type: "string" },
  arms: { type: "string" },
  parallel: { type: "string" },
  out: { type: "string" },
  asking: { type: "string" },
  limit: { type: "string" },
  "npm-home": { type: "string" },
  scripted: { type: "boolean" },
  help: { type: "boolean" },
} as const;

/** @throws with a sentence that says what was found and what is allowed */
export function readArguments(args: readonly string[]): Reading {
  const { values } = parse(args);
  if (values.help) return { kind: "help" };
  const isScripted = values.scripted ?? false;
  const plan: Plan = {
    models: readModels(values, isScripted),
    episodes: values.episode ?? [],
    episodesFolder: values.episodes === undefined ? EPISODES_FOLDER : resolve(values.episodes),
    runs: readCount("runs", values.runs, isScripted ? 1 : 3),
    arms: readArms(values.arms),
    parallel: readCount("parallel", values.parallel, 2),
    // A proof is made anew each time, unless a folder is named.
    out: values.out === undefined && isScripted ? undefined : resolve(values.out ?? "eval-results"),
    asking: readAsking(values.asking),
    limitMs: readCount("limit", values.limit, 30) * 60_000,
    npmHome: values["npm-home"] === undefined ? undefined : resolve(values["npm-home"]),
  };
  if (isScripted && values.runs !== undefined) {
    throw new Error("--runs and --scripted exclude each other: scripted models play every behaviour once.");
  }
  return { kind: "plan", plan };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false });
  } catch (error) {
    const [words] = (error instanceof Error ? error.message : String(error)).split("\n");
    const said = words?.replace(/\. To specify.*$/, "").replace(/\.$/, "");
    throw new Error(`${said}. See npm run eval -- --help.`, { cause: error });
  }
}

function readModels(
  { executor, advisor }: { executor?: string | undefined; advisor?: string | undefined },
  isScripted: boolean,
): Plan["models"] {
  if (isScripted) {
    if (executor === undefined && advisor === undefined) return undefined;
    throw new Error("--scripted plays both models itself: leave --executor and --advisor out.");
  }
  if (executor === undefined || advisor === undefined) {
    const missing = executor === undefined ? "--executor" : "--advisor";
    throw new Error(
      `${missing} provider/id is missing. Without models of your own, --scripted proves the program. See --help.`,
    );
  }
  return { executor: readModel("executor", executor, "high"), advisor: readModel("advisor", advisor, "max") };
}

function readModel(option: string, value: string, usual: Thinking): Model {
  const colon = value.lastIndexOf(":");
  const thinking = THINKING.find((level) => colon > 0 && level === value.slice(colon + 1));
  const name = thinking === undefined ? value : value.slice(0, colon);
  if (!/^[^/\s]+\/\S+$/.test(name)) {
    throw new Error(
      `--${option} is "${value}"; it must be provider/id or provider/id:thinking, such as openai/gpt-6.2-astra:high.`,
    );
  }
  return { name, thinking: thinking ?? usual };
}

function readCount(option: string, value: string | undefined, usual: number): number {
  if (value === undefined) return usual;
  if (/^[1-9]\d{0,3}$/.test(value)) return Number(value);
  throw new Error(`--${option} is "${value}"; it must be a whole number from 1 to 9999.`);
}

function readArms(value: string | undefined): readonly string[] {
  const arms = value === undefined ? USUAL_ARMS : value.split(",").map((name) => name.trim());
  const problem = arms.map(armProblem).find((words) => words !== undefined);
  if (problem !== undefined) throw new Error(`--arms: ${problem}`);
  const repeated = arms.find((name, index) => arms.indexOf(name) < index);
  if (repeated !== undefined) throw new Error(`--arms names ${repeated} twice.`);
  return arms;
}

function readAsking(value: string | undefined): Asking {
  if (value === undefined || value === "prompted") return "prompted";
  if (value === "free") return "free";
  throw new Error(`--asking is "${value}"; it must be prompted or free.`);
}
