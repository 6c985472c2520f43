import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { textOf } from "../support/pi-event.ts";
import { runPi } from "../support/print.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";

const FIXTURES = join(ANGEL_FOLDER, "fixtures/extensions");

test("A selected extension brings its tools and their words into the child, and is started and shut down once for each child, whatever the outcome.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", subagentExtensions: ["web", "flaky.ts"] } },
    agentFiles: { "extensions/README": "" },
  });
  for (const file of ["web.js", "flaky.ts"])
    cpSync(join(FIXTURES, file), join(home.agentDir, "extensions", file));
  server.script("exec", [
    step.call("angel", { question: "One?" }),
    step.call("angel", { question: "Two?" }),
    step.say("Noted."),
  ]);
  server.script("adv", [step.call("web", { query: "QUERY-1" }), step.say("ADVICE-1"), step.status(401)]);

  const run = await runPi(home, ["-p", "go on"]);

  const [first, second] = server.requests("adv");
  expect(run).toMatchObject({ code: 0, stdout: "Noted.\n", stderr: "" });
  expect(first?.body.tools?.map((tool) => tool.function.name).toSorted()).toEqual([
    "find",
    "flaky",
    "grep",
    "ls",
    "parent_session",
    "read",
    "web",
  ]);
  expect(first?.raw).toContain("Look something up in the web");
  expect(first?.raw).toContain("web: quote what you looked up");
  expect(textOf(second?.body.messages.at(-1))).toBe("found QUERY-1");
  expect(webLog(home)).toEqual([
    "start of the parent's",
    "start of a child's",
    "end of a child's",
    "start of a child's",
    "end of a child's",
    "end of the parent's",
  ]);
});

test("A cancelled consultation shuts its extensions down too, and Pi lives on.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", subagentExtensions: "all" } },
    agentFiles: { "extensions/README": "" },
  });
  cpSync(join(FIXTURES, "web.js"), join(home.agentDir, "extensions/web.js"));
  await using pi = await startRpc(home);
  server.script("exec", [step.call("angel", { question: "One?" })]);
  server.script("adv", [step.stall({ after: "HALF" })]);
  void pi.send({ type: "prompt", message: "go on" });
  const asked = await server.nextRequest("adv");
  await pi.send({ type: "abort" });
  await asked.done;
  server.script("exec", [step.say("Still here.")]);
  await pi.prompt("hello");

  expect(webLog(home)).toEqual(["start of the parent's", "start of a child's", "end of a child's"]);
});

test("A timer that an extension forgets in a child neither ends Pi nor holds it up.", async () => {
  // Each looks at one thing again and again, long after the child is closed.
  const looks = [
    ...[
      "ctx.cwd",
      "ctx.hasUI",
      "ctx.model.id",
      "ctx.isIdle()",
      "ctx.getContextUsage()",
      "ctx.signal",
      "ctx.hasPendingMessages()",
    ],
    ...[
      'ctx.ui.setStatus("beat", "x")',
      "ctx.sessionManager.getEntries().length",
      "({ ...ctx }).cwd.length",
      "ctx.compact()",
    ],
    ...[
      "pi.getActiveTools().length",
      "pi.getSessionName()",
      'pi.events.emit("x", 1)',
      'pi.sendUserMessage("STRAY")',
    ],
    ...[
      'pi.sendMessage({ customType: "x", content: "STRAY", display: true }, { triggerTurn: true })',
      'pi.appendEntry("STRAY", {})',
    ],
    'pi.exec("true", []).then(({ code }) => code)',
  ];
  const forgetful = `export default (pi) => {
    pi.on("session_start", (_event, ctx) => {
      if (ctx.hasUI) return;
      ${looks.map((look) => `setInterval(() => { if (++globalThis.angelTestBeats) ${look}; }, 20);`).join("\n")}
    });
    globalThis.angelTestBeats ??= 1;
  };`;
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", subagentExtensions: ["forgetful"] } },
    agentFiles: { "extensions/forgetful.js": forgetful },
  });
  await using pi = await startRpc(home);
  for (const round of ["1", "2"]) {
    server.script("exec", [step.call("angel", { question: `${round}?` }), step.say(`SAID-${round}`)]);
    server.script("adv", [step.say("ADVICE")]);
    await pi.prompt("go on");
  }
  server.script("exec", [step.say("SAID-3")]);
  await pi.prompt("once more");
  const { code } = await pi.stop();

  expect(JSON.stringify(home.parent().entries)).toMatch(/SAID-1.*SAID-2.*SAID-3/);
  expect(home.children()).toHaveLength(2);
  expect(server.requests("adv")).toHaveLength(2);
  expect(server.unexpected).toEqual([]);
  expect(code).toBe(0);
});

test("a dialog of a child reaches no client over RPC", async () => {
  const asking = `export default (pi) => {
    pi.registerTool({ name: "asking", label: "t", description: "d", parameters: { type: "object", properties: {} },
      execute: async (_id, _args, _signal, _update, ctx) => {
        ctx.ui.notify("NOTE"); ctx.ui.setWidget("w", ["NOTE"]);
        const answers = [ctx.hasUI, await ctx.ui.confirm("C", "m"), await ctx.ui.select("S", ["a"])];
        return { content: [{ type: "text", text: JSON.stringify(answers) }] }; } }); };`;
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", subagentExtensions: ["asking"] } },
    agentFiles: { "extensions/asking.js": asking },
  });
  await using pi = await startRpc(home);
  server.script("exec", [step.call("angel", { question: "One?" }), step.say("Noted.")]);
  server.script("adv", [step.call("asking", {}), step.say("ADVICE")]);
  await pi.prompt("go on");

  const asked = pi.events.filter((event) => event.type === "extension_ui_request");
  expect(textOf(server.requests("adv")[1]?.body.messages.at(-1))).toBe("[false,false,null]");
  expect(
    asked.filter((event) => JSON.stringify(event).includes("NOTE") || event.method === "confirm"),
  ).toEqual([]);
});

test("a change of a selected extension reaches the children after /reload, as it reaches the parent", async () => {
  const bringing = (name: string) => `export default (pi: object) => {
    pi.registerTool({ name: "${name}", label: "t", description: "d", parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [] }) });
    pi.registerCommand("reload-now", { description: "Reloads", handler: (_, ctx) => ctx.reload() });
  };`;
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    settings: { angel: { model: "local/adv", subagentExtensions: ["own"] } },
    agentFiles: { "extensions/own.ts": bringing("older") },
  });
  await using pi = await startRpc(home);
  const consult = async () => {
    server.script("exec", [step.call("angel", { question: "One?" }), step.say("Noted.")]);
    server.script("adv", [step.say("ADVICE")]);
    await pi.prompt("go on");
    return server
      .requests("adv")
      .at(-1)
      ?.body.tools?.map((tool) => tool.function.name);
  };
  const first = await consult();
  writeFileSync(join(home.agentDir, "extensions/own.ts"), bringing("newer"));
  const second = await consult();
  await pi.prompt("/reload-now");
  const third = await consult();

  expect([first, second, third].map((names) => names?.filter((name) => /er$/.test(name)))).toEqual([
    ["older"],
    ["older"],
    ["newer"],
  ]);
});

/** The parent's instance is the first that writes; those of children are modules of their own. */
function webLog(home: Home): string[] {
  const lines = readFileSync(join(home.project, "web.log"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [word, instance] = line.split(" ");
    return `${word} of ${instance === lines[0]?.split(" ")[1] ? "the parent's" : "a child's"}`;
  });
}
