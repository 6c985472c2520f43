import { join } from "node:path";
import { expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { runJson, runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import { call, gate, say } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");

function stallHome(server: ModelServer): Promise<Home> {
  return makeHome({ server, extensions: [FLAKY] });
}

function scriptStall(server: ModelServer): void {
  server.script("exec", [call("flaky", { n: 1 }), call("flaky", { n: 1 })]);
}

test("Advice of an automatic consultation reaches json and RPC clients as one message.", async () => {
  await using server = await startModelServer();
  await using home = await stallHome(server);
  const adviceIn = (events: readonly object[]) =>
    events.filter(
      (event) =>
        Reflect.get(event, "type") === "message_end" &&
        Reflect.get(Reflect.get(event, "message"), "customType") === "angel-advice",
    );

  scriptStall(server);
  server.script("exec", [say("done")]);
  server.script("adv", [say("ADVICE-JSON")]);
  const json = await runJson(home, ["make it work"]);
  scriptStall(server);
  server.script("exec", [say("done")]);
  server.script("adv", [say("ADVICE-RPC")]);
  await using pi = await startRpc(home);
  await pi.prompt("make it work");

  expect(json.junk).toEqual([]);
  expect(adviceIn(json.events)).toHaveLength(1);
  expect(adviceIn(pi.events)).toHaveLength(1);
  expect(server.requests("exec")[2]?.raw.split("ADVICE-JSON")).toHaveLength(2);
  expect(server.requests("exec")[5]?.raw.split("ADVICE-RPC")).toHaveLength(2);
  expect(server.violations).toEqual([]);
  expect(server.unexpected).toEqual([]);
});

test("print mode consults before the next request and exits by itself", async () => {
  await using server = await startModelServer();
  await using home = await stallHome(server);
  scriptStall(server);
  server.script("exec", [say("FINAL")]);
  server.script("adv", [say("ADVICE")]);

  const run = await runPi(home, ["-p", "make it work"]);

  expect(run).toMatchObject({ code: 0, stdout: "FINAL\n" });
  expect(server.requests("exec")[2]?.raw).toContain("ADVICE");
});

test("an RPC abort during an automatic consultation closes its connection and asks the executor no more", async () => {
  await using server = await startModelServer();
  await using home = await stallHome(server);
  scriptStall(server);
  server.script("adv", [gate(say("TOO-LATE"), { after: 0 })]);
  await using pi = await startRpc(home);

  const run = pi.prompt("make it work");
  const asked = await server.nextRequest("adv");
  await pi.send({ type: "abort" });
  await run;
  await asked.done;

  expect(asked.closedEarly).toBe(true);
  expect(server.requests("exec")).toHaveLength(2);
  expect(JSON.stringify(home.parent().entries)).not.toContain("TOO-LATE");
});

test("Esc during an automatic consultation stops it and the run, and leaves no half result.", async () => {
  await using server = await startModelServer();
  await using home = await stallHome(server);
  scriptStall(server);
  server.script("adv", [gate(say("HALF OF AN ANSWER"), { after: 1 })]);
  await using pi = await startTui(home, { cols: 80, rows: 24 });

  await pi.type("make it work");
  await pi.press("Enter");
  await pi.until("Angel · flaky failed again");
  const asked = await server.nextRequest("adv");
  await pi.press("Escape");
  await asked.done;
  // Pi 1.5.0 says it in other words.
  await pi.until((lines) => /operation (was )?aborted/i.test(lines.join("\n")), "the end of the run");
  // What is entered before the run has ended would be queued for it.
  const screen = await pi.until((lines) => !lines.some((line) => line.includes("Working")), "an idle Pi");

  expect(asked.closedEarly).toBe(true);
  expect(screen.join("\n")).not.toContain("HALF OF AN ANSWER");
  expect(screen.join("\n")).not.toContain("only Angel");
  expect(server.requests("exec")).toHaveLength(2);
  server.script("exec", [say("still here")]);
  await pi.type("go on");
  await pi.press("Enter");
  await pi.until("still here");
  expect(server.requests("exec")[2]?.raw).not.toContain("HALF");
  expect(server.violations).toEqual([]);
});

test("the terminal shows the advice of an automatic consultation once, and the widget is gone", async () => {
  await using server = await startModelServer();
  await using home = await stallHome(server);
  scriptStall(server);
  server.script("exec", [say("all done")]);
  server.script("adv", [say("Look at **UNIQ-7f3** first.")]);
  await using pi = await startTui(home, { cols: 80, rows: 40 });

  await pi.type("make it work");
  await pi.press("Enter");
  const screen = (await pi.until("all done")).join("\n");

  expect(screen.split("UNIQ-7f3")).toHaveLength(2);
  expect(screen).not.toContain("only Angel");
  expect(screen).toContain("Angel · flaky failed again");
});
