/**
 * A real Pi session inside the test's own process, with faux models instead of a provider. Pi finds its
 * folders through the environment, so only one such session can be open at a time.
 */

import { join } from "node:path";
import type {
  AgentSession,
  AgentSessionRuntime,
  CreateAgentSessionRuntimeFactory,
  ExtensionError,
  InlineExtension,
} from "@mariozechner/pi-coding-agent";
import {
  createAgentSession,
  createAgentSessionRuntime,
  DefaultResourceLoader,
  hasTrustRequiringProjectResources,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@mariozechner/pi-coding-agent";
import type { FauxModel } from "./faux-models.ts";
import { makeFauxModel } from "./faux-models.ts";
import type { Home, HomeOptions } from "./home.ts";
import { makeHome } from "./home.ts";

type Bindings = Parameters<AgentSession["bindExtensions"]>[0];

export interface SessionOptions
  extends Pick<HomeOptions, "settings" | "project" | "agentFiles" | "trusted" | "angel"> {
  /** Further extensions, after Angel. */
  readonly factories?: readonly InlineExtension[];
  /** Key by key over those of a host without a screen. */
  readonly bindings?: Bindings;
  readonly tools?: readonly string[];
  /** Replaces the session manager that would write into the home. */
  readonly sessionManager?: (home: Home) => SessionManager;
}

export interface InProcess extends AsyncDisposable {
  /** The first session; the one that replaced it is the runtime's. */
  readonly session: AgentSession;
  readonly sessionManager: SessionManager;
  readonly runtime: AgentSessionRuntime;
  readonly home: Home;
  readonly faux: { readonly exec: FauxModel; readonly adv: FauxModel };
  /** What handlers of extensions threw. */
  readonly extensionErrors: readonly ExtensionError[];
  dispose(): Promise<void>;
}

let isOpen = false;

export async function startSession(options: SessionOptions = {}): Promise<InProcess> {
  if (isOpen) throw new Error("Another in-process session is open: dispose it first.");
  const { angel = true, settings, ...files } = options;
  const own = {
    defaultProvider: "exec",
    defaultModel: "exec",
    ...(angel ? { angel: { model: "adv/adv" } } : {}),
  };
  const home = await makeHome({ ...files, angel, settings: { ...own, ...settings } });
  const restoreEnv = enterEnv(home.env);
  isOpen = true;
  const faux = { exec: makeFauxModel("exec"), adv: makeFauxModel("adv", { reasoning: true }) };
  const extensionErrors: ExtensionError[] = [];

  async function close(): Promise<void> {
    restoreEnv();
    isOpen = false;
    await home[Symbol.asyncDispose]();
  }

  const runtime = await openRuntime(home, faux, options).catch(async (error) => {
    await close();
    throw error;
  });

  // A test may dispose by hand what `await using` disposes again, when the next session is open already.
  let disposal: Promise<void> | undefined;
  const dispose = () => {
    disposal ??= end();
    return disposal;
  };

  async function end(): Promise<void> {
    try {
      await runtime.session.abort();
      await runtime.dispose();
    } finally {
      await close();
    }
  }

  const bind = (session: AgentSession) =>
    session.bindExtensions({
      mode: "print",
      commandContextActions: commandActions(runtime),
      onError: (error) => extensionErrors.push(error),
      ...options.bindings,
    });
  runtime.setRebindSession(bind);
  const { session } = runtime;
  await bind(session);
  return {
    session,
    sessionManager: session.sessionManager,
    runtime,
    home,
    faux,
    extensionErrors,
    dispose,
    [Symbol.asyncDispose]: dispose,
  };
}

async function openRuntime(
  home: Home,
  faux: InProcess["faux"],
  options: SessionOptions,
): Promise<AgentSessionRuntime> {
  const { agentDir, project: cwd } = home;
  const sessionManager = options.sessionManager?.(home) ?? SessionManager.create(cwd);
  return createAgentSessionRuntime((target) => openSession(target, faux, options), {
    cwd,
    agentDir,
    sessionManager,
  });
}

async function openSession(
  { cwd, agentDir, sessionManager, sessionStartEvent }: Parameters<CreateAgentSessionRuntimeFactory>[0],
  faux: InProcess["faux"],
  options: SessionOptions,
): ReturnType<CreateAgentSessionRuntimeFactory> {
  const projectTrusted = options.trusted ?? !hasTrustRequiringProjectResources(cwd);
  const settingsManager = SettingsManager.create(cwd, agentDir, { projectTrusted });
  const angel: InlineExtension[] =
    options.angel === false ? [] : [{ name: "angel", factory: (await import("../../src/index.ts")).default }];
  const extensionFactories = [...angel, ...(options.factories ?? [])];
  const resourceLoader = new DefaultResourceLoader({ cwd, agentDir, settingsManager, extensionFactories });
  await resourceLoader.reload();
  const [broken] = resourceLoader.getExtensions().errors;
  if (broken !== undefined) throw new Error(`${broken.path} did not load: ${broken.error}`);

  const modelRuntime = await ModelRuntime.create({
    authPath: join(agentDir, "auth.json"),
    modelsPath: null,
    modelsStorePath: join(agentDir, "models-store.json"),
    refreshOnCreate: false,
  });
  for (const { handle } of Object.values(faux)) modelRuntime.registerNativeProvider(handle.provider);

  const created = await createAgentSession({
    cwd,
    agentDir,
    settingsManager,
    resourceLoader,
    modelRuntime,
    model: faux.exec.handle.getModel(),
    sessionManager,
    ...(sessionStartEvent === undefined ? {} : { sessionStartEvent }),
    ...(options.tools === undefined ? {} : { tools: [...options.tools] }),
  });
  const services = { cwd, agentDir, modelRuntime, settingsManager, resourceLoader, diagnostics: [] };
  return { ...created, services, diagnostics: [] };
}

function commandActions(runtime: AgentSessionRuntime): NonNullable<Bindings["commandContextActions"]> {
  return {
    waitForIdle: () => runtime.session.waitForIdle(),
    navigateTree: (targetId, options) => runtime.session.navigateTree(targetId, options),
    reload: () => runtime.session.reload(),
    newSession: (options) => runtime.newSession(options),
    fork: (entryId, options) => runtime.fork(entryId, options),
    switchSession: (path, options) => runtime.switchSession(path, options),
  };
}

function enterEnv(env: Readonly<Record<string, string>>): () => void {
  const before = Object.keys(env).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, env);
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  };
}
