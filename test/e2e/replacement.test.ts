import { join } from "node:path";
import { expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import type { LoggedRequest, ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { runPi } from "../support/print.ts";
import type { Rpc } from "../support/rpc.ts";
import { startRpc } from "../support/rpc.ts";
import { call, gate, say } from "../support/steps.ts";

const FLAKY = join(ANGEL_FOLDER, "fixtures/extensions/flaky.ts");

type Origin = "executor" | "human" | "error";
const ORIGINS: readonly Origin[] = ["executor", "human", "error"];

/** Brings a consultation of the origin to where its advisor is about to answer. */
async function startConsultation(origin: Origin, pi: Rpc, server: ModelServer): Promise<LoggedRequest> {
  const before = server.requests("adv").length;
  server.script("adv", [gate(say("STALE-ADVICE"), { after: 1 })]);
  // Pi may be gone before it answers these.
  const start = (message: string) => pi.send({ type: "prompt", message }).catch(() => {});
  if (origin === "human") void start("/angel Is it so?");
  if (origin === "executor") server.script("exec", [call("angel", { question: "Is it so?" })]);
  if (origin === "error") server.script("exec", [call("flaky", { n: before }), call("flaky", { n: before })]);
  if (origin !== "human") void start("work");
  return server.nextRequest("adv", before + 1);
}

/** The next consultation in the same process shows that nothing was left broken. */
async function consultAgain(pi: Rpc, server: ModelServer): Promise<void> {
  server.script("exec", [call("angel", { question: "And now?" }), say("used FRESH-ADVICE")]);
  server.script("adv", [say("FRESH-ADVICE")]);
  await pi.prompt("again");
  expect(server.requests("exec").at(-1)?.raw).toContain("FRESH-ADVICE");
}

async function seeded(server: ModelServer): Promise<{ home: Home; pi: Rpc; parentFile: string }> {
  const home = await makeHome({ server, extensions: [FLAKY] });
  const pi = await startRpc(home);
  server.script("exec", [say("hello")]);
  await pi.prompt("hi");
  return { home, pi, parentFile: home.parent().path };
}

const entriesOf = (home: Home, file: string) =>
  JSON.stringify(home.sessions().find(({ path }) => path === file)?.entries ?? []);

const REPLACEMENTS: readonly ((pi: Rpc, parentFile: string) => Promise<unknown>)[] = [
  (pi) => pi.send({ type: "new_session" }),
  (pi) => pi.send({ type: "clone" }),
  async (pi, parentFile) => {
    await pi.send({ type: "new_session" });
    return pi.send({ type: "switch_session", sessionPath: parentFile });
  },
];
test("Whatever replaces the session while a consultation of any origin runs, it is cancelled and nothing of it reaches another session.", async () => {
  for (const origin of ORIGINS) {
    for (const replace of REPLACEMENTS) {
      await using server = await startModelServer();
      const { home, pi, parentFile } = await seeded(server);
      await using _home = home;
      await using _pi = pi;
      const asked = await startConsultation(origin, pi, server);

      await replace(pi, parentFile);
      await asked.done;

      expect(asked.closedEarly).toBe(true);
      const { sessionFile } = (await pi.send({ type: "get_state" })).data;
      await consultAgain(pi, server);
      const everything = home
        .sessions()
        .filter(({ header }) => !header.parentSession || header.parentSession === undefined);
      expect(JSON.stringify(everything.map(({ entries }) => entries))).not.toContain("STALE-ADVICE");
      expect(entriesOf(home, parentFile)).toContain('"outcome":"cancelled"');
      expect(sessionFile).toBeDefined();
      expect(pi.stderr).not.toMatch(/stale|Error/);
      expect(server.violations).toEqual([]);
    }
  }
});

test("Quitting, SIGTERM and a closed input in the middle of a consultation of any origin end Pi and the connection, and pi -c reopens the parent.", async () => {
  const ends: readonly ((pi: Rpc) => Promise<unknown>)[] = [(pi) => pi.stop(), (pi) => pi.kill("SIGTERM")];
  for (const origin of ORIGINS) {
    for (const end of ends) {
      await using server = await startModelServer();
      const { home, pi, parentFile } = await seeded(server);
      await using _home = home;
      await using _pi = pi;
      const asked = await startConsultation(origin, pi, server);

      const exit = await end(pi);
      await asked.done;
      server.script("exec", [say("continued")]);
      const again = await runPi(home, ["-c", "-p", "go on"]);

      expect(exit).not.toMatchObject({ signal: "SIGKILL" });
      expect(asked.closedEarly).toBe(true);
      expect(entriesOf(home, parentFile)).toContain('"outcome":"cancelled"');
      expect(again.stdout).toBe("continued\n");
      expect(server.requests("exec").at(-1)?.raw).toContain('"hi"');
      expect(server.violations).toEqual([]);
    }
  }
});
