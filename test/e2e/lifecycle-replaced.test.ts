/** /new, /clone, /fork and /resume typed in the terminal; Pi lets them in the middle of a run and stops the run first. */

import { expect, test } from "vitest";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { entriesOf, ordinaryEntries, STALE } from "../support/origins.ts";
import { runPi } from "../support/print.ts";
import { call, say } from "../support/steps.ts";
import type { Situation, Terminal } from "../support/terminal-origins.ts";
import { bringAbout, enterCommand, enterLine, QUESTION, startTerminal } from "../support/terminal-origins.ts";

type Replace = (terminal: Terminal, server: ModelServer) => Promise<unknown>;

/** What is done at the terminal, and what shows that the other session is there. */
const REPLACEMENTS: Readonly<Record<string, Replace>> = {
  async new({ pi }) {
    await enterCommand(pi, "new");
    await pi.until("New session started");
  },
  async clone({ pi }) {
    await enterCommand(pi, "clone");
    await pi.until("Cloned to new session");
  },
  async fork({ pi }) {
    await enterCommand(pi, "fork");
    await pi.until("Fork from Message");
    await pi.press("Enter");
    await pi.until("Forked to new session");
    // Pi offers the words of the message that was forked from.
    await pi.press("C-u");
    await pi.until((lines) => !lines.some((line) => /^(hi|work)$/.test(line)), "an empty editor");
  },
  async resume({ home, pi }, server) {
    server.script("exec", [say("another answer")]);
    await runPi(home, ["-p", "another session"]);
    await enterCommand(pi, "resume");
    await pi.until(/Resume Session[\s\S]*another session/);
    await pi.type("another");
    await pi.until("› another session");
    await pi.press("Enter");
    await pi.until("Resumed session");
  },
};

test("In the terminal /new, /clone, /fork and /resume stop a run that waits for Angel, and nothing of it reaches the other session.", {
  timeout: 240_000,
}, async () => {
  for (const [name, replace] of Object.entries(REPLACEMENTS)) await replaceDuring("executor", name, replace);
});

test("In the terminal /new, /clone, /fork and /resume cancel a question that runs, and nothing of it reaches the other session.", {
  timeout: 240_000,
}, async () => {
  for (const [name, replace] of Object.entries(REPLACEMENTS)) await replaceDuring("human", name, replace);
});

test("In the terminal /new, /clone, /fork and /resume drop a question that waits, with a report where it was asked.", {
  timeout: 240_000,
}, async () => {
  for (const [name, replace] of Object.entries(REPLACEMENTS)) {
    const { asked, reports } = await replaceDuring("waiting", name, replace);
    expect({ asked, reports }, name).toEqual({ asked: 0, reports: 1 });
  }
});

async function replaceDuring(situation: Situation, name: string, replace: Replace) {
  await using server = await startModelServer();
  await using terminal = await startTerminal(server);
  const { home, pi, parentFile } = terminal;
  const held = await bringAbout(situation, terminal, server);

  await replace(terminal, server);
  await held.done;
  const asked = server.requests("adv").length;
  server.script("exec", [call("angel", { question: "And now?" }), say("taken note")]);
  server.script("adv", [say("FRESH-ADVICE")]);
  await enterLine(pi, "in the other session");
  const screen = (await pi.until("taken note")).join("\n");

  const sent = server.requests("exec").at(-1)?.raw ?? "";
  const left = entriesOf(home, parentFile);
  expect(held.closedEarly, name).toBe(true);
  expect(left.split('"outcome":"cancelled"'), name).toHaveLength(2);
  expect(left).not.toContain("in the other session");
  expect(ordinaryEntries(home)).not.toContain(STALE);
  expect(screen).not.toContain(STALE);
  expect(screen).not.toContain(`Angel · ${QUESTION}`);
  expect(screen).not.toMatch(/stale|Extension ".*" error/);
  expect(sent).toContain("FRESH-ADVICE");
  expect(sent).not.toContain(STALE);
  // A clone of the executor's session holds its call; of a question no other session holds a word.
  if (situation !== "executor") expect(sent).not.toContain(QUESTION);
  expect([server.unexpected, server.violations]).toEqual([[], []]);
  return { asked, reports: left.split('"angel-report"').length - 1 };
}
