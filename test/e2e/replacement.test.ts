import { expect, test } from "vitest";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import {
  entriesOf,
  ORIGINS,
  ordinaryEntries,
  STALE,
  startConsultation,
  startSeeded,
} from "../support/origins.ts";
import { writesResultsAtItsEnd } from "../support/pi-under-test.ts";
import { runPi } from "../support/print.ts";
import type { Rpc } from "../support/rpc.ts";
import { call, say } from "../support/steps.ts";

/** The next consultation in the same process shows that nothing was left broken. */
async function consultAgain(pi: Rpc, server: ModelServer): Promise<void> {
  server.script("exec", [call("angel", { question: "And now?" }), say("used FRESH-ADVICE")]);
  server.script("adv", [say("FRESH-ADVICE")]);
  await pi.prompt("again");
  expect(server.requests("exec").at(-1)?.raw).toContain("FRESH-ADVICE");
}

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
      await using seeded = await startSeeded(server);
      const { home, pi, parentFile } = seeded;
      const asked = await startConsultation(origin, pi, server);

      await replace(pi, parentFile);
      await asked.done;

      expect(asked.closedEarly).toBe(true);
      const { sessionFile } = (await pi.send({ type: "get_state" })).data;
      await consultAgain(pi, server);
      expect(ordinaryEntries(home)).not.toContain(STALE);
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
      await using seeded = await startSeeded(server);
      const { home, pi, parentFile } = seeded;
      const asked = await startConsultation(origin, pi, server);

      const exit = await end(pi);
      await asked.done;
      server.script("exec", [say("continued")]);
      const again = await runPi(home, ["-c", "-p", "go on"]);

      expect(exit).not.toMatchObject({ signal: "SIGKILL" });
      expect(asked.closedEarly).toBe(true);
      expect(entriesOf(home, parentFile).includes('"outcome":"cancelled"')).toBe(
        writesResultsAtItsEnd || origin !== "executor",
      );
      expect(again.stdout).toBe("continued\n");
      expect(server.requests("exec").at(-1)?.raw).toContain('"hi"');
      expect(server.violations).toEqual([]);
    }
  }
});
