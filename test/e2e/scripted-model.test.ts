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

describe("a scripted model", () => {
  test("An abort closes the connection of a stalled model.", async () => {
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

  test("A gate holds an answer for as long as the test likes.", async () => {
    await using home = await plainHome();
    const gate = step.gate(step.think("Hm.", step.say("Opened.")));
    server.script("exec", [gate]);
    await using pi = await startRpc(home);

    const run = pi.prompt("go");
    await server.nextRequest("exec");
    const during = await pi.send({ type: "get_state" });
    gate.open();

    expect(during.data.isStreaming).toBe(true);
    expect(textOf(lastAssistant(await run))).toBe("Opened.");
  });

  const failed = (reason: RegExp) => ({ stopReason: "error", errorMessage: expect.stringMatching(reason) });
  const half = { content: [{ type: "text", text: "Half a sent" }] };

  test.each([
    ["a status", step.status(401, { body: { error: { message: "bad key" } } }), failed(/401.*bad key/s)],
    ["a cut connection", step.cut("Half a sent"), { ...half, ...failed(/terminated/) }],
    ["a filter", step.filtered("Half a sent"), { ...half, ...failed(/content_filter/) }],
    ["garbage", step.garbage(), failed(/JSON/)],
    ["the output limit", step.limit("Half a sent"), { ...half, stopReason: "length" }],
    [
      "a thought",
      step.think("Hm."),
      { content: [{ type: "thinking", thinking: "Hm." }], stopReason: "stop" },
    ],
    ["silence", step.empty(), { content: [], stopReason: "stop" }],
  ])("Pi ends its run by %s.", async (_, answer, message) => {
    await using home = await plainHome({ settings: { retry: { enabled: false } } });
    server.script("exec", [answer]);

    const run = await runJson(home, ["go"]);

    expect(lastAssistant(run.events)).toMatchObject(message);
    expect(server.requests("exec")[0]?.closedEarly).toBe(false);
    expect(server.unexpected).toEqual([]);
  });

  test("A call that the output limit cut gets a failed result, and the run goes on.", async () => {
    await using home = await plainHome();
    server.script("exec", [step.limitCall("write", '{"path": "a'), step.say("Shorter, then.")]);

    const run = await runJson(home, ["go"]);

    expect(ofType(run.events, "tool_execution_end")).toMatchObject([{ toolName: "write", isError: true }]);
    expect(textOf(lastAssistant(run.events))).toBe("Shorter, then.");
  });

  test("Pi retries a failed request at once.", async () => {
    await using home = await plainHome();
    server.script("exec", [
      step.status(503),
      step.status(429, { headers: { "retry-after": "0" } }),
      step.say("ok"),
    ]);

    const run = await runJson(home, ["go"]);

    expect(textOf(lastAssistant(run.events))).toBe("ok");
    expect(ofType(run.events, "auto_retry_start").map((event) => event.attempt)).toEqual([1, 2]);
  });

  test("A request that no step is left for is remembered, and Pi does not retry it.", async () => {
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
    ["a call that something else follows", [called, { role: "user", content: "hm" }]],
    ["a result without call", [{ role: "tool", tool_call_id: "b" }]],
    [
      "a result given twice",
      [called, { role: "tool", tool_call_id: "a" }, { role: "tool", tool_call_id: "a" }],
    ],
  ])("The server refuses %s.", async (_, messages) => {
    server.script("adv", [step.say("ok")]);

    expect((await ask(...messages)).status).toBe(400);
    expect(server.violations).toHaveLength(1);
    expect((await ask(called, { role: "tool", tool_call_id: "a" })).status).toBe(200);
  });

  test("A connection that the server itself closes was not closed early by the client.", async () => {
    server.script("adv", [step.stall()]);

    const response = await ask({ role: "user", content: "one" });
    await server.close();

    await expect(response.text()).rejects.toThrow();
    expect(server.requests("adv")[0]?.closedEarly).toBe(false);
  });

  test("A step that throws is an unexpected request.", async () => {
    server.script("adv", [() => Promise.reject(new Error("not what was expected"))]);

    expect((await ask({ role: "user", content: "one" })).status).toBe(400);
    expect(server.unexpected).toEqual([expect.stringContaining("not what was expected")]);
  });

  test("A wait for a request that does not come says what did.", async () => {
    await ask({ role: "user", content: "one" });

    await expect(server.nextRequest("exec", 1, 20)).rejects.toThrow(/request 1 of model exec.*adv 1/);
  });

  test("A step can answer to what it was sent, with its arguments in pieces.", async () => {
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
