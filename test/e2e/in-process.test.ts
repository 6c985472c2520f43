/** The sessions inside the test's process, proved without Angel. */

import { readFileSync } from "node:fs";
import type { ExtensionFactory } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { startSession } from "../support/in-process.ts";

test("A session in the test's process runs extensions and tools, and two models with scripts of their own.", async () => {
  const shout: ExtensionFactory = (pi) => {
    pi.registerCommand("shout", {
      description: "",
      handler: async () => Promise.reject(new Error("no voice")),
    });
  };
  await using pi = await startSession({
    angel: false,
    factories: [shout],
    project: { "a.txt": "the needle" },
  });
  pi.faux.exec.script([fauxCall("read", { path: "a.txt" }), fauxSay("Found it.")]);
  pi.faux.adv.script([fauxSay("Not asked.")]);

  await pi.session.prompt("find it");
  await pi.session.prompt("/shout");

  expect(pi.session.getLastAssistantText()).toBe("Found it.");
  expect(JSON.stringify(pi.faux.exec.requests[1])).toContain("the needle");
  expect([pi.faux.exec.pending(), pi.faux.adv.pending()]).toEqual([0, 1]);
  expect(pi.extensionErrors).toMatchObject([{ error: "no voice" }]);
  expect(readFileSync(pi.home.parent().path, "utf8")).toContain("Found it.");
  expect(pi.sessionManager.getSessionFile()).toBe(pi.home.parent().path);
});

test("Only one such session is open at a time, and one that cannot open leaves nothing behind.", async () => {
  const broken: ExtensionFactory = () => {
    throw new Error("no luck");
  };
  const agentDir = process.env.PI_CODING_AGENT_DIR;

  await expect(startSession({ angel: false, factories: [broken] })).rejects.toThrow(/did not load.*no luck/);
  await using pi = await startSession({ angel: false });

  await expect(startSession({ angel: false })).rejects.toThrow("dispose it first");
  await pi.dispose();
  expect(process.env.PI_CODING_AGENT_DIR).toBe(agentDir);
});

test("Extensions hear of the end of a session, once, and the advisor thinks as hard as it is told.", async () => {
  const heard: string[] = [];
  const listener: ExtensionFactory = (pi) => {
    pi.on("session_start", ({ reason }) => void heard.push(reason));
    pi.on("session_shutdown", ({ reason }) => void heard.push(reason));
  };
  const pi = await startSession({ angel: false, factories: [listener] });

  await pi.session.setModel(pi.faux.adv.handle.getModel());
  pi.session.setThinkingLevel("max");
  expect(pi.session.thinkingLevel).toBe("max");
  await pi.dispose();
  await pi.dispose();

  expect(heard).toEqual(["startup", "quit"]);
});
