/** The drivers of Pi, proved with a Pi that has no Angel. */

import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { HomeOptions } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import { createJsonLines } from "../support/json-lines.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { lastAssistant, ofType, textOf } from "../support/pi-event.ts";
import { runJson, runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

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

describe("a real pi", () => {
  test("Pi answers over RPC after a tool call, and its session file can be read.", async () => {
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

  test("Pi finds ripgrep and fd.", async () => {
    await using home = await plainHome({ project: { "deep/er/a.txt": "the needle" } });
    const searches = [step.call("grep", { pattern: "needle" }), step.call("find", { pattern: "**/a.txt" })];
    server.script("exec", [step.calls(searches), step.say("Both.")]);

    const run = await runJson(home, ["--tools", "grep,find", "go"]);

    const [turn] = ofType(run.events, "turn_end");
    expect(turn?.toolResults.map(textOf)).toEqual([
      expect.stringContaining("a.txt:1: the needle"),
      "deep/er/a.txt",
    ]);
  });

  test("Pi prints its answer once, and takes stdin.", async () => {
    await using home = await plainHome();
    server.script("exec", [step.say("The answer.")]);

    const run = await runPi(home, ["-p", "the question"], { stdin: "piped in" });

    expect(run).toEqual({ code: 0, signal: null, stdout: "The answer.\n", stderr: "" });
    expect(server.requests("exec")[0]?.raw).toContain("piped in");
  });

  test("Pi writes a run as JSON lines, with characters that other readers take for line ends.", async () => {
    await using home = await plainHome();
    server.script("exec", [step.drip(["one\u2028", "two\u0085", "é"], { pauseMs: 1 })]);

    const run = await runJson(home, ["go"]);

    const [first] = run.events;
    expect(first).toMatchObject({ type: "session", cwd: home.project });
    expect(textOf(lastAssistant(run.events))).toBe("one\u2028two\u0085é");
    expect(run.junk).toEqual([]);
  });

  test("Pi shows its answer in a terminal, is interrupted by Escape, and quits.", async () => {
    await using home = await plainHome();
    const held = step.gate(step.say("Never said."), { after: 1 });
    server.script("exec", [step.say("Hello from the model."), held]);
    await using tui = await startTui(home, { cols: 80, rows: 24 });

    await tui.type("Up");
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

    expect(textOf(server.requests("exec")[0]?.body.messages.at(-1))).toBe("Up");
    expect(colored).toContain("\u001b[");
    expect(code).toBe(0);
    await server.requests("exec")[1]?.done;
    expect(server.requests("exec")[1]?.closedEarly).toBe(true);
  });

  test("Pi leaves when its terminal is closed.", async () => {
    await using home = await plainHome();
    server.script("exec", [step.say("Answered.")]);
    await using tui = await startTui(home);

    await tui.type("go");
    await tui.press("Enter");
    await tui.until("Answered.");
    expect(tui.exitCode()).toBeUndefined();
    await tui.stop();

    // Pi hears of it twice, by its input and by a signal; it names the one that it heard first.
    expect([0, 129]).toContain(tui.exitCode());
  });

  test("Pi asks and tells what a further extension wants it to.", async () => {
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

  test("Sessions are found wherever they are kept, and a child is told from its parent.", async () => {
    await using home = await plainHome({ sessionDir: "kept" });
    server.script("exec", [step.say("parent"), step.say("child")]);
    await using pi = await startRpc(home, { args: ["--session-dir", home.sessionDir] });

    await pi.prompt("one");
    const parent = home.parent();
    await pi.send({ type: "new_session", parentSession: parent.path });
    await pi.prompt("two");

    expect(home.parent()).toEqual(parent);
    expect(dirname(parent.path)).toBe(home.sessionDir);
    expect(home.children()).toMatchObject([{ header: { parentSession: parent.path } }]);
  });

  test.each([
    [true, "adv", "max"],
    [false, "exec", undefined],
  ])("Pi takes project settings by the trust of the home: %s.", async (trusted, model, effort) => {
    await using home = await plainHome({
      trusted,
      project: { ".pi/settings.json": '{ "defaultModel": "adv" }' },
    });
    server.script(model, [step.say("ok")]);

    await runPi(home, ["--thinking", "max", "go"]);

    expect(server.requests(model)[0]?.body.reasoning_effort).toBe(effort);
    expect(server.unexpected).toEqual([]);
  });

  test("Every wait ends when Pi is killed.", async () => {
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

test("A JSON line that comes in two pieces is one record, and what is no object is junk.", () => {
  const records: object[] = [];
  const junk: string[] = [];
  const lines = createJsonLines((record) => records.push(record), junk);

  for (const piece of ['{"a"', ":1}\n7\n{", "\n", '{"b":2}']) lines.take(piece);
  lines.end();

  expect({ records, junk }).toEqual({ records: [{ a: 1 }, { b: 2 }], junk: ["7", "{"] });
});
