/** The session's file is gone and its place is taken when an answer comes home: the answer is not lost in silence. */

import { mkdirSync, readFileSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startModelServer } from "../support/model-server.ts";
import { entriesOf, ORIGINS, startSeeded } from "../support/origins.ts";
import type { PiEvent } from "../support/pi-event.ts";
import { call, gate, say } from "../support/steps.ts";

const ADVICE = "ADVICE-4c1";

/** Angel's notice, Pi's own word about a message it could not take, or the end of a run that Pi could not write. */
function isTold(event: PiEvent): boolean {
  const text = JSON.stringify(event);
  if (!text.includes("EISDIR")) return false;
  if (event.type === "extension_ui_request")
    return text.includes("Angel's answer could not be put into the session: EISDIR");
  return event.type === "extension_error" || (event.type === "message_end" && text.includes("errorMessage"));
}

test("When the session takes no advice of any origin, the user is told why, Pi lives, and the next consultation works.", async () => {
  for (const origin of ORIGINS) {
    await using server = await startModelServer();
    await using seeded = await startSeeded(server);
    const { home, pi, parentFile } = seeded;
    const held = gate(say(ADVICE));
    server.script("adv", [held]);
    if (origin === "executor") server.script("exec", [call("angel", { question: "Why?" })]);
    if (origin === "error") server.script("exec", [call("flaky", {}), call("flaky", {})]);
    const from = pi.events.length;
    const ran = pi.send({ type: "prompt", message: origin === "human" ? "/angel Why?" : "work" });
    await server.nextRequest("adv");
    const before = readFileSync(parentFile);
    unlinkSync(parentFile);
    mkdirSync(parentFile);

    held.open();
    await pi.waitFor((event) => isTold(event), "a word of what went wrong", from);
    await ran;
    if (origin !== "human") await pi.waitFor((event) => event.type === "agent_settled", "the end", from);
    rmdirSync(parentFile);
    writeFileSync(parentFile, before);

    await pi.send({ type: "new_session" });
    server.script("exec", [call("angel", { question: "And now?" }), say("used FRESH-ADVICE")]);
    server.script("adv", [say("FRESH-ADVICE")]);
    await pi.prompt("again");
    expect(server.requests("exec").at(-1)?.raw).toContain("FRESH-ADVICE");
    expect(entriesOf(home, parentFile).split(ADVICE).length).toBeLessThanOrEqual(2);
    // The executor has its advice although no card could be kept.
    if (origin === "executor") expect(toolEnds(pi.events.slice(from))).toContain(ADVICE);
  }
});

function toolEnds(events: readonly PiEvent[]): string {
  return JSON.stringify(events.filter((event) => event.type === "tool_execution_end"));
}
