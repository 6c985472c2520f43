/** Which pair an executor meets. */

import { expect, test } from "vitest";
import { chooseAdvisor } from "../../src/core/pairing.ts";
import { fitsPattern } from "../../src/core/pattern.ts";
import type { AngelSettings, Pair } from "../../src/core/settings.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";

test.each([
  ["openai/gpt-6", "openai/gpt-6", true],
  ["openai/*", "openai/gpt-6", true],
  ["openai/*", "router/openai/gpt-6", false],
  ["*/gpt-6", "router/openai/gpt-6", true],
  ["router/*", "router/openai/gpt-6:free", true],
  ["*", "router/openai/gpt-6", true],
  ["OpenAI/GPT*", "openai/gpt-6", true],
  ["openai/gpt-?", "openai/gpt-6", true],
  ["{openai,azure}/*", "azure/gpt-6", true],
  ["openai", "openai/gpt-6", false],
  ["*gpt", "openai/gpt-6", false],
  ["openai/.hidden", "openai/.hidden", true],
  ["*", "openai/.hidden", true],
  ["openai/[", "openai/gpt-6", false],
])("The pattern %s on %s: %s.", (executor, name, isMatch) => {
  const settings = withPairs({ executor, advisor: "a/b" });

  expect(chooseAdvisor(settings, name, fitsPattern)).toMatchObject({
    model: isMatch ? "a/b" : "general/model",
  });
});

test("A companion's wish goes before pair and settings, key by key, and not before an off.", () => {
  const wish = { model: "c/d" };

  expect(
    chooseAdvisor(withPairs({ executor: "x/*", advisor: "a/b", thinking: "low" }), "x/y", fitsPattern, wish),
  ).toEqual({
    kind: "advisor",
    model: "c/d",
    thinking: "low",
    setting: "a companion",
  });
  expect(chooseAdvisor(withPairs(), "x/y", fitsPattern, { thinking: "off" })).toMatchObject({
    model: "general/model",
    thinking: "off",
    setting: "angel.model",
  });
  expect(chooseAdvisor(withPairs({ executor: "x/*", advisor: "off" }), "x/y", fitsPattern, wish).kind).toBe(
    "off",
  );
});

test("The first pair that fits decides, however well a later one fits.", () => {
  const settings = withPairs(
    { executor: "other/*", advisor: "wrong/one" },
    { executor: "openai/*", advisor: "first/one", thinking: "low" },
    { executor: "openai/gpt-6", advisor: "off" },
  );

  expect(chooseAdvisor(settings, "openai/gpt-6", fitsPattern)).toEqual({
    kind: "advisor",
    model: "first/one",
    thinking: "low",
    setting: "angel.pairs[1].advisor",
  });
});

test("A pair that says off switches Angel off for that executor only, with the reason.", () => {
  const settings = withPairs({ executor: "local/*", advisor: "off" });

  expect(chooseAdvisor(settings, "local/tiny", fitsPattern)).toEqual({
    kind: "off",
    reason: 'angel.pairs[0] ("local/*") switches it off for local/tiny.',
  });
  expect(chooseAdvisor(settings, "openai/gpt-6", fitsPattern)).toMatchObject({
    kind: "advisor",
    model: "general/model",
  });
});

test("Without a pair that fits, or without an executor, the general settings hold.", () => {
  const general = { kind: "advisor", model: "general/model", thinking: "high", setting: "angel.model" };

  expect(chooseAdvisor(withPairs({ executor: "x/*", advisor: "off" }), "openai/gpt-6", fitsPattern)).toEqual(
    general,
  );
  expect(chooseAdvisor(withPairs({ executor: "*", advisor: "off" }), undefined, fitsPattern)).toEqual(
    general,
  );
  expect(chooseAdvisor(DEFAULT_SETTINGS, "openai/gpt-6", fitsPattern)).toEqual({
    kind: "advisor",
    thinking: "max",
  });
});

test("A pair without a level takes the general one.", () => {
  expect(chooseAdvisor(withPairs({ executor: "*", advisor: "a/b" }), "x/y", fitsPattern)).toMatchObject({
    thinking: "high",
  });
});

function withPairs(...pairs: readonly Pair[]): AngelSettings {
  return { ...DEFAULT_SETTINGS, model: "general/model", thinking: "high", pairs };
}
