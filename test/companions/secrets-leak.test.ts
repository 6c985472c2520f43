/** Every byte of every request to the advisor's provider, searched for secrets that lie wherever they can lie. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { start } from "../../src/companions/secrets/start.ts";
import type { CompanionSettings } from "../../src/companions/settings.ts";
import { mountCompanion } from "../support/companion.ts";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import { textOf } from "../support/pi-event.ts";
import { PEM, SAMPLES, secretOf } from "../support/secret-samples.ts";
import * as step from "../support/steps.ts";

const NAMES = Object.keys(SAMPLES);
const sample = (n: number) => SAMPLES[NAMES[n % NAMES.length] ?? ""] ?? "";
/** As little of a secret as may be seen. */
const TELLING = 12;

/** All pieces of so many characters; one that is in a request is a leak. */
function pieces(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) =>
    [0, Math.floor(secret.length / 2) - TELLING / 2, secret.length - TELLING].map((at) =>
      secret.slice(Math.max(0, at), Math.max(0, at) + TELLING),
    ),
  );
}

const SECRETS = [...Object.values(SAMPLES).map(secretOf), ...PEM.split("\n").slice(1, -1)];

async function guarded(
  layers: Partial<CompanionSettings>,
  options: Parameters<typeof startConsulting>[0] = {},
): Promise<Consulting> {
  const board = hangNoticeBoard();
  const companion = await start(
    { user: {}, project: undefined, ...layers },
    { ui: board.bindings.uiContext as never },
  );
  const { factories = [], settings, ...rest } = options;
  return startConsulting({
    bindings: board.bindings,
    ...rest,
    settings: { angel: { model: "local/adv", companions: { secrets: {} } }, ...settings },
    factories: [...factories, mountCompanion(companion).extension],
  });
}

function leaks(pi: Consulting, secrets: readonly string[] = SECRETS): readonly string[] {
  const sent = pi.server.requests("adv").map(({ raw }) => raw);
  // As JSON writes it, and once more inside of a text that is JSON itself.
  const texts = [sent.join("\n"), sent.join("\n").replaceAll("\\", "")];
  return pieces(secrets).filter((piece) => texts.some((text) => text.includes(piece)));
}

test("No secret of the parent session leaves by any action of parent_session, nor by what was asked.", async () => {
  await using pi = await guarded({});
  for (const [n, name] of NAMES.entries()) {
    pi.faux.exec.script([
      fauxCall("no_such_tool", {
        command: `use ${sample(n)}`,
        [name]: { deep: [sample(n)] },
        token: secretOf(sample(n)),
      }),
      fauxSay(`${"long ".repeat(n * 7)}${sample(n)}${" tail".repeat(90)}`),
    ]);
    await pi.session.prompt(`${"x".repeat(60 + n)} ${sample(n)} in the user's words`);
  }
  pi.faux.exec.script([fauxSay(PEM)]);
  await pi.session.prompt(`the key is\n${PEM}`);
  const ids = pi.sessionManager.getBranch().map(({ id }) => id);
  pi.server.script("adv", [
    step.call("parent_session", { action: "overview" }),
    ...["branch", "context"].map((view) => step.call("parent_session", { action: "list", view })),
    step.call("parent_session", { action: "list", offset: 20 }),
    step.call("parent_session", { action: "files" }),
    ...NAMES.map((_, n) =>
      step.call("parent_session", { action: "search", query: secretOf(sample(n)).slice(0, 8) }),
    ),
    step.call("parent_session", { action: "search", query: "words" }),
    ...ids.map((id) => step.call("parent_session", { action: "get", ids: [id], column: 20 })),
    step.call("parent_session", { action: "get", ids }),
    step.say("Fine."),
  ]);

  const result = await pi.ask(`Why does ${sample(3)} fail?`, `The context: ${sample(7)}\n${PEM}`);

  expect(textOf(result)).toBe("Fine.");
  expect(leaks(pi)).toEqual([]);
  expect(pi.server.requests("adv")[0]?.raw).toContain("Why does <redacted:");
  expect(result.details.companions?.secrets).toMatchObject({ refused: 0 });
  expect(result.details.companions?.secrets?.redacted).toBeGreaterThanOrEqual(NAMES.length);
  expect(pi.surprises()).toEqual([]);
});

test("No secret of a file leaves by read, grep, find or ls, wherever pages, cuts and long lines fall.", async () => {
  const long = NAMES.map((_, n) => `${"a ".repeat(230 - n)}${sample(n)}${" b".repeat(200)}`).join("\n");
  const filler = Array.from({ length: 1990 }, (_, n) => `line ${n}`).join("\n");
  await using pi = await guarded(
    {},
    {
      project: {
        "config.txt": NAMES.map((_, n) => sample(n)).join("\n"),
        "long.txt": long,
        "paged.txt": `${filler}\n${PEM}\n${NAMES.map((_, n) => sample(n)).join("\n")}\n${filler}`,
        "wide.txt": `${"w".repeat(51_190)}${sample(4)}`,
        "key.txt": PEM,
      },
    },
  );
  const { project } = pi.home;
  writeFileSync(join(project, "utf16.txt"), Buffer.from(`\ufeff${sample(4)}\n${sample(13)}`, "utf16le"));
  writeFileSync(join(project, `named-${secretOf(sample(4))}.txt`), "nothing inside");
  const reads = ["config.txt", "long.txt", "paged.txt", "wide.txt", "key.txt", "utf16.txt"];
  pi.server.script("adv", [
    ...reads.map((path) => step.call("read", { path })),
    ...[1988, 1991, 1993, 1996, 1998, 2001].map((offset) => step.call("read", { path: "paged.txt", offset })),
    step.call("read", { path: "key.txt", offset: 3, limit: 2 }),
    ...["line|=|:|a", "key", "PRIVATE", ".", "[A-Za-z0-9]{20}"].flatMap((pattern) => [
      step.call("grep", { pattern }),
      step.call("grep", { pattern, path: "long.txt", context: 1 }),
      step.call("grep", { pattern, path: "key.txt" }),
    ]),
    step.call("grep", { pattern: "b b b$" }),
    step.call("find", { pattern: "*" }),
    step.call("ls", {}),
    step.say("Fine."),
  ]);

  expect(textOf(await pi.ask("Why?"))).toBe("Fine.");

  expect(leaks(pi)).toEqual([]);
  const sent = pi.server.requests("adv").at(-1)?.raw ?? "";
  expect(sent).toContain("<redacted:github");
  expect(sent).toContain("line 1989");
  expect(pi.surprises()).toEqual([]);
});

test("Files that hold credentials, and what lies outside the project, are refused with the reason, also through links.", async () => {
  await using pi = await guarded(
    {},
    { project: { ".env": `TOKEN=${secretOf(sample(4))}`, "src/a.txt": "TOKEN of a" } },
  );
  const { project, root } = pi.home;
  mkdirSync(join(root, "elsewhere"));
  writeFileSync(join(root, "elsewhere", "plain.txt"), "words from elsewhere");
  symlinkSync(join(project, ".env"), join(project, "harmless.txt"));
  symlinkSync(join(root, "elsewhere"), join(project, "inside"));
  pi.server.script("adv", [
    ...[
      ".env",
      "harmless.txt",
      "inside/plain.txt",
      "../elsewhere/plain.txt",
      join(root, "elsewhere/plain.txt"),
      "~/.ssh/id_rsa",
    ].map((path) => step.call("read", { path })),
    step.call("ls", { path: ".." }),
    step.call("grep", { pattern: "TOKEN|words" }),
    step.call("find", { pattern: "*", path: "inside" }),
    step.say("Fine."),
  ]);

  const { details } = await pi.ask("Why?");

  const sent = pi.server.requests("adv").at(-1)?.raw ?? "";
  expect(leaks(pi)).toEqual([]);
  expect(sent).not.toContain("words from elsewhere");
  expect(sent).toContain("is on the list of files that hold credentials");
  expect(sent).toContain("lies outside the project, so it is not read.");
  expect(sent).toContain("src/a.txt:1: TOKEN of a");
  expect(sent).toContain("1 line withheld");
  expect(details.companions?.secrets).toMatchObject({ refused: 8 });
});

test("No secret leaves by instruction files, skills, other tools' results, or a tool list, and a result's details do not keep it.", async () => {
  const key = secretOf(sample(4));
  await using pi = await guarded(
    {},
    {
      settings: {
        angel: { model: "local/adv", companions: { secrets: {} }, subagentExtensions: ["talk"] },
      },
      agentFiles: {
        "AGENTS.md": `Use ${key} for the shop.`,
        "skills/shop/SKILL.md": `---\nname: shop\ndescription: with ${key}\n---\nThe key ${key}.`,
        "extensions/talk.js": `export default (pi) => pi.registerTool({ name: "talk", label: "talk", description: "Talks with ${key}",
          parameters: { type: "object", properties: {} }, execute: async () => ({ content: [{ type: "text", text: "half ${key}" }], details: { key: "${key}" } }) });`,
      },
    },
  );
  const skill = join(pi.home.agentDir, "skills", "shop", "SKILL.md");
  pi.server.script("adv", [step.call("talk", {}), step.call("read", { path: skill }), step.say("Fine.")]);

  await pi.ask("Why?");

  expect(leaks(pi, [key])).toEqual([]);
  const sent = pi.server.requests("adv").at(-1)?.raw ?? "";
  expect(sent).toContain("Use <redacted:github-token> for the shop.");
  expect(sent).toContain("The key <redacted:github-token>");
  expect(sent).toContain("half <redacted:github-token>");
  const results = pi.home
    .children()[0]
    ?.entries.filter((entry) => entry.type === "message" && entry.message.role === "toolResult");
  expect(results).toHaveLength(2);
  expect(JSON.stringify(results)).not.toContain(key.slice(0, TELLING));
});

test("Images are withheld, and allowed where the user's settings say so.", async () => {
  const image = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  for (const [user, isSeen] of [
    [{}, false],
    [{ images: "allow" }, true],
  ] as const) {
    await using pi = await guarded({ user }, { models: { adv: { input: ["text", "image"] } } });
    writeFileSync(join(pi.home.project, "shot.png"), image);
    pi.server.script("adv", [step.call("read", { path: "shot.png" }), step.say("Fine.")]);

    await pi.ask("Why?");

    const sent = pi.server.requests("adv").at(-1)?.raw ?? "";
    expect(sent.includes("image_url")).toBe(isSeen);
    expect(sent.includes("images are withheld")).toBe(!isSeen);
  }
});

test("A compaction of the advisor's session sends no secret either.", async () => {
  await using pi = await guarded(
    {},
    {
      project: { "config.txt": `${sample(4)}\n${"word ".repeat(4000)}` },
      models: { adv: { contextWindow: 16_000, maxTokens: 2000 } },
      settings: {
        angel: { model: "local/adv", companions: { secrets: {} } },
        compaction: { reserveTokens: 4000, keepRecentTokens: 1000 },
      },
    },
  );
  pi.server.script("adv", [
    step.call("read", { path: "config.txt" }).usage({ in: 13_000, out: 10 }),
    step.say("The story so far."),
    step.say("Fine."),
    step.say("Fine."),
  ]);

  await pi.ask(`Why is it ${sample(4)}?`);

  expect(pi.server.requests("adv").length).toBeGreaterThan(2);
  expect(leaks(pi)).toEqual([]);
});
