// What is withheld is withheld from every action: no text of it, no excerpt, no hit.

import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { openParentSession } from "../support/ask-parent.ts";
import { startConsulting } from "../support/consulting.ts";
import type { SessionBuilder } from "../support/session-builder.ts";
import { buildSession } from "../support/session-builder.ts";
import * as step from "../support/steps.ts";

const SECRET = /SEC-|S-E-C/i;

test("System messages, private shell runs, thinking, details and custom data never appear, not even as a hit.", async () => {
  const session = buildSession();
  const hidden = writeSecrets(session);
  const { ask } = openParentSession(session.manager);
  const answers: string[] = [];
  const record = async (args: object) => {
    answers.push(await ask(args).catch((error: Error) => error.message));
  };

  await record({ action: "overview" });
  for (const view of ["context", "branch", "lost"]) {
    for (const kinds of [[], ["bookkeeping"], ["custom_message", "shell", "assistant"]])
      await record({ action: "list", view, kinds });
    await record({ action: "files", view });
    for (const query of ["SEC-", "sec-", "SEC.", "SEC-[0-9]", "S-E-C"])
      await record({ action: "search", query, view });
  }
  const entries = session.manager.getEntries();
  for (const { id } of entries)
    for (const asked of [id, id.slice(0, 6)]) await record({ action: "get", ids: [asked] });

  const all = answers.join("\n");
  expect(all).toContain("PUB-1");
  expect(all).toContain("PUB-2");
  expect(all).not.toMatch(SECRET);
  const searches = answers.filter((answer) => answer.startsWith("Entries with hits"));
  expect(searches).toHaveLength(15);
  for (const answer of searches) expect(answer).toContain("Entries with hits: none, 0 hits in all");
  for (const id of hidden) {
    await expect(ask({ action: "get", ids: [id] })).rejects.toThrow(
      `Entry "${id}" is withheld, because it is`,
    );
  }
});

test("The words around what is withheld are there, and the places that held it say so.", async () => {
  const session = buildSession();
  session.say("PUB-WORDS", { thinking: "SEC-5" });
  const silent = session.say("", { thinking: "SEC-6" });
  const note = session.manager.appendCustomMessageEntry("todo", "SEC-2", true);
  const { ask } = openParentSession(session.manager);

  const list = await ask({ action: "list" });
  const got = await ask({ action: "get", ids: [silent, note] });

  expect(list).toMatch(/assistant: PUB-WORDS$/m);
  expect(list).toMatch(/assistant, thinking only, withheld$/m);
  expect(list).toMatch(/custom message of todo, body withheld$/m);
  expect(got).toMatch(/assistant, .*\n\(thinking only, withheld\)/);
  expect(got).toMatch(/custom message of todo, .*\n\(metadata only, the rest of this entry is withheld\)/);
});

test("No request of a child and nothing in its file holds what is withheld, whatever it asks for.", async () => {
  let ids: string[] = [];
  await using pi = await startConsulting({
    sessionManager: (home) => {
      const session = buildSession(SessionManager.create(home.project, home.sessionDir));
      writeSecrets(session);
      ids = session.manager.getEntries().map(({ id }) => id);
      return session.manager;
    },
  });
  const look = (args: object) => step.call("parent_session", args);
  pi.server.script("adv", [
    look({ action: "overview" }),
    look({ action: "list", view: "branch" }),
    look({ action: "list", view: "branch", kinds: ["bookkeeping", "custom_message"] }),
    look({ action: "search", view: "branch", query: "PUB-" }),
    look({ action: "get", ids }),
    step.say("Do this."),
  ]);

  await pi.ask("Why?");

  const sent = pi.server.requests("adv").map(({ raw }) => raw);
  expect(sent).toHaveLength(6);
  expect(sent.join("\n")).toContain("PUB-1");
  expect(sent.join("\n")).not.toMatch(SECRET);
  const [child] = pi.home.children();
  expect(JSON.stringify(child)).toContain("PUB-1");
  expect(JSON.stringify(child)).not.toMatch(SECRET);
  expect(pi.surprises()).toEqual([]);
});

/** Returns the ids of the entries that are withheld as a whole. */
function writeSecrets(session: SessionBuilder): string[] {
  const { manager } = session;
  const system = session.system("SEC-0 system words");
  session.user("PUB-2");
  const { result } = session.operate("bash", { command: "ls" }, "PUB-3", { details: { output: "SEC-4" } });
  session.shell("echo PUB-1", "PUB-1");
  const shell = session.shell("echo SEC-1", "SEC-1", { isPrivate: true });
  const note = manager.appendCustomMessageEntry("todo", [{ type: "text", text: "SEC-2" }], true, {
    x: "SEC-2",
  });
  manager.appendCustomEntry("state", { text: "SEC-3" });
  manager.appendSessionInfo("SEC-NAME");
  session.say("PUB-4", { thinking: "SEC-5" });
  manager.appendLabelChange(result, "SEC-LABEL");
  manager.appendContextEdit(note, { content: "SEC-EDITED" });
  const kept = session.user("PUB-5");
  manager.appendCompaction("PUB-6", kept, 1, { files: ["SEC-7"] });
  const later = session.system("SEC-8");
  return [system, shell, later];
}
