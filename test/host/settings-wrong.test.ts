/** Settings files as people really leave them: what Angel says, and that it touches nothing. */

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fauxSay } from "../support/faux-models.ts";
import type { InProcess, SessionOptions } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";

const RIGHT = '{ "angel": { "model": "adv/adv" } }';

test("A wrong setting makes Angel unusable with one sentence that names key, finding and remedy, and changes no file.", async () => {
  const told = await openWith('{ "angel": { "model": 5 } }');

  expect(told).toEqual({
    notices: [
      'error: Angel is unusable: The setting "angel.model" is 5; it must be a model as "provider/id" (global settings).',
    ],
    isOffered: false,
    isUntouched: true,
    isRepaired: true,
  });
});

test.each<[string, string, RegExp]>([
  [
    "a trailing comma",
    '{ "angel": { "model": "adv/adv" }, }',
    /global settings file \/.*settings\.json cannot be read: .*JSON/,
  ],
  ["a comment", '{ /* me */ "angel": {} }', /global settings file .* cannot be read: .*JSON/],
  ["a text instead of an object", '"x"', /global settings file .* cannot be read: /],
  [
    "deep nesting",
    `{ "angel": { "model": ${"[".repeat(1000)}${"]".repeat(1000)} } }`,
    /"angel\.model" is a list \(\[{60}…\); it must be/,
  ],
  ["null", '{ "angel": null }', /"angel" is null; it must be an object/],
  ["a list", '{ "angel": [] }', /"angel" is an empty list; it must be an object/],
  ["a word", '{ "angel": "on" }', /"angel" is "on"; it must be an object/],
  ["an empty model", '{ "angel": { "model": "" } }', /"angel\.model" is ""; it must be/],
  [
    "a model without a provider",
    '{ "angel": { "model": "adv" } }',
    /"angel\.model" is "adv"; it must be a model as "provider\/id"/,
  ],
  [
    "an invented level",
    '{ "angel": { "thinking": "ultra" } }',
    /"angel\.thinking" is "ultra"; it must be one of off/,
  ],
  [
    "a name for a list of names",
    '{ "angel": { "subagentExtensions": "web" } }',
    /"angel\.subagentExtensions" is "web"/,
  ],
  [
    "numbers for names",
    '{ "angel": { "subagentExtensions": [5] } }',
    /"angel\.subagentExtensions" is a list/,
  ],
  ["all in capitals", '{ "angel": { "subagentExtensions": "ALL" } }', /"angel\.subagentExtensions" is "ALL"/],
])("%s: one error, no tool, nothing changed, and right again after a reload.", async (_, text, sentence) => {
  const told = await openWith(text);

  expect(told).toMatchObject({ isOffered: false, isUntouched: true, isRepaired: true });
  expect(told.notices).toHaveLength(1);
  expect(told.notices[0]).toMatch(/^error: Angel is unusable: /);
  expect(told.notices[0]).toMatch(sentence);
});

test.each<[string, string]>([
  ["a byte order mark and carriage returns", '\uFEFF{\r\n "angel": {\r\n "model": "adv/adv" }\r\n}\r\n'],
  ["nothing", ""],
  ["an empty list, which Pi takes for nothing", "[]"],
  ["an empty object", '{ "angel": {} }'],
])("%s is no mistake.", async (_, text) => {
  expect(await openWith(text)).toMatchObject({ notices: [], isOffered: true, isUntouched: true });
});

test.each<[string, string, string]>([
  ["a key that does not exist", '{ "angel": { "model": "adv/adv", "modle": "x/y" } }', "angel.modle"],
  ["a prototype", '{ "angel": { "__proto__": { "enabled": true, "model": 5 } } }', "angel.__proto__"],
])("%s is a warning, and Angel works.", async (_, text, key) => {
  const { notices, isOffered, isUntouched } = await openWith(text);

  expect(notices).toEqual([
    expect.stringMatching(new RegExp(`^warning: Angel: The setting "${key}" is unknown`)),
  ]);
  expect([isOffered, isUntouched]).toEqual([true, true]);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test("A wrong value, and one that is not there, are told in one notice each, once.", async () => {
  const board = hangNoticeBoard();
  await using pi = await open('{ "angel": { "model": 5, "thinking": "ultra", "modle": 1 } }', board);

  for (const text of ["one", "two"]) await prompt(pi, text);

  expect(board.notices.map((notice) => notice.slice(0, 40))).toEqual([
    'error: Angel is unusable: The setting "a',
    'error: Angel is unusable: The setting "a',
    'warning: Angel: The setting "angel.modle',
  ]);
});

test("A lock that a killed Pi left on the settings is told as what it is, and a reload later works.", async () => {
  const board = hangNoticeBoard();
  await using pi = await startSession({
    agentFiles: { "settings.json": RIGHT, "settings.json.lock/held": "" },
    bindings: board.bindings,
  });
  const isOffered = await prompt(pi, "hello");
  const notices = [...board.notices];
  rmSync(join(pi.home.agentDir, "settings.json.lock"), { recursive: true });
  await pi.session.reload();

  expect(isOffered).toBe(false);
  expect(notices).toEqual([
    expect.stringMatching(
      /^error: Angel is unusable: The global settings file \/.*settings\.json is locked by another Pi, or by one that was killed a moment ago; \/reload in ten seconds\.$/,
    ),
  ]);
  expect(await prompt(pi, "and now?")).toBe(true);
});

/** Opens a session on these settings, prompts it, then puts the file right and reloads. */
async function openWith(text: string) {
  const board = hangNoticeBoard();
  await using pi = await open(text, board);
  const file = join(pi.home.agentDir, "settings.json");

  const isOffered = await prompt(pi, "hello");
  const notices = [...board.notices];
  const isUntouched = readFileSync(file, "utf8") === text;
  writeFileSync(file, RIGHT);
  await pi.session.reload();
  const isRepaired = (await prompt(pi, "and now?")) && board.notices.length === notices.length;
  expect(pi.extensionErrors).toEqual([]);
  return { notices, isOffered, isUntouched, isRepaired };
}

function open(text: string, { bindings }: Pick<SessionOptions, "bindings">): Promise<InProcess> {
  return startSession({ agentFiles: { "settings.json": text }, ...(bindings ? { bindings } : {}) });
}

/** Whether the executor was offered the tool. */
async function prompt(pi: InProcess, text: string): Promise<boolean> {
  pi.faux.exec.script([fauxSay("Hello.")]);
  await pi.session.prompt(text);
  return pi.session.getActiveToolNames().includes("angel");
}
