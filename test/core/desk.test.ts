/** The desk by itself: who runs when, and what a cancellation reaches. */

import { expect, test } from "vitest";
import type { Desk, Visit } from "../../src/core/desk.ts";
import { abortReason, openDesk } from "../../src/core/desk.ts";

test("The desk runs one visit at a time in the order of asking, and a visit that is not ready holds nobody back.", async () => {
  const { desk, started, finish, come } = office();
  const boundary = Promise.withResolvers<void>();

  come("tool 1");
  come("human", { ready: boundary.promise });
  come("tool 2");
  come("tool 3");
  await settled();
  const atFirst = { started: [...started], view: names(desk) };
  finish("tool 1");
  await settled();
  const passedOver = { started: [...started], view: names(desk) };
  boundary.resolve();
  await settled();
  finish("tool 2");
  await settled();
  finish("human");
  await settled();
  finish("tool 3");
  await settled();

  expect(atFirst).toEqual({
    started: ["tool 1"],
    view: { running: "tool 1", waiting: ["human", "tool 2", "tool 3"] },
  });
  expect(passedOver).toEqual({
    started: ["tool 1", "tool 2"],
    view: { running: "tool 2", waiting: ["human", "tool 3"] },
  });
  expect(started).toEqual(["tool 1", "tool 2", "human", "tool 3"]);
  expect(names(desk)).toEqual({ running: undefined, waiting: [] });
});

test("A visit that goes ahead is the next one, before all that waited longer.", async () => {
  const { started, finish, come } = office();

  come("tool 1");
  come("human");
  come("review", { lane: "ahead" });
  await settled();
  finish("tool 1");
  await settled();
  finish("review");
  await settled();

  expect(started).toEqual(["tool 1", "review", "human"]);
});

test("A background visit starts only where nothing else is asked, and gives way as soon as something is.", async () => {
  const { started, finish, come, signals } = office();
  const boundary = Promise.withResolvers<void>();

  come("tool 1");
  come("review", { lane: "background" });
  come("human", { ready: boundary.promise });
  await settled();
  finish("tool 1");
  await settled();
  const whileOneWaits = [...started];
  boundary.resolve();
  await settled();
  finish("human");
  await settled();
  const quiet = [...started];
  come("other review", { lane: "background" });
  const beside = signals("review").aborted;
  come("tool 2");
  finish("review");
  await settled();

  expect(whileOneWaits).toEqual(["tool 1"]);
  expect(quiet).toEqual(["tool 1", "human", "review"]);
  expect(beside).toBe(false);
  expect(abortReason(signals("review"))).toBe(
    "it ran in the background and gave way to another consultation.",
  );
  expect(started).toEqual(["tool 1", "human", "review", "tool 2"]);
});

test("A visit that fails frees the desk for the next one.", async () => {
  const desk = openDesk();

  const first = desk.visit(ticket("first"), () => Promise.reject(new Error("broken")), String);
  const thrown = desk.visit(
    ticket("thrown"),
    () => {
      throw new Error("at once");
    },
    String,
  );
  const last = desk.visit(ticket("last"), async () => "done", String);

  await expect(first).rejects.toThrow("broken");
  await expect(thrown).rejects.toThrow("at once");
  await expect(last).resolves.toBe("done");
});

test("The next visit starts after the one before it has been delivered, and a newcomer does not overtake it.", async () => {
  const { desk, started, finish, come } = office();
  const order: string[] = [];

  const delivered = come("first").then(async () => {
    await Promise.resolve();
    order.push("delivered", ...started.slice(1));
    come("newcomer");
    order.push("asked", ...started.slice(1));
  });
  come("second");
  await settled();
  finish("first");
  await delivered;
  await settled();

  expect(order).toEqual(["delivered", "asked"]);
  expect(started).toEqual(["first", "second"]);
  expect(names(desk)).toEqual({ running: "second", waiting: ["newcomer"] });
});

test("A visit that is cancelled while it waits never runs and says why.", async () => {
  const { desk, started, finish, come } = office();
  const stop = new AbortController();

  const running = come("running");
  const byId = come("by id");
  const bySignal = come("by signal", { signal: stop.signal });
  const next = come("next");
  await settled();
  const cancelled = desk.cancel("the user cancelled it.", "by id");
  stop.abort();
  finish("running");
  await settled();
  finish("next");

  expect(cancelled.map(({ id }) => id)).toEqual(["by id"]);
  expect(await Promise.all([running, byId, bySignal, next])).toEqual([
    "running finished",
    "never: the user cancelled it.",
    "never: the run was stopped.",
    "next finished",
  ]);
  expect(started).toEqual(["running", "next"]);
});

test("A visit whose signal is already aborted never waits and never runs.", async () => {
  const { desk, started, come } = office();

  const visit = come("late", { signal: AbortSignal.abort() });

  expect(names(desk)).toEqual({ running: undefined, waiting: [] });
  expect(await visit).toBe("never: the run was stopped.");
  expect(started).toEqual([]);
});

test("Cancelling reaches what runs and what waits, with its reason, and only once.", async () => {
  const { desk, finish, come, signals } = office();

  const running = come("running");
  const waiting = come("waiting", { ready: Promise.withResolvers<void>().promise });
  await settled();
  const meant = desk.cancel("Pi goes on with another session.");
  const meantAgain = desk.cancel("a second reason.");
  finish("running");

  expect(meant.map(({ id }) => id)).toEqual(["running", "waiting"]);
  expect(meantAgain.map(({ id }) => id)).toEqual(["running"]);
  expect(await waiting).toBe("never: Pi goes on with another session.");
  expect(await running).toBe("running finished");
  expect(abortReason(signals("running"))).toBe("Pi goes on with another session.");
});

test("The signal of whoever asked reaches the work, and does nothing once the work has ended.", async () => {
  const { finish, come, signals } = office();
  const during = new AbortController();
  const after = new AbortController();

  const first = come("first", { signal: during.signal });
  const second = come("second", { signal: after.signal });
  await settled();
  during.abort();
  finish("first");
  await first;
  await settled();
  finish("second");
  await second;
  after.abort();

  expect([signals("first").aborted, signals("second").aborted]).toEqual([true, false]);
});

test("A visit whose safe boundary never comes because its promise breaks settles with that error.", async () => {
  const { desk, started, come } = office();

  const broken = come("broken", { ready: Promise.reject(new Error("no boundary")) });

  await expect(broken).rejects.toThrow("no boundary");
  expect(names(desk)).toEqual({ running: undefined, waiting: [] });
  expect(started).toEqual([]);
});

/** A desk whose visits last until the test lets them finish. */
function office() {
  const desk = openDesk();
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const given = new Map<string, AbortSignal>();
  const come = (id: string, options: Pick<Visit, "signal" | "ready" | "lane"> = {}) =>
    desk.visit(
      { ...ticket(id), ...options },
      (signal) => {
        started.push(id);
        given.set(id, signal);
        return new Promise<string>((resolve) => ends.set(id, () => resolve(`${id} finished`)));
      },
      (reason) => `never: ${reason}`,
    );
  const signals = (id: string): AbortSignal => {
    const signal = given.get(id);
    if (signal === undefined) throw new Error(`${id} has not started.`);
    return signal;
  };
  return { desk, started, come, signals, finish: (id: string) => ends.get(id)?.() };
}

function ticket(id: string) {
  return { id, origin: "executor", subject: `about ${id}` };
}

function names(desk: Desk) {
  const { running, waiting } = desk.view();
  return { running: running?.id, waiting: waiting.map(({ id }) => id) };
}

/** Everything that is due by now has happened: the desk calls the next one a turn of the event loop later. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
