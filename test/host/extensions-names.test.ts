import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notesOf } from "../support/child-notes.ts";
import { startConsulting } from "../support/consulting.ts";
import * as step from "../support/steps.ts";

/** Brings a tool of the given name and writes down that its factory ran. */
const bringing = (tool: string) => `
import { appendFileSync } from "node:fs";
export default (pi) => {
  if (process.env.ANGEL_TEST_LOG) appendFileSync(process.env.ANGEL_TEST_LOG, "${tool}\\n");
  pi.registerTool({ name: "${tool}", label: "t", description: "d", parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "${tool} ran" }] }) });
};`;

const PACKAGE = JSON.stringify({ name: "@me/lookup", pi: { extensions: ["./src/main.js"] } });

const INSTALLED = {
  "extensions/alpha.js": bringing("alpha"),
  "extensions/beta/index.js": bringing("beta"),
  "extensions/gamma/package.json": PACKAGE,
  "extensions/gamma/src/main.js": bringing("gamma"),
  "extensions/delta.js": bringing("delta"),
  "extensions/twin/index.js": bringing("twin1"),
};

test("Extensions are selected by package, folder or file name, and a name that is unknown or ambiguous is reported by name and stops nothing.", async () => {
  const log = join(process.env.TMPDIR ?? "/tmp", `angel-factories-${process.pid}`);
  await using pi = await startConsulting({
    settings: {
      angel: {
        model: "local/adv",
        subagentExtensions: ["alpha", "beta", "@me/lookup", "nowhere", "twin"],
      },
    },
    agentFiles: INSTALLED,
    project: { ".pi/extensions/twin.js": bringing("twin2") },
    trusted: true,
  });
  pi.server.script("adv", [step.say("ADVICE")]);
  process.env.ANGEL_TEST_LOG = log;
  await pi.ask("Why?").finally(() => delete process.env.ANGEL_TEST_LOG);

  const [request] = pi.server.requests("adv");
  const [child] = pi.home.children();
  expect(pi.surprises()).toEqual([]);
  expect(request?.body.tools?.map((tool) => tool.function.name).toSorted()).toEqual([
    "alpha",
    "beta",
    "find",
    "gamma",
    "grep",
    "ls",
    "parent_session",
    "read",
  ]);
  expect(child?.entries.find((entry) => entry.type === "custom")).toMatchObject({
    customType: "angel-consultation",
    data: { extensions: ["alpha", "beta", "@me/lookup"] },
  });
  expect(notesOf(child)).toEqual([
    expect.stringMatching(/^Settings: "nowhere" in angel\.subagentExtensions is no extension/),
    expect.stringMatching(/^Settings: "twin" in angel\.subagentExtensions is the name of several extensions/),
  ]);
  expect(existsSync(log) && readFileSync(log, "utf8").split("\n").toSorted()).toEqual([
    "",
    "alpha",
    "beta",
    "gamma",
  ]);
});

test("an extension that is switched off, and one of a project that is not trusted, are not there to be selected", async () => {
  await using pi = await startConsulting({
    settings: {
      angel: { model: "local/adv", subagentExtensions: "all" },
      extensions: ["-extensions/delta.js"],
    },
    agentFiles: INSTALLED,
    project: { ".pi/extensions/omega.js": bringing("omega") },
    trusted: false,
  });
  pi.server.script("adv", [step.say("ADVICE")]);
  await pi.ask("Why?");

  const names = pi.server.requests("adv")[0]?.body.tools?.map((tool) => tool.function.name);
  expect(names).toEqual(expect.arrayContaining(["alpha", "beta", "gamma", "twin1"]));
  expect(names).not.toEqual(expect.arrayContaining(["delta"]));
  expect(names).not.toEqual(expect.arrayContaining(["omega"]));
  expect(pi.surprises()).toEqual([]);
});

test("Angel by another name is refused at its load, and the consultation goes on without it", async () => {
  const angel = join(import.meta.dirname, "../../src/index.ts");
  await using pi = await startConsulting({
    settings: { angel: { model: "local/adv", subagentExtensions: ["helper", "alpha"] } },
    // Through a variable, so that the parent, which has Angel already, does not load it twice.
    agentFiles: {
      "extensions/alpha.js": bringing("alpha"),
      "extensions/helper.js": `export default async (pi) => {
        if (process.env.ANGEL_TEST_HELPER) (await import(process.env.ANGEL_TEST_HELPER)).default(pi); };`,
    },
  });
  pi.server.script("adv", [
    step.call("parent_session", { action: "get", ids: ["nowhere"] }),
    step.call("parent_session", { action: "get", ids: ["nowhere"] }),
    step.say("ADVICE"),
  ]);
  process.env.ANGEL_TEST_HELPER = angel;
  const result = await pi.ask("Why?").finally(() => delete process.env.ANGEL_TEST_HELPER);

  const names = pi.server.requests("adv")[0]?.body.tools?.map((tool) => tool.function.name);
  expect(result.details.outcome).toBe("advised");
  expect(names).toContain("alpha");
  expect(names).not.toContain("angel");
  expect(pi.home.children()).toHaveLength(1);
  expect(notesOf(pi.home.children()[0])).toEqual([
    expect.stringMatching(/^helper was not loaded: it is Angel by another name/),
  ]);
  expect(pi.surprises()).toEqual([]);
});

test("the package.json of the project gives no name to the extensions that lie in it", async () => {
  await using pi = await startConsulting({
    settings: { angel: { model: "local/adv", subagentExtensions: ["proj", "one"] } },
    project: {
      "package.json": JSON.stringify({ name: "proj", pi: {} }),
      ".pi/extensions/one.js": bringing("one"),
      ".pi/extensions/two.js": bringing("two"),
    },
    trusted: true,
  });
  pi.server.script("adv", [step.say("ADVICE")]);
  await pi.ask("Why?");

  const names = pi.server.requests("adv")[0]?.body.tools?.map((tool) => tool.function.name);
  expect(names).toContain("one");
  expect(names).not.toContain("two");
  expect(notesOf(pi.home.children()[0])).toEqual([
    expect.stringContaining('"proj" in angel.subagentExtensions is no extension'),
  ]);
});
