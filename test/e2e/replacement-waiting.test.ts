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
import { runPi } from "../support/print.ts";
import type { Rpc } from "../support/rpc.ts";
import { gate, say } from "../support/steps.ts";

test("A question that waits is dropped when the session is replaced, with a report where it was asked.", async () => {
  for (const type of ["new_session", "clone"] as const) {
    await using server = await startModelServer();
    await using seeded = await startSeeded(server);
    const { home, pi, parentFile } = seeded;
    await askWhileItWorks(pi, server);

    await pi.send({ type });
    server.script("exec", [say("fresh")]);
    await pi.prompt("in the new one");

    expect(server.requests("adv")).toHaveLength(0);
    expect(entriesOf(home, parentFile)).toContain("the session was closed.");
    expect(server.requests("exec").at(-1)?.raw).not.toContain("Is it so?");
    expect(pi.stderr).toBe("");
  }
});

test("A kill in the middle of a consultation of any origin loses nothing, and pi -c reopens the parent with every call answered.", async () => {
  for (const origin of ORIGINS) {
    await using server = await startModelServer();
    await using seeded = await startSeeded(server);
    const { home, pi, parentFile } = seeded;
    const asked = await startConsultation(origin, pi, server);

    await pi.kill("SIGKILL");
    await asked.done;
    server.script("exec", [say("continued")]);
    const again = await runPi(home, ["-c", "-p", "go on"]);

    expect(again).toMatchObject({ code: 0, stdout: "continued\n" });
    expect(entriesOf(home, parentFile)).toContain("continued");
    expect(ordinaryEntries(home)).not.toContain(STALE);
    expect(home.children()[0]?.entries[0]).toMatchObject({ customType: "angel-consultation" });
    expect(server.violations).toEqual([]);
  }
});

test("A kill while a question only waits leaves nothing of it, and pi -c reopens the parent.", async () => {
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    await using server = await startModelServer();
    await using seeded = await startSeeded(server);
    const { home, pi, parentFile } = seeded;
    await askWhileItWorks(pi, server);

    await pi.kill(signal);
    server.script("exec", [say("continued")]);
    const again = await runPi(home, ["-c", "-p", "go on"]);

    expect(again).toMatchObject({ code: 0, stdout: "continued\n", stderr: "" });
    expect(entriesOf(home, parentFile)).toContain("continued");
    expect(home.children()).toEqual([]);
    expect(server.requests("adv")).toEqual([]);
    expect(server.requests("exec").at(-1)?.raw).not.toContain("Is it so?");
  }
});

test("Compacting the parent while a question runs moves neither its pin nor its advice.", async () => {
  await using server = await startModelServer();
  await using seeded = await startSeeded(server);
  const { home, pi } = seeded;
  const held = gate(say("ADVICE-7f3"));
  server.script("adv", [held]);
  const question = pi.send({ type: "prompt", message: "/angel Is it so?" });
  await server.nextRequest("adv", 1);
  const pinned = JSON.stringify(home.children()[0]?.entries[0]).match(/"parentLeafId":"(\w+)"/)?.[1];

  server.script("exec", [say("SUMMARY"), say("end")]);
  await pi.send({ type: "compact" }).catch(() => {});
  held.open();
  await question;
  await pi.prompt("thanks");

  expect(home.parent().entries.map((entry) => Reflect.get(entry, "id"))).toContain(pinned);
  expect(server.requests("exec").at(-1)?.raw.split("ADVICE-7f3")).toHaveLength(2);
});

test("a fork while a consultation runs leaves it behind", async () => {
  for (const origin of ORIGINS) {
    await using server = await startModelServer();
    await using seeded = await startSeeded(server);
    const { home, pi, parentFile } = seeded;
    const user = home.parent().entries.find((entry) => JSON.stringify(entry).includes('"role":"user"'));
    const asked = await startConsultation(origin, pi, server);

    await pi.send({ type: "fork", entryId: String(Reflect.get(user ?? {}, "id")) });
    await asked.done;
    server.script("exec", [say("fresh")]);
    await pi.prompt("in the fork");

    expect(asked.closedEarly).toBe(true);
    expect(entriesOf(home, parentFile)).toContain('"outcome":"cancelled"');
    expect(ordinaryEntries(home)).not.toContain(STALE);
  }
});

/** A question that waits for the end of a turn that does not end. */
async function askWhileItWorks(pi: Rpc, server: ModelServer): Promise<void> {
  server.script("exec", [gate(say("never finished"))]);
  void pi.send({ type: "prompt", message: "work" }).catch(() => {});
  await server.nextRequest("exec", 2);
  void pi.send({ type: "prompt", message: "/angel Is it so?" }).catch(() => {});
  await pi.waitFor((event) => JSON.stringify(event).includes("waits for the end of this turn"), "the wait");
}
