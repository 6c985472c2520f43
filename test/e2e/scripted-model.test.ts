/** The scripted models, proved on a Pi that has no Angel and, where Pi keeps the rules, on plain requests. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ChatMessage } from "../support/chat-request.ts";
import type { HomeOptions } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { lastAssistant, ofType, textOf } from "../support/pi-event.ts";
import { runJson, runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";

const WITH_PROCESSES = { timeout: 60_000 };

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

function plainHome(options: HomeOptions = {}) {
  return makeHome({ server, angel: false, ...options });
}

describe("a scripted model", WITH_PROCESSES, () => {
  test("closes the connection of a stalled model when it is aborted", async () => {
    await using home = await plainHome();
    server.script("exec", [step.stall({ after: "Half a sent" })]);
    await using pi = await startRpc(home);

    const run = pi.prompt("go");
    const request = await server.nextRequest("exec");
    await pi.waitFor((event) => event.type === "message_update", "text of the stalled answer");
    expect(request.closedEarly).toBe(false);
    await pi.send({ type: "abort" });
    await request.done;

    expect(request.closedEarly).toBe(true);
    expect(ofType(await run, "agent_settled")).toMatchObject([{ aborted: true }]);
  });

  test("is held by a gate for as long as the test likes", async () => {
    await using home = await plainHome();
    const gate = step.gate(step.say("Opened."));
    server.script("exec", [gate]);
    await using pi = await startRpc(home);

    const run = pi.prompt("go");
    await server.nextRequest("exec");
    const during = await pi.send({ type: "get_state" });
    gate.open();

    expect(during.data.isStreaming).toBe(true);
    expect(textOf(lastAssistant(await run))).toBe("Opened.");
  });

  test.each([
    ["a status", step.status(401, { body: { error: { message: "bad key" } } }), "error", /401.*bad key/s],
    ["a cut connection", step.cut("Half a sent"), "error", /terminated|closed|aborted/i],
    ["a filter", step.filtered("I"), "error", /content_filter/],
    ["garbage", step.garbage(), "error", /JSON/],
    ["the output limit", step.limit("Half a sent"), "length", undefined],
    ["a thought and nothing else", step.think("Hm."), "stop", undefined],
    ["silence", step.empty(), "stop", undefined],
  ])("ends its run by %s", async (_, answer, stopReason, errorMessage) => {
    await using home = await plainHome({ settings: { retry: { enabled: false } } });
    server.script("exec", [answer]);

    const run = await runJson(home, ["go"]);

    const message = lastAssistant(run.events);
    expect(message).toMatchObject({ stopReason });
    if (errorMessage) expect(message).toMatchObject({ errorMessage: expect.stringMatching(errorMessage) });
    expect(server.requests("exec")[0]?.closedEarly).toBe(false);
    expect(server.unexpected).toEqual([]);
  });

  test("goes on after a call that the output limit cut, with a failed result", async () => {
    await using home = await plainHome();
    server.script("exec", [step.limitCall("write", '{"path": "a'), step.say("Shorter, then.")]);

    const run = await runJson(home, ["go"]);

    expect(ofType(run.events, "tool_execution_end")).toMatchObject([{ toolName: "write", isError: true }]);
    expect(textOf(lastAssistant(run.events))).toBe("Shorter, then.");
  });

  test("asks once more than the script foresees, which is remembered and not retried", async () => {
    await using home = await plainHome();
    server.script("exec", [step.call("ls", {})]);

    const run = await runPi(home, ["-p", "go"]);

    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("script of model exec is used up"),
    });
    expect(server.unexpected).toEqual(["script of model exec is used up at request 2"]);
  });
});

describe("the model server", () => {
  const ask = (...messages: ChatMessage[]) =>
    fetch(`${server.url}/chat/completions`, {
      method: "POST",
      body: JSON.stringify({ model: "adv", messages }),
    });
  const called: ChatMessage = {
    role: "assistant",
    tool_calls: [{ id: "a", function: { name: "ls", arguments: "" } }],
  };

  test.each([
    ["a call without result", [called]],
    [
      "a call whose result comes late",
      [called, { role: "user", content: "hm" }, { role: "tool", tool_call_id: "a" }],
    ],
    ["a result without call", [{ role: "tool", tool_call_id: "b" }]],
    [
      "a result given twice",
      [called, { role: "tool", tool_call_id: "a" }, { role: "tool", tool_call_id: "a" }],
    ],
  ])("refuses %s", async (_, messages) => {
    server.script("adv", [step.say("ok")]);

    expect((await ask(...messages)).status).toBe(400);
    expect(server.violations).toHaveLength(1);
    expect((await ask(called, { role: "tool", tool_call_id: "a" })).status).toBe(200);
  });

  test("says what did arrive when a request does not", async () => {
    await ask({ role: "user", content: "one" });

    await expect(server.nextRequest("exec", 1, 20)).rejects.toThrow(/request 1 of model exec.*adv 1/);
  });

  test("lets a script answer to what it was sent, and streams arguments in pieces", async () => {
    server.script("adv", [
      (request) =>
        step.call("echo", { said: textOf(request.body.messages.at(-1)) }, { id: "x", pieces: 4 }).noUsage(),
    ]);

    const stream = await (await ask({ role: "user", content: "one" })).text();

    const pieces = [...stream.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(([, json]) =>
      JSON.parse(json ?? ""),
    );
    expect(pieces).toHaveLength(5);
    expect(JSON.parse(pieces.join(""))).toEqual({ said: "one" });
    expect(stream).not.toContain("usage");
  });
});
