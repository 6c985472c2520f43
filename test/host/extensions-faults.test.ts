/** Extensions in a child that throw, or never return. */

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, test } from "vitest";
import { within } from "../../src/advisor/child-extensions/stay.ts";
import { notesOf } from "../support/child-notes.ts";
import { angelCall, startConsulting } from "../support/consulting.ts";
import * as step from "../support/steps.ts";

/** Only the child's instances misbehave; the parent's are the test's own trouble otherwise. */
const inChild = (code: string) =>
  `export default (pi) => { if (globalThis.angelTestChild === true) { ${code} } };`;

const GOOD = inChild(`
  globalThis.angelTestLog = [];
  pi.on("session_start", () => { globalThis.angelTestLog.push("start"); });
  pi.on("session_shutdown", () => { globalThis.angelTestLog.push("end"); });`);

const NEVER = "await new Promise(() => {});";

afterEach(() => {
  for (const name of ["angelTestChild", "angelTestLog", "angelTestStuck"])
    Reflect.deleteProperty(globalThis, name);
});

async function misbehaving(files: Readonly<Record<string, string>>) {
  const pi = await startConsulting({
    settings: { angel: { model: "local/adv", subagentExtensions: "all" } },
    agentFiles: files,
  });
  Reflect.set(globalThis, "angelTestChild", true);
  return pi;
}

const log = (): unknown => Reflect.get(globalThis, "angelTestLog");

test("An extension that throws at its load, its start or anywhere else costs a note and no consultation.", async () => {
  await using pi = await misbehaving({
    "extensions/a-load.js": inChild('throw new Error("LOAD-FAULT");'),
    "extensions/b-start.js": inChild('pi.on("session_start", () => { throw new Error("START-FAULT"); });'),
    "extensions/c-turn.js": inChild('pi.on("turn_start", () => { throw new Error("TURN-FAULT"); });'),
    "extensions/d-end.js": inChild('pi.on("session_shutdown", () => { throw new Error("END-FAULT"); });'),
    "extensions/z-good.js": GOOD,
  });
  pi.server.script("adv", [step.say("ADVICE")]);
  const result = await pi.ask("Why?");

  expect(result.details.outcome).toBe("advised");
  expect(notesOf(pi.home.children()[0])).toEqual([
    "a-load was not loaded: LOAD-FAULT.",
    "b-start failed at session_start: START-FAULT.",
    "c-turn failed at turn_start: TURN-FAULT.",
    "d-end failed at session_shutdown: END-FAULT.",
  ]);
  expect(log()).toEqual(["start", "end"]);
  expect(pi.surprises()).toEqual([]);
});

test("An extension whose start, end of a run or shutdown never returns holds a consultation up no longer than a limit, and every other one is started and shut down in pairs.", async () => {
  await using pi = await misbehaving({
    "extensions/a-start.js": inChild(`pi.on("session_start", async () => { ${NEVER} });`),
    "extensions/b-run.js": inChild(`pi.on("agent_end", async () => { ${NEVER} });`),
    "extensions/c-end.js": inChild(`pi.on("session_shutdown", async () => { ${NEVER} });`),
    "extensions/z-good.js": GOOD,
  });
  pi.server.script("adv", [step.say("ADVICE")]);
  const result = await pi.ask("Why?");

  expect(result.content).toMatchObject([{ text: "ADVICE" }]);
  expect(notesOf(pi.home.children()[0])).toEqual([
    "a-start failed at session_start: it was not done within 5 s.",
    "b-run failed at agent_end: it was not done within 3 s.",
    "c-end failed at session_shutdown: it was not done within 1 s.",
  ]);
  expect(log()).toEqual(["start", "end"]);
});

test.for(["load", "start", "context"] as const)(
  "a cancellation frees the executor while an extension never returns from its %s",
  async (place) => {
    await using pi = await misbehaving({
      "extensions/a-stuck.js": `export default async (pi) => {
        if (globalThis.angelTestChild !== true) return;
        const stuck = async () => { globalThis.angelTestStuck(); ${NEVER} };
        ${place === "load" ? "await stuck();" : `pi.on("${place === "start" ? "session_start" : "context"}", stuck);`} };`,
      "extensions/z-good.js": GOOD.replace(
        "globalThis.angelTestLog = [];",
        'globalThis.angelTestLog = ["load"];',
      ),
    });
    Reflect.set(globalThis, "angelTestLog", []);
    const stuck = Promise.withResolvers<void>();
    Reflect.set(globalThis, "angelTestStuck", stuck.resolve);
    pi.faux.exec.script([angelCall("Why?")]);
    const run = pi.session.prompt("go on");
    await stuck.promise;
    await pi.session.abort();
    await run;

    expect(pi.results().at(-1)).toMatchObject({ isError: true, details: { outcome: "cancelled" } });
    expect(pi.server.requests("adv")).toEqual([]);
    // A module that was still being loaded would run its factory behind this.
    await import(pathToFileURL(join(pi.home.agentDir, "extensions/z-good.js")).href);
    await new Promise((later) => setImmediate(later));
    // What a factory opens, only its shutdown closes; and a start that never came is not followed by an end.
    const after = { load: [], start: ["load"], context: ["load", "start", "end"] };
    expect(log()).toEqual(after[place]);
  },
);

test("What an extension throws or hands over in a form that nothing can read loses no advice, no usage and no shutdown of another.", async () => {
  await using pi = await misbehaving({
    "extensions/a-start.js": inChild('pi.on("session_start", () => { throw Object.create(null); });'),
    "extensions/b-paths.js": inChild('pi.on("resources_discover", () => ({ skillPaths: [42] }));'),
    "extensions/c-end.js": inChild('pi.on("session_shutdown", () => { throw Object.create(null); });'),
    "extensions/z-good.js": GOOD,
  });
  pi.server.script("adv", [step.say("ADVICE")]);
  const result = await pi.ask("Why?");

  expect(result).toMatchObject({ content: [{ text: "ADVICE" }], details: { usage: { state: "known" } } });
  expect(notesOf(pi.home.children()[0])).toEqual([
    "a-start failed at session_start: it threw no error.",
    expect.stringMatching(/^What the extensions add could not be taken over as a whole: /),
    "c-end failed at session_shutdown: it threw no error.",
  ]);
  expect(log()).toEqual(["start", "end"]);
});

test("Shutdowns that never return take a second together, and each is tried.", async () => {
  const names = ["a", "b", "c"];
  const stuck = inChild(`pi.on("session_shutdown", async () => { ${NEVER} });`);
  await using pi = await misbehaving({
    ...Object.fromEntries(names.map((name) => [`extensions/${name}.js`, stuck])),
    "extensions/z-good.js": GOOD,
  });
  pi.server.script("adv", [step.say("ADVICE")]);
  await pi.ask("Why?");

  expect(notesOf(pi.home.children()[0])).toEqual([
    "a failed at session_shutdown: it was not done within 1 s.",
    "b failed at session_shutdown: it was not done within 0.1 s.",
    "c failed at session_shutdown: it was not done within 0.1 s.",
  ]);
  expect(log()).toEqual(["start", "end"]);
});

test("A tool of an extension that is silent for longer than any limit of Angel's is waited for.", async () => {
  await using pi = await misbehaving({
    "extensions/slow.js": inChild(`pi.registerTool({ name: "slow", label: "t", description: "d",
      parameters: { type: "object", properties: {} },
      execute: () => new Promise((done) => setTimeout(() => done({ content: [{ type: "text", text: "42" }] }), 5500)) });`),
  });
  pi.server.script("adv", [step.call("slow", {}), step.say("The answer is 42.")]);
  const result = await pi.ask("Why?");

  expect(result).toMatchObject({ content: [{ text: "The answer is 42." }], details: { outcome: "advised" } });
  expect(notesOf(pi.home.children()[0])).toEqual([]);
});

test("what is done in time is done, and what is not ends with the limit or the signal, whichever comes first", async () => {
  const never = new Promise<never>(() => {});
  const stopped = AbortSignal.abort();

  expect(await within(Promise.resolve("done"), 1000)).toBe("done");
  await expect(within(never, 100)).rejects.toThrow("it was not done within 0.1 s");
  await expect(within(never, 100_000, stopped)).rejects.toThrow("the consultation was stopped");
});
