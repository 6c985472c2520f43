// Pi's agent folder for one run: of the user's own only what models need, and the settings of the arm. No extensions,
// packages, skills or prompts of the user's take part in a comparison.

import { copyFileSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plainEnvironment, searchPath } from "./environment.ts";

export const THINKING = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type Thinking = (typeof THINKING)[number];

type Json = Readonly<Record<string, unknown>>;

/** Where the models of a run come from. */
export type Source =
  | { readonly kind: "user"; readonly agentDir: string }
  | { readonly kind: "scripted"; readonly url: string };

export interface AgentFolderOptions {
  readonly source: Source;
  readonly advisor: { readonly name: string; readonly thinking: Thinking };
  /** Files of npm arms; laid over everything else, settings key by key. */
  readonly overlay: string | undefined;
}

/** Settings that decide how models are reached, not what Pi does with them. */
const OF_MODELS = [
  "retry",
  "transport",
  "httpIdleTimeoutMs",
  "websocketConnectTimeoutMs",
  "thinkingBudgets",
  "httpProxy",
];

export function fillAgentFolder(agentDir: string, { source, advisor, overlay }: AgentFolderOptions): void {
  const { name: model, thinking } = advisor;
  const kept =
    source.kind === "user" ? takeFromUser(source.agentDir, agentDir) : playModels(source.url, agentDir);
  const own = { quietStartup: true, angel: { model, thinking }, transcriptAdvisor: { model, thinking } };
  const laid = overlay === undefined ? {} : layOver(overlay, agentDir);
  writeFileSync(join(agentDir, "settings.json"), JSON.stringify({ ...kept, ...own, ...laid }, null, 2));
}

export function environmentFor(source: Source, agentDir: string): Record<string, string | undefined> {
  const config = join(agentDir, "config");
  const ours = {
    PI_CODING_AGENT_DIR: agentDir,
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
    // Some packages keep their settings there; only what was laid over the agent folder brings such a folder.
    ...(existsSync(config) ? { XDG_CONFIG_HOME: config } : {}),
  };
  if (source.kind === "scripted") return { ...plainEnvironment(), PI_OFFLINE: "1", ...ours };
  // Keys of providers are in the environment, and some providers look into the home folder.
  const theirs = Object.entries(process.env).filter(
    ([name]) => !/^(PI_CODING_AGENT_|PI_SESSION|NODE_TEST|VITEST|npm_)/.test(name),
  );
  return { ...Object.fromEntries(theirs), PATH: searchPath(), ...ours };
}

/** Credentials are linked: a token that is refreshed in a copy would leave a stale one with the user. */
function takeFromUser(from: string, to: string): Json {
  const credentials = join(from, "auth.json");
  if (existsSync(credentials)) symlinkSync(credentials, join(to, "auth.json"));
  for (const name of ["models.json", "models-store.json"]) {
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
  const settings = readSettings(join(from, "settings.json"));
  return Object.fromEntries(OF_MODELS.flatMap((key) => (key in settings ? [[key, settings[key]]] : [])));
}

function layOver(overlay: string, agentDir: string): Json {
  cpSync(overlay, agentDir, { recursive: true, filter: (path) => path !== join(overlay, "settings.json") });
  return readSettings(join(overlay, "settings.json"));
}

/** @throws with a sentence when the file is no JSON object */
function readSettings(path: string): Json {
  if (!existsSync(path)) return {};
  const settings: unknown = parseOr(path);
  if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) return { ...settings };
  throw new Error(`${path} cannot be read as a JSON object of settings; put that right first.`);
}

function parseOr(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}

function playModels(baseUrl: string, agentDir: string): Json {
  const usual = {
    cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 },
    contextWindow: 200_000,
    maxTokens: 16_000,
    reasoning: true,
  };
  const models = ["exec", "adv"].map((id) => ({ id, ...usual }));
  const local = { baseUrl, api: "openai-completions", apiKey: "no-secret", models };
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { local } }));
  return { retry: { baseDelayMs: 10 } };
}
