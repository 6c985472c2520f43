import { fauxProvider } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { findAdvisor } from "../../src/advisor/advisor-model.ts";
import { DEFAULT_SETTINGS } from "../../src/core/settings.ts";

const model = fauxProvider({ provider: "slow", models: [{ id: "one" }] }).getModel();
const source = { model, modelRegistry: { find: () => model } };

function checking(checkAuth: () => Promise<never>) {
  return { hasConfiguredAuth: () => false, checkAuth };
}

test("A provider that checks its keys for ever is not waited for beyond the limit or the signal.", async () => {
  const forEver = checking(() => new Promise(() => {}));
  const stop = new AbortController();

  const limited = findAdvisor(DEFAULT_SETTINGS, source, forEver, { limitMs: 10 });
  const stopped = findAdvisor(DEFAULT_SETTINGS, source, forEver, { signal: stop.signal });
  stop.abort();

  expect(await limited).toMatchObject({ kind: "found" });
  expect(await stopped).toMatchObject({ kind: "found" });
});

test("A key check that throws is a sentence and not an exception.", async () => {
  const locked = checking(() => Promise.reject(new Error("the vault is locked")));

  expect(await findAdvisor(DEFAULT_SETTINGS, source, locked, {})).toEqual({
    kind: "none",
    isMistake: false,
    reason: "the credentials for slow/one could not be checked: the vault is locked",
  });
});

test("Pi's placeholder for no model is no model.", async () => {
  const nothing = { ...source, model: { ...model, provider: "unknown", id: "unknown" } };

  const finding = await findAdvisor(
    DEFAULT_SETTINGS,
    nothing,
    checking(() => Promise.reject(new Error("x"))),
    {},
  );

  expect(finding).toMatchObject({ kind: "none", reason: expect.stringContaining("no model yet") });
});
