// Where the advice is after a call: once before the executor's model, once before the user's eyes.

import { afterEach, beforeEach, expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { ofType } from "../support/pi-event.ts";
import { startRpc } from "../support/rpc.ts";
import type { SessionFile } from "../support/session-files.ts";
import * as step from "../support/steps.ts";
import type { Tui } from "../support/tui.ts";
import { startTui } from "../support/tui.ts";

const ADVICE = "UNIQ-7f3";

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("The executor's requests carry the advice once, also after a restart, and the session keeps one copy for the eye.", async () => {
  await using home = await makeHome({ server });
  scriptConsultation();
  server.script("exec", [step.say("Second."), step.say("Third.")]);

  const first = await startRpc(home);
  await first.prompt("go on");
  await first.prompt("and on");
  await first.stop();
  await using second = await startRpc(home, { args: ["-c"] });
  await second.prompt("still there?");

  const bodies = server.requests("exec").map(({ raw }) => count(raw));
  const messages = ofType(first.events, "message_end").map((event) => count(JSON.stringify(event.message)));
  expect(bodies).toEqual([0, 1, 1, 1]);
  expect(messages.filter((times) => times > 0)).toEqual([1]);
  expect(copies(home.parent())).toEqual(["angel-advice-card", "toolResult"]);
  expect(home.children()).toHaveLength(1);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});

test("The screen shows the advice once, expanded or not, also after a restart.", async () => {
  await using home = await makeHome({ server });
  scriptConsultation();

  await using first = await startTui(home, { rows: 60 });
  await first.type("go on");
  await first.press("Enter");
  const collapsed = await first.until("Noted.");
  const expanded = await expand(first);
  await first.press("C-d");
  await first.untilExit();
  await using second = await startTui(home, { rows: 60, args: ["-c"] });
  const restored = await second.until("Noted.");
  const restoredExpanded = await expand(second);

  const screens = [collapsed, expanded, restored, restoredExpanded];
  expect(screens.map((lines) => count(lines.join("\n")))).toEqual([1, 1, 1, 1]);
});

test("After a compaction the advice is not sent again.", async () => {
  await using home = await makeHome({ server, settings: { compaction: { keepRecentTokens: 1 } } });
  scriptConsultation();
  server.script("exec", [step.say("Filler."), step.say("A summary."), step.say("Third.")]);
  await using pi = await startRpc(home);

  await pi.prompt("go on");
  await pi.prompt("and on");
  await pi.send({ type: "compact" });
  await pi.prompt("still there?");

  expect(server.requests("exec").at(-1)?.raw).toContain("A summary.");
  expect(count(server.requests("exec").at(-1)?.raw ?? ADVICE)).toBe(0);
  expect(copies(home.parent())).toEqual(["angel-advice-card", "toolResult"]);
});

function scriptConsultation(): void {
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Noted.")]);
  server.script("adv", [step.say(ADVICE)]);
}

function count(text: string): number {
  return text.split(ADVICE).length - 1;
}

/** What the entries are that hold the advice. */
function copies({ entries }: SessionFile): string[] {
  return entries
    .filter((entry) => count(JSON.stringify(entry)) > 0)
    .map((entry) => {
      if (entry.type === "message") return entry.message.role;
      return entry.type === "custom" ? entry.customType : entry.type;
    });
}

async function expand(tui: Tui): Promise<string[]> {
  await tui.press("C-o");
  // The last words stand below the card: with them all of it is drawn.
  return tui.until(
    (lines) => /pi --session[\s\S]*Noted\./.test(lines.join("\n")),
    "the metadata that only expanded views have",
  );
}
