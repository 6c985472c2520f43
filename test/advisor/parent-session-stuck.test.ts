// A whole stuck session as an advisor meets it: what it needs is near the start, cheap and complete.

import { expect, test } from "vitest";
import { kindOf } from "../../src/core/items.ts";
import { openParentSession } from "../support/ask-parent.ts";
import { openFixture } from "../support/fixture-session.ts";

const REPEATED = "NODE_ENV=staging npm test";

test("The overview of a stuck session has every constraint, what led here and what is claimed, on one page.", async () => {
  const { ask } = openStuck();

  const overview = await ask({ action: "overview" });

  expect(Buffer.byteLength(overview)).toBeLessThan(4200);
  expect(overview).toContain("(lost) Payment webhooks from the PSP's staging sender are refused");
  expect(overview).toContain("I want a test that would have caught this");
  expect(overview).toContain("Do not restart the staging service yourself");
  expect(overview).toContain("(lost) stop touching default.json please, I said so at the start");
  expect(overview).toContain("tolerance ruled out (86400 made no difference)");
  expect(
    overview.match(/ = \[\w+→\w+\] .*bash error 2\.2KB: NODE_ENV=staging npm test, timeout: 120 ⇒ /g),
  ).toHaveLength(2);
  expect(overview).toMatch(/Between them: 2 lines\.\n\[\w+.*\n\[\w+/);
  expect(overview).toMatch(/Earlier consultations:\n\[\w+→\w+\] .*angel 272B: question: The HMAC/);
});

test("Every entry of the branch is listed, part of an operation, bookkeeping or withheld.", async () => {
  const { manager, ask } = openStuck();
  const everything = await ask({ action: "list", view: "branch", limit: 1000 });
  const bookkeeping = await ask({ action: "list", view: "branch", kinds: ["bookkeeping"] });

  const lines = `${everything}\n${bookkeeping}`.matchAll(/^\[(\w+)(?:→(\w+))?\] /gm);
  const told = new Set([...lines].flatMap(([, first, second]) => (second ? [first, second] : [first])));
  const untold = manager.getBranch().filter(({ id }) => !told.has(id));

  expect(untold.map(kindOf)).toEqual(["system_message", "private_shell_run"]);
  expect(await ask({ action: "overview" })).toContain(
    `${told.size + untold.length} entries on the branch = 33 in context (the executor's model has them) + 62 lost (compaction took them from it) + 2 withheld; 5 are bookkeeping, which no model sees.`,
  );
});

test("The whole list, the files and a search of it cost less than reading its longest result.", async () => {
  const { manager, ask } = openStuck();
  const bytesOf = async (args: object) => Buffer.byteLength(await ask({ view: "branch", ...args }));

  expect(await bytesOf({ action: "list" })).toBeLessThan(12_500);
  expect(await bytesOf({ action: "files" })).toBeLessThan(1300);
  expect(await bytesOf({ action: "search", query: "secret" })).toBeLessThan(4000);
  expect(Buffer.byteLength(JSON.stringify(manager.getBranch()))).toBeGreaterThan(80_000);
});

test("The broken constraint, the hidden layer and the two secrets are each one call away.", async () => {
  const { ask } = openStuck();

  const files = await ask({ action: "files", view: "branch" });
  const ignored = await ask({ action: "search", query: "local.json", view: "branch" });
  const secrets = await ask({ action: "search", query: "whsec_staging", view: "branch" });
  const neverOpened = await ask({
    action: "search",
    query: "config/local.json",
    view: "branch",
    tool: "read",
  });

  expect(files).toMatch(/^config\/default\.json: read 1× \[\w+\], edited 2× \[\w+\], /m);
  expect(files).not.toContain("local.json");
  expect(ignored).toMatch(/read result \(\.gitignore\), 3:8 .*config\/local\.json/);
  expect(secrets).toContain("whsec_staging_2026_10");
  expect(secrets).toContain("whsec_staging_2026_11");
  expect(neverOpened).not.toMatch(/read call/);
});

function openStuck() {
  const manager = openFixture("stuck-shadowed-config.jsonl");
  const triggers = manager.getBranch().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "assistant") return [];
    return entry.message.content.flatMap((block) =>
      block.type === "toolCall" && block.arguments.command === REPEATED ? [block.id] : [],
    );
  });
  return { manager, ask: openParentSession(manager, { triggers }).ask };
}
