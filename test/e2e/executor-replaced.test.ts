// One process, many sessions: the tool works after every way to replace the session, for the session of the moment.

import { expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { ofType, textOf } from "../support/pi-event.ts";
import type { Rpc } from "../support/rpc.ts";
import { startRpc } from "../support/rpc.ts";
import type { SessionFile } from "../support/session-files.ts";
import * as step from "../support/steps.ts";

const RELOADER = `export default (pi) =>
  pi.registerCommand("reload-now", { description: "Reloads", handler: (_, ctx) => ctx.reload() });`;

test("After every replacement and reload a call is answered in the session that made it.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    project: { "reloader.ts": RELOADER },
    extensions: ["reloader.ts"],
  });
  await using pi = await startRpc(home);
  const first = await consult("A0");
  const replacements: Record<string, () => Promise<unknown>> = {
    new: () => pi.send({ type: "new_session" }),
    reload: () => pi.prompt("/reload-now"),
    clone: () => pi.send({ type: "clone" }),
    fork: async () => pi.send({ type: "fork", entryId: await lastUserEntry(pi) }),
    resume: () => pi.send({ type: "switch_session", sessionPath: first.file }),
  };

  for (const [kind, replace] of Object.entries(replacements)) {
    await replace();
    const { advice, file, parent } = await consult(`after ${kind}`);

    expect(advice, kind).toEqual([`after ${kind}`]);
    expect(parent, kind).toBe(file);
  }

  expect(pi.stderr).toBe("");
  expect(ofType(pi.events, "extension_error")).toEqual([]);
  expect(consultations(home)).toHaveLength(6);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);

  /** One consultation: its advice, the file of the session that asked, and the parent that the child names. */
  async function consult(words: string) {
    server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Noted.")]);
    server.script("adv", [step.say(words)]);
    const events = await pi.prompt("go on");
    const { data } = await pi.send({ type: "get_state" });
    const advice = ofType(events, "tool_execution_end").map(({ result }) => textOf(result));
    return {
      advice,
      file: data.sessionFile ?? "none",
      parent: consultations(home).at(-1)?.header.parentSession,
    };
  }
});

/** Clones and forks name a parent in their header too. */
function consultations(home: Home): SessionFile[] {
  return home.children().filter(({ entries }) => JSON.stringify(entries[0]).includes("angel-consultation"));
}

async function lastUserEntry(pi: Rpc): Promise<string> {
  const { data } = await pi.send({ type: "get_fork_messages" });
  return data.messages.at(-1)?.entryId ?? "none";
}
