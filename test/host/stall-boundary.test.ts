import { fauxAssistantMessage, fauxToolCall } from "@mariozechner/pi-ai";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import { reports } from "../support/stall.ts";

/** One failing turn, then the end of the run. */
function failOnce(pi: InProcess, n = 1): void {
  pi.faux.exec.script([fauxCall("flaky", { n }), fauxSay("stopped")]);
}

test("Human input, session start, tree navigation and reload clear remembered failures; shell commands and messages of extensions do not.", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  const goOn = () =>
    pi.session.sendCustomMessage(
      { customType: "test", content: "go on", display: false },
      { triggerTurn: true },
    );
  const boundaries: readonly (() => Promise<unknown>)[] = [
    async () => failOnce(pi),
    async () => {
      const first = pi.sessionManager
        .getEntries()
        .find((entry) => entry.type === "message" && entry.message.role === "user");
      await pi.session.navigateTree(first?.id ?? "");
      failOnce(pi);
    },
    async () => {
      await pi.session.reload();
      failOnce(pi);
    },
  ];

  // Each round fails once; what comes between the rounds makes each of them a first failure.
  failOnce(pi);
  await pi.session.prompt("first");
  for (const [round, cross] of boundaries.entries()) {
    await cross();
    if (round === 0) await pi.session.prompt("human input");
    else await goOn();
    expect(pi.home.children(), `after boundary ${round}`).toHaveLength(0);
  }

  await pi.session.executeBash("true");
  failOnce(pi);
  pi.faux.adv.script([fauxSay("ADVICE")]);
  await goOn();
  expect(pi.faux.adv.requests).toHaveLength(1);
});

test("input that an extension sends is no human input", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  failOnce(pi);
  await pi.session.prompt("first");

  failOnce(pi);
  pi.faux.adv.script([fauxSay("ADVICE")]);
  await pi.session.prompt("from an extension", { source: "extension" });

  expect(pi.faux.adv.requests).toHaveLength(1);
});

test("Pi's own file tools are excluded by provenance, and an extension's tool of the same name is not.", async () => {
  const own = async () => {
    await using pi = await startSession();
    pi.faux.exec.script([
      fauxCall("read", { path: "no" }),
      fauxCall("read", { path: "no" }),
      fauxSay("done"),
    ]);
    await pi.session.prompt("read twice");
    return pi.home.children().length;
  };
  const overridden = async () => {
    await using pi = await startSession({ factories: [flakyTool("read").extension] });
    pi.faux.exec.script([fauxCall("read", { n: 1 }), fauxCall("read", { n: 1 }), fauxSay("done")]);
    pi.faux.adv.script([fauxSay("ADVICE")]);
    await pi.session.prompt("read twice");
    return pi.home.children().length;
  };

  expect(await own()).toBe(0);
  expect(await overridden()).toBe(1);
});

test("Unknown tools, invalid arguments and calls blocked by another extension are failures of their operation.", async () => {
  const strict: InlineExtension = {
    name: "strict",
    factory: (pi) => {
      pi.registerTool({
        name: "strict",
        label: "strict",
        description: "Takes a number and is never allowed to run on 7.",
        parameters: Type.Object({ n: Type.Number() }),
        execute: async () => ({ content: [], details: undefined }),
      });
      pi.on("tool_call", ({ input }) =>
        "n" in input && input.n === 7 ? { block: true, reason: "not 7" } : undefined,
      );
    },
  };
  await using pi = await startSession({ factories: [strict] });
  const twice = (name: string, args: Record<string, string | number>) => [
    fauxCall(name, args),
    fauxCall(name, args),
  ];
  pi.faux.exec.script([
    ...twice("made_up", { a: 1 }),
    ...twice("strict", { n: "not a number" }),
    ...twice("strict", { n: 7 }),
    fauxSay("done"),
  ]);
  pi.faux.adv.script([1, 2, 3].map((n) => fauxSay(`ADVICE-${n}`)));

  await pi.session.prompt("three kinds of failure");

  expect(pi.faux.adv.requests).toHaveLength(3);
});

test("raw arguments count, not what a schema makes of them", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  pi.faux.exec.script([fauxCall("flaky", { n: "5" }), fauxCall("flaky", { n: 5 }), fauxSay("done")]);

  await pi.session.prompt("as text, then as number");

  expect(pi.home.children()).toHaveLength(0);
});

test("An aborted batch records and consults nothing, and neither does a message cut by the output limit.", async () => {
  const flaky = flakyTool();
  const stopper: InlineExtension = {
    name: "stopper",
    factory: (pi) => {
      pi.registerTool({
        name: "stop_now",
        label: "stop_now",
        description: "Aborts the run that called it.",
        parameters: Type.Object({}),
        async execute(_id, _params, _signal, _update, ctx) {
          ctx.abort();
          throw new Error("Command aborted");
        },
      });
    },
  };
  await using pi = await startSession({ factories: [flaky.extension, stopper] });
  const goOn = () =>
    pi.session.sendCustomMessage(
      { customType: "test", content: "go on", display: false },
      { triggerTurn: true },
    );
  const batch = [fauxToolCall("flaky", { n: 1 }), fauxToolCall("stop_now", {})];
  const cut = fauxAssistantMessage(fauxToolCall("flaky", { n: 1 }), { stopReason: "length" });

  pi.faux.exec.script([fauxAssistantMessage(batch, { stopReason: "toolUse" })]);
  await pi.session.prompt("aborted");
  pi.faux.exec.script([cut, cut, fauxSay("cut twice")]);
  await goOn();
  failOnce(pi);
  await goOn();

  expect(pi.home.children()).toHaveLength(0);
});

test("A failed or refused angel call never leads to an automatic consultation, nor does a failure in a child.", async () => {
  await using pi = await startSession();
  const refused = fauxAssistantMessage("", { stopReason: "error", errorMessage: "400 bad request" });
  pi.faux.exec.script([
    fauxCall("angel", { question: "why?" }),
    fauxCall("angel", { question: "why?" }),
    fauxCall("angel", { question: " " }),
    fauxCall("angel", { question: " " }),
    fauxSay("done"),
  ]);
  // The second advisor reads a missing file twice before its provider fails as well.
  pi.faux.adv.script([refused, fauxCall("read", { path: "no" }), fauxCall("read", { path: "no" }), refused]);

  await pi.session.prompt("ask in vain");

  expect(pi.faux.adv.requests).toHaveLength(4);
  expect(pi.faux.adv.pending()).toBe(0);
  expect(pi.home.children()).toHaveLength(2);
});

test("Nothing is remembered while Angel is unusable.", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({
    factories: [flaky.extension],
    settings: { angel: { model: "nobody/nothing" } },
  });
  pi.faux.exec.script([fauxCall("flaky", { n: 1 }), fauxCall("flaky", { n: 1 }), fauxSay("done")]);

  await pi.session.prompt("fail twice");

  expect(reports(pi.sessionManager)).toEqual([]);
  expect(pi.faux.exec.requests).toHaveLength(3);
});

test("A session of successes never subscribes to the end of turns.", async () => {
  const flaky = flakyTool();
  flaky.outcomes.push("ok", "fail", "ok");
  await using pi = await startSession({ factories: [flaky.extension] });
  const listens = () => pi.session.hasExtensionHandlers("turn_end");
  const seen: boolean[] = [listens()];
  pi.session.subscribe((event) => {
    if (event.type === "message_end" && event.message.role === "assistant") seen.push(listens());
  });
  pi.faux.exec.script([1, 2, 3].map(() => fauxCall("flaky", { n: 1 })));
  pi.faux.exec.script([fauxSay("done")]);

  await pi.session.prompt("work, fail, work");

  expect(seen).toEqual([false, false, false, true, false]);
});
