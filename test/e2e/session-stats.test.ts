/** What Pi itself says that a session cost, when consultations were part of it. */

import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";

test("Pi's own statistics count the executor and the child, each once, also after a restart.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [
    step.call("angel", { question: "Why?" }).usage({ in: 10_000, out: 100 }),
    step.say("Done.").usage({ in: 20_000, out: 200 }),
  ]);
  server.script("adv", [
    step.call("ls", {}).usage({ in: 1000, out: 10 }),
    step.say("Because.").usage({ in: 2000, out: 20, cached: 500 }),
  ]);
  const args = ["--session", `${home.root}/parent.jsonl`];

  await using pi = await startRpc(home, { args });
  await pi.prompt("go on");
  const { data: fresh } = await pi.send({ type: "get_session_stats" });
  await pi.stop();
  await using again = await startRpc(home, { args });
  const { data: resumed } = await again.send({ type: "get_session_stats" });

  expect(fresh.tokens).toEqual({ input: 33_000, output: 330, cacheRead: 500, cacheWrite: 0, total: 33_830 });
  expect(fresh.cost).toBeCloseTo((33_000 * 1 + 330 * 2 + 500 * 0.1) / 1_000_000, 9);
  expect(resumed).toMatchObject({ tokens: fresh.tokens, cost: fresh.cost });
});
