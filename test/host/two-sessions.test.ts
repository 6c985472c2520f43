import { fauxAssistantMessage } from "@mariozechner/pi-ai";
import type { AgentSession } from "@mariozechner/pi-coding-agent";
import {
  createAgentSession,
  DefaultResourceLoader,
  SessionManager,
  SettingsManager,
} from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import angel from "../../src/index.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import { adviceMessages, requestTexts } from "../support/stall.ts";

/** A second session beside the first, as a host of several sessions makes it. */
async function openBeside({ home, session, faux }: InProcess): Promise<AgentSession> {
  const { agentDir, project: cwd } = home;
  const settingsManager = SettingsManager.create(cwd, agentDir);
  const resourceLoader = new DefaultResourceLoader({
    cwd,
    agentDir,
    settingsManager,
    extensionFactories: [{ name: "angel", factory: angel }],
  });
  await resourceLoader.reload();
  const beside = await createAgentSession({
    cwd,
    agentDir,
    settingsManager,
    resourceLoader,
    modelRuntime: session.modelRuntime,
    model: faux.exec.handle.getModel(),
    sessionManager: SessionManager.create(cwd),
  });
  await beside.session.bindExtensions({ mode: "json" });
  return beside.session;
}

test("Two sessions in one process never mix: each has its own desk, control, advice and charges.", async () => {
  await using pi = await startSession({ bindings: { mode: "json" } });
  const other = await openBeside(pi);
  const bothAsked = Promise.withResolvers<void>();
  let asked = 0;
  const answerWhenBothAsked = async (context: { messages: readonly { content: unknown }[] }) => {
    asked += 1;
    if (asked === 2) bothAsked.resolve();
    await bothAsked.promise;
    return fauxAssistantMessage(
      JSON.stringify(context.messages).includes("From one?") ? "ADVICE-ONE" : "ADVICE-TWO",
    );
  };
  pi.faux.adv.script([answerWhenBothAsked, answerWhenBothAsked]);

  await other.prompt("/angel off");
  await Promise.all([pi.session.prompt("/angel From one?"), other.prompt("/angel From two?")]);
  pi.faux.exec.script([fauxSay("one"), fauxSay("two")]);
  await pi.session.prompt("hi from one");
  await other.prompt("hi from two");

  const charges = (session: AgentSession) =>
    session.sessionManager.getEntries().filter((entry) => entry.type === "usage" && entry.kind === "angel");
  for (const [session, own, foreign] of [
    [pi.session, "ADVICE-ONE", "ADVICE-TWO"],
    [other, "ADVICE-TWO", "ADVICE-ONE"],
  ] as const) {
    expect(adviceMessages(session.sessionManager)).toHaveLength(1);
    expect(JSON.stringify(session.sessionManager.getEntries())).toContain(own);
    expect(JSON.stringify(session.sessionManager.getEntries())).not.toContain(foreign);
    expect(charges(session)).toHaveLength(1);
  }
  expect(pi.session.getActiveToolNames()).toContain("angel");
  expect(other.getActiveToolNames()).not.toContain("angel");
  expect(requestTexts(pi.faux.exec, 1).join("\n")).not.toContain("ADVICE-ONE");
  other.dispose();
});

test("cancelling in one session leaves the other's consultation alone", async () => {
  await using pi = await startSession({ bindings: { mode: "json" } });
  const other = await openBeside(pi);
  const arrived = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  pi.faux.adv.script([
    async () => {
      arrived.resolve();
      await held.promise;
      return fauxAssistantMessage("ADVICE-ONE");
    },
  ]);
  pi.faux.exec.script([fauxCall("angel", { question: "From one?" }), fauxSay("used it")]);

  const run = pi.session.prompt("ask");
  await arrived.promise;
  await other.prompt("/angel cancel");
  held.resolve();
  await run;

  expect(requestTexts(pi.faux.exec, 1).at(-1)).toBe("ADVICE-ONE");
  other.dispose();
});
