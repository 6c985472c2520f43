/** What is left of consultations on a page that Pi exports. */

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { piCommand } from "../support/pi-process.ts";
import { call, say } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

interface Page {
  readonly entries: readonly Record<string, unknown>[];
  readonly renderedTools?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Pi's page carries the session as data, and the rows of tools as it would draw them. */
function readPage(path: string): Page {
  const [, data = ""] = /id="session-data"[^>]*>([^<]+)</.exec(readFileSync(path, "utf8")) ?? [];
  return JSON.parse(Buffer.from(data, "base64").toString("utf8"));
}

function textOf(html = ""): string {
  return html.replace(/<[^>]+>/g, "");
}

test("An exported page holds the advice of the executor's call below its row, since it shows no card.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [call("angel", { question: "Which of the two?" }, { id: "call_1" }), say("DONE")]);
  server.script("adv", [say("# The first\n\nIt is **simpler**.")]);
  await using pi = await startTui(home, { cols: 80, rows: 30 });
  const path = join(home.root, "page.html");

  await pi.type("work");
  await pi.press("Enter");
  await pi.until("DONE");
  await pi.type(`/export ${path}`);
  await pi.press("Enter");
  await pi.until("exported");

  const { entries, renderedTools } = readPage(path);
  const { callHtml, resultHtmlCollapsed, resultHtmlExpanded } = renderedTools?.call_1 ?? {};
  expect(textOf(callHtml)).toContain("angel Which of the two?");
  expect(textOf(resultHtmlCollapsed)).toMatch(/^advised · local\/adv/);
  expect(textOf(resultHtmlCollapsed)).not.toContain("simpler");
  expect(textOf(resultHtmlExpanded)).toContain("It is simpler.");
  expect(entries.filter(({ customType }) => customType === "angel-advice-card")).toHaveLength(1);
});

test("a session file that Pi exports by itself keeps advice of every origin", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [call("angel", { question: "Which of the two?" }), say("DONE")]);
  server.script("adv", [say("ADVICE-OF-CALL"), say("ADVICE-OF-QUESTION")]);
  await runPi(home, ["-p", "work"]);
  await runPi(home, ["-c", "-p", "/angel Is it so?"]);
  const path = join(home.root, "page.html");

  await runPi(home, ["--export", home.parent().path, path]);

  const page = JSON.stringify(readPage(path).entries);
  expect(page).toContain("ADVICE-OF-CALL");
  expect(page).toContain("ADVICE-OF-QUESTION");
});

async function runPi(home: Home, args: readonly string[]): Promise<void> {
  const [node, ...rest] = piCommand(home, args);
  const running = promisify(execFile)(node, rest, { cwd: home.project, env: home.env });
  running.child.stdin?.end();
  await running;
}
