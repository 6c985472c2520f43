/** What a consultation sends, in bytes, and what a provider's prompt cache finds again. */

import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import type { LoggedRequest } from "../support/model-server.ts";
import { buildSession } from "../support/session-builder.ts";
import * as step from "../support/steps.ts";

test("The head of a first request, prompt and tools, is the same bytes in every consultation of an origin.", async () => {
  const flaky = flakyTool();
  await using pi = await startConsulting({
    factories: [flaky.extension],
    project: { "AGENTS.md": "Use tabs." },
  });
  const heads: Record<string, string[]> = { executor: [], human: [], error: [] };
  for (let n = 1; n <= 2; n += 1) {
    pi.server.script("adv", [step.say("One."), step.say("Two."), step.say("Three.")]);
    await pi.ask(`Why number ${n}?`);
    await pi.session.prompt(`/angel what about ${n}?`);
    pi.faux.exec.script([fauxCall("flaky", { n }), fauxCall("flaky", { n }), fauxSay("Done.")]);
    await pi.session.prompt("try it");
    const [executor, human, error] = pi.server.requests("adv").slice(-3).map(headOf);
    for (const [origin, head] of Object.entries({ executor, human, error })) heads[origin]?.push(head ?? "");
  }

  const [executor, human, error] = [heads.executor, heads.human, heads.error].map((two) => new Set(two));
  expect([executor?.size, human?.size, error?.size]).toEqual([1, 1, 1]);
  const tools = new Set(pi.server.requests("adv").map(({ body }) => JSON.stringify(body.tools)));
  expect(tools.size).toBe(1);
  // Between origins the prompt differs from the words about the origin on.
  const ends = [...(executor ?? [])].flatMap((one) =>
    [...(human ?? [])].map((other) => commonLength(one, other)),
  );
  expect(Math.min(...ends)).toBeGreaterThan(4000);
  expect(pi.surprises()).toEqual([]);
});

test("A first request holds at most 12,000 bytes beside the question, and as many at a parent of 2,000 entries as at one of 20.", async () => {
  const sizes = [];
  for (const entries of [20, 2000]) {
    await using pi = await consultingAt(entries);
    pi.server.script("adv", [step.say("Because.")]);
    await pi.ask("Why?");
    // The ids of the faux executor's calls are now shorter, now longer.
    const raw = pi.server.requests("adv")[0]?.raw.replace(/tool:\d+:\w+/, "tool:call");
    sizes.push(Buffer.byteLength(raw ?? ""));
  }

  expect(sizes[0]).toBeLessThanOrEqual(12_000);
  expect(sizes[1]).toBe(sizes[0]);
});

test("An investigation of five files of 4 KB sends at most 130 KB in all.", async () => {
  const file = "export const rate = 0.19; // of the net price, rounded once\n".repeat(69).slice(0, 4096);
  const names = ["a", "b", "c", "d", "e"].map((name) => `${name}.ts`);
  await using pi = await startConsulting({ project: Object.fromEntries(names.map((name) => [name, file])) });
  pi.server.script("adv", [...names.map((path) => step.call("read", { path })), step.say("Because.")]);

  await pi.ask("Why?");

  const requests = pi.server.requests("adv");
  expect(requests).toHaveLength(6);
  expect(requests.at(-1)?.raw.split("rounded once").length).toBeGreaterThan(5 * 68);
  expect(requests.reduce((sum, { rawBytes }) => sum + rawBytes, 0)).toBeLessThanOrEqual(130 * 1024);
});

function consultingAt(entries: number): Promise<Consulting> {
  return startConsulting({
    sessionManager: (home) => {
      const built = buildSession(SessionManager.create(home.project));
      built.user("make it right");
      for (let n = 1; n < entries; n += 2) built.operate("read", { path: `src/${n}.ts` }, `text ${n}`);
      return built.manager;
    },
  });
}

function headOf({ body }: LoggedRequest): string {
  return JSON.stringify([body.messages[0], body.tools]);
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}
