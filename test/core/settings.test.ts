/** The `angel` object, read without guessing: what is right, what is wrong, what is merely unknown. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DEFAULT_SETTINGS, parseSettings, THINKING_LEVELS } from "../../src/core/settings.ts";

describe("right values", () => {
  test("Nothing, and an empty object, are the defaults.", () => {
    expect(parseSettings(undefined)).toEqual({ settings: DEFAULT_SETTINGS, problems: [], warnings: [] });
    expect(parseSettings({})).toEqual({ settings: DEFAULT_SETTINGS, problems: [], warnings: [] });
    expect(DEFAULT_SETTINGS).toEqual({ thinking: "max", pairs: [], subagentExtensions: [], companions: {} });
  });

  test("Every key is taken over as it is.", () => {
    const written = {
      model: "router/vendor/model:free",
      thinking: "low",
      pairs: [
        { executor: "openai/*", advisor: "off" },
        { executor: "*", advisor: "a/b", thinking: "high" },
      ],
      subagentExtensions: ["web", "docs"],
      companions: { budget: { daily: 5 } },
    };

    expect(parseSettings(written)).toEqual({ settings: written, problems: [], warnings: [] });
    expect(parseSettings({ subagentExtensions: "all" }).settings.subagentExtensions).toBe("all");
    expect(THINKING_LEVELS.map((thinking) => parseSettings({ thinking }).problems)).toEqual(
      THINKING_LEVELS.map(() => []),
    );
  });
});

describe("wrong values", () => {
  test.each<[string, unknown, string]>([
    ["angel", null, 'The setting "angel" is null; it must be an object.'],
    ["angel", [], 'The setting "angel" is an empty list; it must be an object.'],
    ["angel", "on", 'The setting "angel" is "on"; it must be an object.'],
    ["angel", true, 'The setting "angel" is true; it must be an object.'],
    ["angel.model", { model: 5 }, 'The setting "angel.model" is 5; it must be a model as "provider/id".'],
    ["angel.model", { model: "" }, 'is ""; it must be a model as "provider/id".'],
    ["angel.model", { model: "gpt-6" }, 'is "gpt-6"; it must be a model as "provider/id".'],
    ["angel.model", { model: "a/b c" }, 'is "a/b c"; it must be a model as "provider/id".'],
    ["angel.model", { model: null }, "is null; it must be a model"],
    ["angel.model", { model: ["a/b"] }, 'is a list (["a/b"]); it must be a model'],
    [
      "angel.thinking",
      { thinking: "ultra" },
      'is "ultra"; it must be one of off, minimal, low, medium, high, xhigh, max.',
    ],
    ["angel.thinking", { thinking: 7 }, "is 7; it must be one of"],
    ["angel.pairs", { pairs: {} }, "is an object; it must be a list of"],
    [
      "angel.pairs[1]",
      { pairs: [{ executor: "*", advisor: "off" }, "off"] },
      'is "off"; it must be an object',
    ],
    ["angel.pairs[0].executor", { pairs: [{ advisor: "a/b" }] }, "is missing; it must be a pattern"],
    [
      "angel.pairs[0].executor",
      { pairs: [{ executor: " ", advisor: "a/b" }] },
      'is " "; it must be a pattern',
    ],
    [
      "angel.pairs[0].advisor",
      { pairs: [{ executor: "*", advisor: "on" }] },
      'is "on"; it must be a model as "provider/id", or "off".',
    ],
    [
      "angel.pairs[0].thinking",
      { pairs: [{ executor: "*", advisor: "a/b", thinking: "no" }] },
      'is "no"; it must be one of',
    ],
    [
      "angel.subagentExtensions",
      { subagentExtensions: "web" },
      'is "web"; it must be "all" or a list of extension names.',
    ],
    ["angel.subagentExtensions", { subagentExtensions: "ALL" }, 'is "ALL"; it must be "all"'],
    ["angel.subagentExtensions", { subagentExtensions: [5] }, "is a list ([5]); it must be"],
    ["angel.subagentExtensions", { subagentExtensions: [""] }, 'is a list ([""]); it must be'],
    ["angel.companions", { companions: [] }, "is an empty list; it must be an object."],
  ])("%s: %j", (key, value, sentence) => {
    const { problems, settings } = parseSettings(value);

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^The setting "${key.replace(/[[\].]/g, "\\$&")}" is `));
    expect(problems[0]).toContain(sentence);
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, pairs: settings.pairs });
  });

  test("All that is wrong is named, and what was found is cut to a readable length.", () => {
    const { problems } = parseSettings({ model: "x".repeat(5000), thinking: [["deep".repeat(999)]] });

    expect(problems.map((problem) => problem.length < 200)).toEqual([true, true]);
  });

  test.each([
    [
      "an unknown key",
      { modle: "a/b" },
      'The setting "angel.modle" is unknown and has no effect; known are model,',
    ],
    [
      "an unknown key of a pair",
      { pairs: [{ executor: "*", advisor: "off", on: 1 }] },
      '"angel.pairs[0].on" is unknown',
    ],
    ["a key named __proto__", JSON.parse('{"__proto__": {"enabled": true}}'), '"angel.__proto__" is unknown'],
  ])("%s is a warning and changes nothing.", (_, value, sentence) => {
    const { problems, warnings, settings } = parseSettings(value);

    expect(problems).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining(sentence)]);
    expect(settings).not.toHaveProperty("enabled");
    expect(Object.prototype).not.toHaveProperty("enabled");
  });

  test("Whatever the value is, it is read without a throw, and what is not right becomes a sentence.", () => {
    const key = fc.constantFrom("model", "thinking", "pairs", "subagentExtensions", "companions", "other");
    const anything = fc.jsonValue();

    fc.assert(
      fc.property(fc.oneof(anything, fc.dictionary(key, anything)), (value) => {
        const { problems, warnings } = parseSettings(value);
        for (const sentence of [...problems, ...warnings]) expect(sentence).toMatch(/^The setting ".*\.$/s);
      }),
    );
  });
});
