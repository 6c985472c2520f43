/** The executor's tool list, which belongs to the user, to Pi and to other extensions before it belongs to Angel. */

import type { ExtensionAPI, InlineExtension } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { fauxSay } from "../support/faux-models.ts";
import type { InProcess, SessionOptions } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";

const USUAL = ["read", "bash", "edit", "write"];
const OFF_FOR_ADV = { angel: { model: "adv/adv", pairs: [{ executor: "adv/*", advisor: "off" }] } };

test("A tool list of the user's own never gains angel, and a withdrawn tool comes back when Angel is usable again.", async () => {
  const usual = await listsIn({});
  const chosen = await listsIn({ tools: ["read", "ls"] });

  expect(usual).toEqual([[...USUAL, "angel"], USUAL, [...USUAL, "angel"]]);
  expect(chosen).toEqual([
    ["read", "ls"],
    ["read", "ls"],
    ["read", "ls"],
  ]);
});

test("A tool that another extension took away stays away, and others are never touched.", async () => {
  const { extension, api } = capture();
  await using pi = await open({ factories: [extension] });

  (await api).setActiveTools(["read", "grep"]);
  const planning = await lists(pi);
  (await api).setActiveTools(["read", "grep", "angel"]);
  const given = await lists(pi);

  expect(planning).toEqual([
    ["read", "grep"],
    ["read", "grep"],
    ["read", "grep"],
  ]);
  expect(given).toEqual([
    ["read", "grep", "angel"],
    ["read", "grep"],
    ["read", "grep", "angel"],
  ]);
});

async function listsIn(options: SessionOptions): Promise<string[][]> {
  await using pi = await open(options);
  return await lists(pi);
}

function open(options: SessionOptions): Promise<InProcess> {
  return startSession({ settings: OFF_FOR_ADV, ...options });
}

/** While Angel is usable, while it is not, and when it is usable again. */
async function lists(pi: InProcess): Promise<string[][]> {
  return [await toolsBy(pi, "exec"), await toolsBy(pi, "adv"), await toolsBy(pi, "exec")];
}

/** The tools that a model is offered in a prompt of its own; Angel is off for "adv". */
async function toolsBy(pi: InProcess, name: "exec" | "adv"): Promise<string[]> {
  const model = pi.faux[name];
  let tools: string[] = [];
  await pi.session.setModel(model.handle.getModel());
  model.script([
    () => {
      tools = pi.session.getActiveToolNames();
      return fauxSay("Hello.");
    },
  ]);
  await pi.session.prompt("hello");
  return tools;
}

function capture(): { extension: InlineExtension; api: Promise<ExtensionAPI> } {
  const { promise, resolve } = Promise.withResolvers<ExtensionAPI>();
  return { extension: { name: "captured", factory: resolve }, api: promise };
}
