import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { spawnPi } from "../support/pi-process.ts";
import { startRpc } from "../support/rpc.ts";
import { call, say } from "../support/steps.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");

test("Questions and automatic consultations are charged once, agree with Pi's statistics, and reopening charges nothing again.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, extensions: [FLAKY] });
  const tokens = { in: 1000, out: 100, cached: 0 };
  server.script(
    "exec",
    [say("hello"), call("flaky", {}), call("flaky", {}), say("done"), say("reopened")].map((step) =>
      step.usage(tokens),
    ),
  );
  server.script("adv", [
    call("ls", {}).usage(tokens),
    say("ADVICE-1").usage(tokens),
    say("ADVICE-2").usage(tokens),
  ]);

  const stats = await (async () => {
    await using pi = await startRpc(home);
    await pi.prompt("hi");
    await pi.prompt("/angel Is it so?");
    await pi.prompt("fail twice");
    return (await pi.send({ type: "get_session_stats" })).data;
  })();
  await using again = await startRpc(home, { args: ["-c"] });
  await again.prompt("go on");
  const later = (await again.send({ type: "get_session_stats" })).data;

  // Each request: 1000 in at $1 and 100 out at $2 a million.
  expect(stats.tokens.total).toBe(7 * 1100);
  expect(stats.cost).toBeCloseTo(7 * 0.0012, 8);
  expect(later.tokens.total).toBe(8 * 1100);
  const charges = home.parent().entries.filter((entry) => JSON.stringify(entry).includes('"kind":"angel"'));
  expect(charges).toMatchObject([{ usage: { totalTokens: 2200 } }, { usage: { totalTokens: 1100 } }]);
  expect(charges.map((entry) => Reflect.get(entry, "note")).toSorted()).toEqual(
    home
      .children()
      .map(({ header }) => header.id)
      .toSorted(),
  );
});

test("Children of every origin stand below their parent under a name that says origin and subject.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server, extensions: [FLAKY] });
  server.script("exec", [
    call("angel", { question: "Which of the two?" }),
    call("flaky", {}),
    call("flaky", {}),
    say("done"),
  ]);
  server.script("adv", [say("A1"), say("A2"), say("A3")]);
  await using pi = await startRpc(home);
  await pi.prompt("work");
  await pi.prompt("/angel Is it so?");

  const parent = home.parent();
  const listed = await SessionManager.list(home.project, join(parent.path, ".."));
  const children = listed.filter(({ parentSessionPath }) => parentSessionPath === parent.path);

  expect(children.map(({ name }) => name).toSorted()).toEqual([
    "Angel · error · flaky",
    "Angel · executor · Which of the two?",
    "Angel · human · Is it so?",
  ]);
});

test("advice of a megabyte goes whole through a pipe whose reader is slow", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  const long = `START ${"x".repeat(1_000_000)} END`;
  server.script("adv", [say(long)]);
  const pi = spawnPi(home, ["-p", "/angel Is it so?"]);
  pi.child.stdin.end();

  let text = "";
  pi.child.stdout.setEncoding("utf8");
  await once(pi.child.stdout, "readable");
  for await (const chunk of pi.child.stdout) {
    text += chunk;
    // The reader's slowness is the case itself, not a wait for something to happen.
    await pause(5);
  }
  const exit = await pi.exitWithin(30_000);

  expect(exit).toMatchObject({ code: 0 });
  expect(text).toBe(`${long}\n`);
});
