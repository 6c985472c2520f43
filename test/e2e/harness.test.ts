/** The drivers of Pi, proved with a Pi that has no Angel. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionFactory } from "@mariozechner/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import type { HomeOptions } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import { startSession } from "../support/in-process.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { lastAssistant, ofType, textOf } from "../support/pi-event.ts";
import { runJson, runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

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

describe("a real Pi", WITH_PROCESSES, () => {
  test("answers over rpc after a tool call, and its session file can be read", async () => {
    await using home = await plainHome({ project: { "notes/a.txt": "the needle" } });
    server.script("exec", [
      step.sayThenCall("Looking.", "read", { path: "notes/a.txt" }),
      step.say("Found it."),
    ]);
    await using pi = await startRpc(home);

    const events = await pi.prompt("find it");
    const state = await pi.send({ type: "get_state" });
    const exit = await pi.stop();

    expect(ofType(events, "tool_execution_end")).toMatchObject([{ toolCallId: "exec_1_0", isError: false }]);
    expect(server.requests("exec")[1]?.raw).toContain("the needle");
    expect(lastAssistant(events)).toMatchObject({
      stopReason: "stop",
      usage: { input: 1000, output: 50, cacheRead: 200 },
    });
    expect(home.parent().path).toBe(state.data.sessionFile);
    expect(home.parent().entries.at(-1)).toMatchObject({ type: "message", message: { role: "assistant" } });
    expect(home.children()).toEqual([]);
    expect({ exit, junk: pi.junk, stderr: pi.stderr }).toEqual({
      exit: { code: 0, signal: null },
      junk: [],
      stderr: "",
    });
    expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
  });

  test("finds ripgrep and fd", async () => {
    await using home = await plainHome({ project: { "deep/er/a.txt": "the needle" } });
    const searches = [step.call("grep", { pattern: "needle" }), step.call("find", { pattern: "**/a.txt" })];
    server.script("exec", [step.calls(searches), step.say("Both.")]);

    const run = await runJson(home, ["--tools", "grep,find", "go"]);

    const results = ofType(run.events, "tool_execution_end").map((event) => textOf(event.result));
    expect(results).toEqual([expect.stringContaining("a.txt:1: the needle"), "deep/er/a.txt"]);
  });

  test("prints its answer once, and takes stdin", async () => {
    await using home = await plainHome();
    server.script("exec", [step.say("The answer.")]);

    const run = await runPi(home, ["-p", "the question"], { stdin: "piped in" });

    expect(run).toEqual({ code: 0, signal: null, stdout: "The answer.\n", stderr: "" });
    expect(server.requests("exec")[0]?.raw).toContain("piped in");
  });

  test("emits the same run as json, with characters that other readers take for line ends", async () => {
    await using home = await plainHome();
    server.script("exec", [step.drip(["one\u2028", "two\u0085", "é"], { pauseMs: 1 })]);

    const run = await runJson(home, ["go"]);

    const [first] = run.events;
    expect(first).toMatchObject({ type: "session", cwd: home.project });
    expect(textOf(lastAssistant(run.events))).toBe("one\u2028two\u0085é");
    expect(run.junk).toEqual([]);
  });

  test("shows its answer in a terminal, is interrupted by Escape, and quits", async () => {
    await using home = await plainHome();
    const held = step.gate(step.say("Never said."), { after: 1 });
    server.script("exec", [step.say("Hello from the model."), held]);
    await using tui = await startTui(home, { cols: 80, rows: 24 });

    await tui.type("hi there");
    await tui.press("Enter");
    await tui.until("Hello from the model.");
    const colored = (await tui.screenWithColors()).join("\n");
    await tui.type("again");
    await tui.press("Enter");
    await tui.until("Never said.");
    await tui.press("Escape");
    await tui.until(/aborted/i);
    await tui.resize(60, 20);
    await tui.until((lines) => lines.includes("─".repeat(60)), "an editor as wide as the terminal");
    await tui.press("C-d");
    const code = await tui.untilExit();

    expect(colored).toContain("\u001b[");
    expect(code).toBe(0);
    await server.requests("exec")[1]?.done;
    expect(server.requests("exec")[1]?.closedEarly).toBe(true);
  });

  test("leaves when its terminal is closed", async () => {
    await using home = await plainHome();
    server.script("exec", [step.stall()]);
    await using tui = await startTui(home);

    await tui.type("go");
    await tui.press("Enter");
    await server.nextRequest("exec");
    expect(tui.exitCode()).toBeUndefined();
    await tui.stop();

    expect(tui.exitCode()).toBe(129);
  });

  test("asks through an extension, and tells", async () => {
    const greeter = `export default (pi) => pi.registerCommand("greet", {
      handler: async (_, ctx) => ctx.ui.notify("Hello " + (await ctx.ui.input("Who?"))),
    });`;
    await using home = await plainHome({ project: { "greeter.ts": greeter }, extensions: ["greeter.ts"] });
    await using pi = await startRpc(home);

    const greeting = pi.prompt("/greet");
    const dialog = await pi.waitFor((event) => event.type === "extension_ui_request", "dialog");
    pi.reply(dialog, { value: "Ada" });
    await greeting;

    expect(pi.notices()).toEqual(["Hello Ada"]);
  });

  test("links a child session to its parent", async () => {
    await using home = await plainHome();
    server.script("exec", [step.say("parent"), step.say("child")]);
    await using pi = await startRpc(home);

    await pi.prompt("one");
    const parent = home.parent();
    await pi.send({ type: "new_session", parentSession: parent.path });
    await pi.prompt("two");

    expect(home.parent()).toEqual(parent);
    expect(home.children()).toMatchObject([{ header: { parentSession: parent.path } }]);
  });

  test.each([
    [true, "adv", "max"],
    [false, "exec", undefined],
  ])("obeys project settings when trust is %s", async (trusted, model, effort) => {
    await using home = await plainHome({
      trusted,
      project: { ".pi/settings.json": '{ "defaultModel": "adv" }' },
    });
    server.script(model, [step.say("ok")]);

    await runPi(home, ["--thinking", "max", "go"]);

    expect(server.requests(model)[0]?.body.reasoning_effort).toBe(effort);
    expect(server.unexpected).toEqual([]);
  });

  test("ends every wait when it is killed", async () => {
    await using home = await plainHome();
    server.script("exec", [step.stall()]);
    await using pi = await startRpc(home);

    const run = pi.prompt("go");
    await server.nextRequest("exec");
    const exit = await pi.kill("SIGKILL");

    expect(exit).toEqual({ code: null, signal: "SIGKILL" });
    await expect(run).rejects.toThrow(/end of the run of "go".*Pi left with SIGKILL/);
    await expect(pi.send({ type: "get_state" })).rejects.toThrow(/Pi left with SIGKILL/);
  });
});

describe("an in-process session", () => {
  test("runs extensions, tools and two models with scripts of their own", async () => {
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
    expect(pi.sessionManager.getSessionFile()).toContain(join(pi.home.agentDir, "sessions"));
  });
});
