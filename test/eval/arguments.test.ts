import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readArguments } from "../../scripts/eval/arguments.ts";

const MODELS = ["--executor", "a/exec", "--advisor", "b/c/adv:low"];

test("A call with models alone plays the three usual arms on all episodes.", () => {
  const reading = readArguments(MODELS);

  expect(reading).toMatchObject({
    kind: "plan",
    plan: {
      models: {
        executor: { name: "a/exec", thinking: "high" },
        advisor: { name: "b/c/adv", thinking: "low" },
      },
      episodes: [],
      runs: 3,
      arms: ["alone", "transcript", "angel"],
      parallel: 2,
      out: resolve("eval-results"),
      asking: "prompted",
      limitMs: 1_800_000,
      npmHome: undefined,
    },
  });
});

test("Every option is taken.", () => {
  const options = [
    "--episode",
    "x",
    "--episode",
    "y",
    "--runs",
    "7",
    "--arms",
    "angel, npm:@who/what@1.2",
    "--parallel",
    "3",
  ];
  const more = ["--out", "o", "--asking", "free", "--limit", "2", "--npm-home", "h", "--episodes", "e"];

  const reading = readArguments([...MODELS, ...options, ...more]);

  expect(reading).toMatchObject({
    plan: {
      episodes: ["x", "y"],
      episodesFolder: resolve("e"),
      runs: 7,
      arms: ["angel", "npm:@who/what@1.2"],
      parallel: 3,
      out: resolve("o"),
      asking: "free",
      limitMs: 120_000,
      npmHome: resolve("h"),
    },
  });
  expect(readArguments(["--scripted"])).toMatchObject({ plan: { models: undefined } });
  expect(readArguments(["--help"])).toEqual({ kind: "help" });
});

test("A wrong argument ends in one sentence that says what was found and what is allowed.", () => {
  const complaint = (...args: string[]) => {
    try {
      return readArguments(args);
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };

  expect(complaint()).toMatch(/^--executor provider\/id is missing\. .*--scripted/);
  expect(complaint("--executor", "a/b")).toMatch(/^--advisor provider\/id is missing/);
  expect(complaint("--executor", "sonnet", "--advisor", "a/b")).toMatch(
    /^--executor is "sonnet"; it must be provider\/id/,
  );
  expect(complaint("--scripted", "--executor", "a/b")).toMatch(/^--scripted plays both models itself/);
  expect(complaint("--scripted", "--runs", "2")).toMatch(/^--runs and --scripted exclude each other/);
  expect(complaint(...MODELS, "--runs", "0")).toBe(
    '--runs is "0"; it must be a whole number from 1 to 9999.',
  );
  expect(complaint(...MODELS, "--parallel", "many")).toMatch(/^--parallel is "many"/);
  expect(complaint(...MODELS, "--limit", "1.5")).toMatch(/^--limit is "1.5"/);
  expect(complaint(...MODELS, "--arms", "angel,nobody")).toMatch(
    /^--arms: "nobody" is no arm\. There are alone/,
  );
  expect(complaint(...MODELS, "--arms", "npm:--prefix=x")).toMatch(/^--arms: "npm:--prefix=x" is no arm/);
  expect(complaint(...MODELS, "--arms", "angel,angel")).toBe("--arms names angel twice.");
  expect(complaint(...MODELS, "--arms", "")).toMatch(/^--arms: "" is no arm/);
  expect(complaint(...MODELS, "--asking", "often")).toBe('--asking is "often"; it must be prompted or free.');
  expect(complaint(...MODELS, "--speed", "9")).toMatch(
    /^Unknown option '--speed'\. See npm run eval -- --help\.$/,
  );
  expect(complaint(...MODELS, "angel")).toMatch(/^Unexpected argument 'angel'.*--help\.$/);
  expect(complaint("--executor")).toMatch(/argument missing.*--help\.$/);
});
