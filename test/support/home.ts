/**
 * A temporary home for Pi: its own agent folder, project, settings and models, and an environment that holds
 * nothing of whoever runs the tests. Angel is loaded from this repository unless `angel` is false, and
 * answers with the model `local/adv` unless `settings.angel` says otherwise.
 */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rgPath } from "@vscode/ripgrep";
import type { SessionFile } from "./session-files.ts";
import { readSessionFiles } from "./session-files.ts";

type Json = Readonly<Record<string, unknown>>;
type Files = Readonly<Record<string, string>>;

export interface HomeOptions {
  /** Serves the provider "local"; without it there is no models.json. */
  readonly server?: { readonly url: string };
  /** Settings of the agent folder, key by key over the home's own. */
  readonly settings?: Json;
  /** Models of the provider "local" by id, field by field over the usual "exec" and "adv". */
  readonly models?: Readonly<Record<string, Json>>;
  /** Further providers of models.json. */
  readonly providers?: Json;
  /** Files of the project and of the agent folder: path → text. */
  readonly project?: Files;
  readonly agentFiles?: Files;
  /** Decides on project trust; absent, Pi decides as it does by itself. */
  readonly trusted?: boolean;
  /** Paths of further extensions, loaded after Angel. */
  readonly extensions?: readonly string[];
  readonly angel?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of the home where sessions are kept too, once a test has told Pi so in one of Pi's ways. */
  readonly sessionDir?: string;
}

export interface Home extends AsyncDisposable {
  readonly root: string;
  readonly agentDir: string;
  readonly project: string;
  readonly sessionDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** The arguments that every Pi of this home is started with. */
  readonly args: readonly string[];
  sessions(): SessionFile[];
  /** The only session that has no parent. */
  parent(): SessionFile;
  children(): SessionFile[];
}

export const ANGEL_FOLDER = fileURLToPath(new URL("../..", import.meta.url));

export async function makeHome(options: HomeOptions = {}): Promise<Home> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "angel-home-")));
  const agentDir = join(root, "agent");
  const project = join(root, "project");
  for (const folder of [agentDir, project]) mkdirSync(folder);

  const { server, angel = true, extensions = [], trusted } = options;
  writeFiles(agentDir, { "settings.json": JSON.stringify(composeSettings(angel, options.settings)) });
  if (server !== undefined)
    writeFiles(agentDir, { "models.json": JSON.stringify(composeModels(server.url, options)) });
  writeFiles(agentDir, options.agentFiles ?? {});
  writeFiles(project, { ...REPOSITORY, ...options.project });

  const usualSessionDir = join(agentDir, "sessions");
  const sessionDir = options.sessionDir === undefined ? usualSessionDir : join(root, options.sessionDir);
  const sessions = () => readSessionFiles([usualSessionDir, sessionDir]);
  return {
    root,
    agentDir,
    project,
    sessionDir,
    env: { ...composeEnv(root, agentDir), ...options.env },
    args: [
      ...(angel ? [ANGEL_FOLDER] : []).concat(extensions).flatMap((path) => ["--extension", path]),
      ...(trusted === undefined ? [] : [trusted ? "--approve" : "--no-approve"]),
    ],
    sessions,
    parent: () => onlyParent(sessions()),
    children: () => sessions().filter((session) => session.header.parentSession !== undefined),
    async [Symbol.asyncDispose]() {
      rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Inside a repository Pi's find works with any fd, elsewhere only with a recent one. Git itself needs `git init`. */
const REPOSITORY: Files = { ".git/HEAD": "ref: refs/heads/main\n" };

function composeSettings(angel: boolean, settings: Json = {}): Json {
  return {
    defaultProvider: "local",
    defaultModel: "exec",
    quietStartup: true,
    theme: "dark",
    // Pi's own two seconds before the first retry prove nothing that ten milliseconds do not.
    retry: { baseDelayMs: 10 },
    ...(angel ? { angel: { model: "local/adv" } } : {}),
    ...settings,
  };
}

const USUAL_MODEL = {
  cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 },
  contextWindow: 200_000,
  maxTokens: 16_000,
};

const USUAL_MODELS: Readonly<Record<string, Json>> = {
  exec: { reasoning: false },
  // Pi takes the levels up to "high" for granted; these two exist only where the map names them.
  adv: { reasoning: true, thinkingLevelMap: { xhigh: "xhigh", max: "max" } },
};

function composeModels(baseUrl: string, { models = {}, providers = {} }: HomeOptions): Json {
  const ids = new Set([...Object.keys(USUAL_MODELS), ...Object.keys(models)]);
  const definitions = [...ids].map((id) => ({ id, ...USUAL_MODEL, ...USUAL_MODELS[id], ...models[id] }));
  const local = { baseUrl, api: "openai-completions", apiKey: "no-secret", models: definitions };
  return { providers: { local, ...providers } };
}

function composeEnv(root: string, agentDir: string): Record<string, string> {
  return {
    // The Node that runs the tests first, then a ripgrep that is certainly there.
    PATH: [dirname(process.execPath), dirname(rgPath), process.env.PATH].join(delimiter),
    HOME: root,
    TMPDIR: tmpdir(),
    LANG: "C.UTF-8",
    PI_CODING_AGENT_DIR: agentDir,
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
  };
}

function writeFiles(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function onlyParent(sessions: readonly SessionFile[]): SessionFile {
  const roots = sessions.filter((session) => session.header.parentSession === undefined);
  const [root] = roots;
  if (root === undefined || roots.length > 1) {
    throw new Error(`Expected one session without a parent, found ${roots.length}.`);
  }
  return root;
}
