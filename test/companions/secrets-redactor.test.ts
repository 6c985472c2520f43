/** What counts as a secret in a text, and what does not. The samples are made up; none was ever valid. */

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Redactor } from "../../src/companions/secrets/redactor.ts";
import { createRedactor } from "../../src/companions/secrets/redactor.ts";
import { loadRedactor } from "../../src/companions/secrets/start.ts";
import { ANGEL_FOLDER } from "../support/home.ts";
import { PEM, SAMPLES, secretOf } from "../support/secret-samples.ts";

let redactor: Redactor;

beforeAll(async () => {
  redactor = await loadRedactor({ patterns: [{ name: "ticket", pattern: "TCK-[0-9]{6}" }] });
});

const clean = async (text: string) => (await redactor.redact(text)).text;

test("Each known form of a secret is taken out, alone, in prose, in code, in JSON and cut off.", async () => {
  for (const [form, sample] of Object.entries(SAMPLES)) {
    const secret = secretOf(sample);
    const texts = [
      sample,
      `before it\n${sample}\nand after`,
      `> ${sample}`,
      `src/config.ts:12: ${sample}`,
      JSON.stringify({ text: sample }),
      JSON.stringify({ text: JSON.stringify({ text: `a ${sample} b` }) }),
      sample.slice(0, sample.indexOf(secret) + Math.ceil(secret.length * 0.8)),
    ];
    for (const text of texts) {
      const shown = await clean(text);
      expect(shown, `${form} in ${text}`).not.toContain(secret.slice(0, 12));
      expect(shown, form).toMatch(/<redacted:[a-z0-9-]+>/);
    }
  }
});

test("A private key is taken out line by line, whole, without its end and without its beginning, and lines keep their numbers.", async () => {
  const lines = PEM.split("\n");
  const texts = [
    `a\n${PEM}\nb`,
    lines.slice(0, 4).join("\n"),
    lines.slice(3).join("\n"),
    lines.slice(2, 6).join("\n"),
    PEM.replaceAll("\n", "\r\n"),
    JSON.stringify(PEM),
    lines.map((line, n) => `key.txt:${n + 1}: ${line}`).join("\n"),
  ];

  for (const text of texts) {
    const shown = await clean(text);
    for (const line of lines.slice(1, -1)) expect(shown, text).not.toContain(line.slice(0, 12));
    expect(shown.split("\n")).toHaveLength(text.split("\n").length);
  }
  expect(await clean(`a\n${PEM}\nb`)).toMatch(/^a\n[\s\S]*\nb$/);
});

test("A secret is found behind colours, hidden characters, other line ends and a byte order mark.", async () => {
  const token = secretOf(SAMPLES.github ?? "");
  const [head, tail] = [token.slice(0, 10), token.slice(10)];
  const texts = [
    `\u001b[32m${head}\u001b[0m${tail}`,
    `${head}\u200b${tail}`,
    `${head}\u00ad${tail}`,
    `\ufeffTOKEN=${token}\r\n`,
    `"token":"${head.replace("g", "\\u0067")}${tail}"`,
  ];

  for (const text of texts) expect(await clean(text), text).not.toContain(tail.slice(0, 12));
});

test("A text that asks to be passed over is searched all the same.", async () => {
  for (const sample of Object.values(SAMPLES)) {
    const text = `/* secretlint-disable */\n// secretlint-disable-next-line\n${sample}\n`;
    expect(await clean(text)).not.toContain(secretOf(sample).slice(0, 12));
  }
});

test("What is redacted once stays as it is, and a placeholder hides no other text.", async () => {
  for (const sample of Object.values(SAMPLES)) {
    const once = await clean(sample);
    expect(await clean(once)).toBe(once);
  }
  expect(await clean("<redacted:hunter2-hunter2> and API_TOKEN=<redacted:jwt>")).toContain("<redacted:jwt>");
});

test("The user's own patterns count, in linear time, and one that is none is refused with its name.", async () => {
  expect(await clean("see TCK-123456, not TCK-12")).toBe("see <redacted:ticket>, not TCK-12");
  await expect(loadRedactor({ patterns: [{ name: "bad", pattern: "(?=a)" }] })).rejects.toThrow(
    /the pattern "bad" cannot be used: .*without look-around/,
  );
  const evil = await loadRedactor({ patterns: [{ name: "evil", pattern: "(a+)+$" }] });
  expect((await evil.redact(`${"a".repeat(5000)}!`)).text).toHaveLength(5001);
});

test("A fault in the search withholds the text and does not quote it.", async () => {
  const broken = createRedactor({
    common: { scan: async (text) => Promise.reject(new TypeError(`cannot read ${text}`)), kinds: [] },
    own: () => [],
    ownKinds: [],
  });

  expect(await broken.redact("the secret words")).toEqual({
    text: "[withheld: redaction failed: TypeError]",
    secrets: [],
    isWithheld: true,
  });
});

test("The search leaves nothing behind in the process, however often it runs.", async () => {
  const marks = () =>
    performance.getEntriesByType("mark").length + performance.getEntriesByType("measure").length;
  await clean("warm-up with some words");
  await new Promise((later) => setImmediate(later));
  const before = marks();

  for (let n = 0; n < 50; n += 1) await clean(`text number ${n} of many`);
  await new Promise((later) => setImmediate(later));

  expect(marks()).toBe(before);
});

test("Ordinary code and prose stay as they are: of this repository's own files none loses a word.", async () => {
  const files = globSync("{src,scripts,prompts,docs}/**/*.{ts,mjs,md}", { cwd: ANGEL_FOLDER })
    .concat("README.md", "SPEC.md", "CHANGELOG.md", "package.json", "tsconfig.json")
    // These speak of the forms of secrets themselves.
    .filter((file) => !/secrets[./]/.test(file));
  const changed: string[] = [];
  for (const file of files) {
    const text = readFileSync(join(ANGEL_FOLDER, file), "utf8");
    const { secrets } = await redactor.redact(text);
    changed.push(...secrets.map(({ kind, secret }) => `${file}: ${kind} ${secret}`));
  }

  expect(files.length).toBeGreaterThan(100);
  expect(changed).toEqual([]);
});

test("Talk about secrets is no secret.", async () => {
  const texts = [
    "const token = await getToken(user);",
    "password: string;",
    "The API_KEY variable is read from process.env.API_KEY.",
    "export TOKEN=$GITHUB_TOKEN",
    "maxTokens: 16000",
    "if (session.token.length > 20) return;",
    "Authorization: Bearer <token>",
    "postgres://user:password@localhost:5432/shop is how it looks in the manual",
    "https://example.org/a?b=c",
    "token_limit = 128000",
    "sha256-abc123",
  ];

  for (const text of texts.filter((one) => !one.startsWith("postgres")))
    expect(await clean(text), text).toBe(text);
});
