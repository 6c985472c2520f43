/** Pi's settings for a child are kept, and never stale. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepSettings } from "../../src/advisor/child-settings.ts";

let root: string;
let cwd: string;
let userFile: string;
let projectFile: string;
const before = process.env.PI_CODING_AGENT_DIR;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "angel-settings-"));
  cwd = join(root, "project");
  mkdirSync(join(cwd, ".pi"), { recursive: true });
  process.env.PI_CODING_AGENT_DIR = root;
  userFile = join(root, "settings.json");
  projectFile = join(cwd, ".pi", "settings.json");
});

afterEach(() => {
  if (before === undefined) delete process.env.PI_CODING_AGENT_DIR;
  else process.env.PI_CODING_AGENT_DIR = before;
  rmSync(root, { recursive: true });
});

const write = (file: string, settings: object) => writeFileSync(file, JSON.stringify(settings));

test("Settings that change between two consultations are read anew, the user's, the project's and the trust in it.", () => {
  const settings = keepSettings();
  const model = (isProjectTrusted = true) => settings({ cwd, isProjectTrusted }).getDefaultModel();

  expect(model()).toBeUndefined();
  write(userFile, { defaultModel: "one" });
  expect(model()).toBe("one");
  // The same size and the same second: only a closer look tells.
  write(userFile, { defaultModel: "two" });
  expect(model()).toBe("two");
  write(projectFile, { defaultModel: "its" });
  expect(model()).toBe("its");
  expect(model(false)).toBe("two");
  expect(model()).toBe("its");
  // Read without trust first, the project's values are not known yet.
  write(userFile, { defaultModel: "three" });
  expect(model(false)).toBe("three");
  expect(model()).toBe("its");
  write(userFile, { defaultModel: "two" });
  rmSync(projectFile);
  expect(model()).toBe("two");
});

test("A settings file that cannot be read is looked at each time.", () => {
  const settings = keepSettings();
  const model = () => settings({ cwd, isProjectTrusted: true }).getDefaultModel();
  write(userFile, { defaultModel: "one" });
  expect(model()).toBe("one");

  writeFileSync(userFile, "{ not json");
  expect(model()).toBeUndefined();
  write(userFile, { defaultModel: "two" });
  expect(model()).toBe("two");

  // A lock that another Pi holds says nothing in the file itself, nor does its end.
  write(userFile, { defaultModel: "three" });
  mkdirSync(`${userFile}.lock`);
  expect(model()).toBeUndefined();
  rmSync(`${userFile}.lock`, { recursive: true });
  expect(model()).toBe("three");
});

test("Nothing that a child changes of its settings reaches a file or another child.", async () => {
  write(userFile, { defaultModel: "one" });
  const settings = keepSettings();
  const first = settings({ cwd, isProjectTrusted: true });

  first.setDefaultModelAndProvider("p", "changed");
  first.setRetryEnabled(false);
  await first.flush();

  expect(JSON.parse(readFileSync(userFile, "utf8"))).toEqual({ defaultModel: "one" });
  expect(settings({ cwd, isProjectTrusted: true }).getDefaultModel()).toBe("one");
});
