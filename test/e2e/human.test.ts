import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { runJson, runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import { call, gate, say, stall, status } from "../support/steps.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");

test("A question of the user is answered at once when idle, starts no request, and is in the next one once with its preface.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [say("hello"), say("thanks taken")]);
  server.script("adv", [say("ADVICE-7f3")]);
  await using pi = await startRpc(home);
  await pi.prompt("hi");

  await pi.prompt("/angel Is the plan sound?");
  const requestsAfterAdvice = server.requests("exec").length;
  await pi.prompt("thanks");

  expect(requestsAfterAdvice).toBe(1);
  const next = server.requests("exec")[1];
  expect(next?.raw.split("ADVICE-7f3")).toHaveLength(2);
  expect(next?.raw).toContain("was asked by the user:\\n\\nIs the plan sound?");
  expect(home.children()[0]?.entries[0]).toMatchObject({
    customType: "angel-consultation",
    data: { origin: "human", question: "Is the plan sound?", toolCallIds: [] },
  });
});

test("A question asked while the executor works waits for the end of the turn, says so, and joins the same run's next request.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  const held = gate(call("ls", {}));
  server.script("exec", [held, say("done")]);
  server.script("adv", [say("ADVICE-7f3")]);
  await using pi = await startRpc(home);

  const run = pi.prompt("work");
  await server.nextRequest("exec");
  const asked = pi.send({ type: "prompt", message: "/angel Is this right?" });
  await pi.waitFor((event) => JSON.stringify(event).includes("waits for the end of this turn"), "the wait");
  const askedTooEarly = server.requests("adv").length;
  held.open();
  await Promise.all([run, asked]);

  expect(askedTooEarly).toBe(0);
  expect(server.requests("exec")).toHaveLength(2);
  expect(server.requests("exec")[1]?.raw.split("ADVICE-7f3")).toHaveLength(2);
  expect(server.violations).toEqual([]);
});

test("a question asked during the last turn is answered at its end and causes no request", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  const last = gate(say("finished"));
  server.script("exec", [last]);
  server.script("adv", [say("ADVICE-7f3")]);
  await using pi = await startRpc(home);

  const run = pi.prompt("work");
  await server.nextRequest("exec");
  const asked = pi.send({ type: "prompt", message: "/angel Is this right?" });
  await pi.waitFor((event) => JSON.stringify(event).includes("waits for the end of this turn"), "the wait");
  last.open();
  await Promise.all([run, asked]);

  expect(server.requests("exec")).toHaveLength(1);
  expect(JSON.stringify(home.parent().entries)).toContain("ADVICE-7f3");
  expect(server.unexpected).toEqual([]);
});

test("Several questions wait their turn and are answered one after the other.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  const first = gate(say("ADVICE-1"));
  server.script("exec", [say("hello")]);
  server.script("adv", [first, say("ADVICE-2")]);
  await using pi = await startRpc(home);
  await pi.prompt("hi");

  const one = pi.send({ type: "prompt", message: "/angel One?" });
  await server.nextRequest("adv", 1);
  const two = pi.send({ type: "prompt", message: "/angel Two?" });
  await pi.waitFor(
    (event) => JSON.stringify(event).includes("waits for the consultation before it"),
    "the wait",
  );
  await pi.prompt("/angel status");
  const whileOneRuns = server.requests("adv").length;
  first.open();
  await Promise.all([one, two]);

  expect(whileOneRuns).toBe(1);
  expect(pi.notices().join("\n")).toMatch(/Runs: your question \(One\?\).*\nWaits: your question \(Two\?\)/);
  const advice = home.parent().entries.filter((entry) => JSON.stringify(entry).includes('"angel-advice"'));
  expect(advice.map((entry) => JSON.stringify(entry).match(/ADVICE-\d/)?.[0])).toEqual([
    "ADVICE-1",
    "ADVICE-2",
  ]);
});

test("/angel cancel stops what runs and what waits, says what it stopped, and leaves the control as it is.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [say("hello")]);
  server.script("adv", [stall({ after: "HALF" }), say("ADVICE-3")]);
  await using pi = await startRpc(home);
  await pi.prompt("hi");
  await pi.prompt("/angel cancel");

  const one = pi.send({ type: "prompt", message: "/angel One?" });
  const request = await server.nextRequest("adv", 1);
  const two = pi.send({ type: "prompt", message: "/angel Two?" });
  await pi.waitFor(
    (event) => JSON.stringify(event).includes("waits for the consultation before it"),
    "the wait",
  );
  await pi.prompt("/angel cancel");
  await Promise.all([one, two, request.done]);
  await pi.prompt("/angel cancel the migration?");

  expect(request.closedEarly).toBe(true);
  expect(server.requests("adv")).toHaveLength(2);
  const [nothing, ...after] = pi.notices();
  expect(nothing).toBe("No consultation runs or waits. Angel stays on.");
  expect(after.join("\n")).toContain(
    "Cancelled: your question (One?); your question (Two?). Angel stays on.",
  );
  const text = JSON.stringify(home.parent().entries);
  expect(text).not.toContain("HALF");
  expect(text.split('"outcome":"cancelled"')).toHaveLength(3);
  expect(text).toContain("ADVICE-3");
});

test("Switched off, the tool is withdrawn and nothing starts by itself, and a question is still answered.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, extensions: [FLAKY] });
  server.script("exec", [say("hello"), call("flaky", {}), call("flaky", {}), say("no help"), say("again")]);
  server.script("adv", [say("ADVICE-7f3")]);
  await using pi = await startRpc(home);
  await pi.prompt("hi");

  await pi.prompt("/angel off");
  await pi.prompt("fail twice");
  const consultedWhileOff = server.requests("adv").length;
  await pi.prompt("/angel Why?");
  await pi.prompt("/angel on");
  await pi.prompt("go on");

  const hasTool = (n: number) => server.requests("exec")[n]?.raw.includes('"name":"angel"');
  expect(consultedWhileOff).toBe(0);
  expect([hasTool(0), hasTool(1), hasTool(3), hasTool(4)]).toEqual([true, false, false, true]);
  expect(server.requests("exec")[4]?.raw).toContain("ADVICE-7f3");
  expect(pi.notices()).toEqual([
    expect.stringMatching(/^Angel is off for this session: .*\/angel <question> still works\.$/),
    expect.stringMatching(/^Angel is on for this session: /),
  ]);
});

test("Print mode prints the advice on standard output and exits with 0; a failure goes to standard error and exits with 1.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  const long = `START ${"x".repeat(1_000_000)} END`;
  server.script("adv", [say(long), status(401)]);

  const good = await runPi(home, ["-p", "/angel Is it so?"]);
  const bad = await runPi(home, ["-p", "/angel Is it so?"]);

  expect(good.code).toBe(0);
  expect(good.stdout).toBe(`${long}\n`);
  expect(good.stderr).toBe("");
  expect(bad.code).toBe(1);
  expect(bad.stdout).toBe("");
  expect(bad.stderr).toContain("401");
  expect(server.requests("exec")).toHaveLength(0);
});

test("json mode carries the advice in one message and nothing but records", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("adv", [say("ADVICE-7f3")]);

  const run = await runJson(home, ["/angel Is it so?"]);

  expect(run).toMatchObject({ code: 0, junk: [] });
  expect(run.events.filter((event) => event.type === "message_end")).toMatchObject([
    { message: { role: "custom", customType: "angel-advice" } },
  ]);
});

test("A session that holds nothing but a question is not saved, and the report says where the advice is kept.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("adv", [say("ADVICE-7f3")]);
  await using pi = await startRpc(home);

  await pi.prompt("/angel Is it so?");

  const report = pi.events.find(
    (event) => event.type === "entry_appended" && JSON.stringify(event).includes("angel-report"),
  );
  const [child] = home.sessions();
  expect(JSON.stringify(report)).toContain(child?.path);
  expect(existsSync(child?.header.parentSession ?? "")).toBe(false);
});
