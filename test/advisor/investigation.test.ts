/** A child that does not stop when it is told to: something in it ignores its signal. */

import type { AgentSession, ExtensionFactory } from "@mariozechner/pi-coding-agent";
import {
  createAgentSession,
  DefaultResourceLoader,
  ModelRuntime,
  SessionManager,
  SettingsManager,
} from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { investigate } from "../../src/advisor/investigation.ts";
import type { FauxModel } from "../support/faux-models.ts";
import { fauxCall, fauxSay, makeFauxModel } from "../support/faux-models.ts";
import { makeHome } from "../support/home.ts";

const SECOND_MS = 1000;

test("A tool that ignores its signal is left behind within a second.", async () => {
  const isWorking = Promise.withResolvers<void>();
  await using child = await startChild((pi) => {
    pi.registerTool({
      name: "stubborn",
      label: "stubborn",
      description: "Never ends.",
      parameters: Type.Object({}),
      execute: () => {
        isWorking.resolve();
        return new Promise<never>(() => {});
      },
    });
  });
  child.adv.script([fauxCall("stubborn", {}), fauxSay("Never asked for.")]);

  const { outcome, elapsedMs } = await stopWhen(isWorking.promise, child.session);

  expect(outcome).toEqual({ kind: "cancelled", reason: "the run was stopped." });
  expect(elapsedMs).toBeLessThan(SECOND_MS);
  expect(child.adv.requests).toHaveLength(1);
});

test("A tool that ends after its child was let go leaves no trace in the child.", async () => {
  const isWorking = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  await using child = await startChild((pi) => {
    pi.registerTool({
      name: "stubborn",
      label: "stubborn",
      description: "Ends in its own time.",
      parameters: Type.Object({}),
      async execute() {
        isWorking.resolve();
        await mayEnd.promise;
        return { content: [{ type: "text", text: "too late" }], details: undefined };
      },
    });
  });
  child.adv.script([fauxCall("stubborn", {}), fauxSay("Never asked for.")]);

  await stopWhen(isWorking.promise, child.session);
  const before = child.session.sessionManager.getEntries().length;
  mayEnd.resolve();
  await settled();

  // A late entry would make the child's file the newest of its folder, and `pi -c` would open it.
  expect(child.session.sessionManager.getEntries()).toHaveLength(before);
  expect(child.adv.requests).toHaveLength(1);
});

test("A start that is held up beyond the end of the investigation sends no request when it goes on.", async () => {
  const isStarting = Promise.withResolvers<void>();
  const mayStart = Promise.withResolvers<void>();
  await using child = await startChild((pi) => {
    pi.on("before_agent_start", async () => {
      isStarting.resolve();
      await mayStart.promise;
    });
  });
  child.adv.script([fauxSay("Too late.")]);

  const { outcome, elapsedMs } = await stopWhen(isStarting.promise, child.session);
  mayStart.resolve();
  await settled();

  expect(outcome.kind).toBe("cancelled");
  expect(elapsedMs).toBeLessThan(SECOND_MS);
  expect(child.adv.requests).toEqual([]);
});

test("An abort that comes while the child is starting reaches the run that has not begun yet.", async () => {
  const isStarting = Promise.withResolvers<void>();
  const mayStart = Promise.withResolvers<void>();
  await using child = await startChild((pi) => {
    pi.on("input", async () => {
      isStarting.resolve();
      await mayStart.promise;
    });
  });
  child.adv.script([fauxSay("Too late.")]);
  void isStarting.promise.then(() => setTimeout(mayStart.resolve, 50));

  const { outcome, elapsedMs } = await stopWhen(isStarting.promise, child.session);

  expect(outcome.kind).toBe("cancelled");
  // Well before the limit: the run was stopped as soon as it was there, not left behind.
  expect(elapsedMs).toBeLessThan(SECOND_MS / 2);
  expect(child.adv.requests).toEqual([]);
});

test("An extension that never lets a finished child go is left behind when the run is stopped.", async () => {
  const isSettling = Promise.withResolvers<void>();
  await using child = await startChild((pi) => {
    pi.on("agent_settled", () => {
      isSettling.resolve();
      return new Promise(() => {});
    });
  });
  child.adv.script([fauxSay("Do this.")]);

  const { outcome, elapsedMs } = await stopWhen(isSettling.promise, child.session);

  expect(outcome.kind).toBe("cancelled");
  expect(elapsedMs).toBeLessThan(SECOND_MS);
});

/** What follows in a child is done in promises, so a few turns of the event loop are enough. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
}

async function stopWhen(moment: Promise<void>, session: AgentSession) {
  const stop = new AbortController();
  const investigation = investigate(session, {
    assignment: "Look into it.",
    nudge: "Well?",
    signal: stop.signal,
    onProgress: () => {},
    onActivity: () => {},
  });
  await moment;
  const started = performance.now();
  stop.abort();
  const outcome = await investigation;
  session.dispose();
  return { outcome, elapsedMs: performance.now() - started };
}

interface Child extends AsyncDisposable {
  readonly session: AgentSession;
  readonly adv: FauxModel;
}

/** A child as Pi makes it, with one extension that the user might have selected for it. */
async function startChild(extension: ExtensionFactory): Promise<Child> {
  const home = await makeHome({ angel: false });
  const { agentDir, project: cwd } = home;
  const adv = makeFauxModel("adv");
  const settingsManager = SettingsManager.inMemory({});
  const resourceLoader = new DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager,
    noExtensions: true,
    extensionFactories: [{ name: "selected", factory: extension }],
  });
  await resourceLoader.reload();
  const modelRuntime = await ModelRuntime.create({
    authPath: `${agentDir}/auth.json`,
    modelsPath: null,
    modelsStorePath: `${agentDir}/models-store.json`,
    refreshOnCreate: false,
  });
  modelRuntime.registerNativeProvider(adv.handle.provider);
  const { session } = await createAgentSession({
    cwd,
    agentDir,
    settingsManager,
    resourceLoader,
    modelRuntime,
    model: adv.handle.getModel(),
    sessionManager: SessionManager.inMemory(cwd),
  });
  return { session, adv, [Symbol.asyncDispose]: () => home[Symbol.asyncDispose]() };
}
