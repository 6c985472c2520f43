/** The advisor's answer and the abort arrive together, in both orders and in every step between them. */

import { expect, test } from "vitest";
import { angelCall } from "../support/consulting.ts";
import { fauxSay } from "../support/faux-models.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import { textOf } from "../support/pi-event.ts";

/** More than an answer takes from the model to the parent's file. */
const STEPS = 400;

test("An answer and an abort at the same time end as one of the two, never as both.", async () => {
  await using pi = await startSession();

  const endings: string[] = [];
  // The step sizes have no common divisor with anything, so that no step of Pi is jumped over for long.
  for (let steps = 0; steps < STEPS; steps += steps < 60 ? 1 : 7) endings.push(await race(pi, steps));

  expect(new Set(endings)).toEqual(new Set(["cancelled", "advised"]));
  expect(endings.at(0)).toBe("cancelled");
  expect(endings.at(-1)).toBe("advised");
  expect(pi.extensionErrors).toEqual([]);
  pi.faux.exec.script([fauxSay("Still here.")]);
  await pi.session.prompt("hello");
  expect(pi.session.getLastAssistantText()).toBe("Still here.");
});

test("An abort as soon as the advice has been delivered takes nothing back.", async () => {
  const onResult = Promise.withResolvers<void>();
  await using pi = await startSession({
    factories: [
      {
        name: "abort-on-result",
        factory: (api) => {
          api.on("tool_result", ({ toolName }, ctx) => {
            if (toolName !== "angel") return;
            ctx.abort();
            onResult.resolve();
          });
        },
      },
    ],
  });
  pi.faux.exec.script([angelCall("What now?")]);
  pi.faux.adv.script([fauxSay("Do this.")]);

  await pi.session.prompt("go on");
  await onResult.promise;

  expect(ending(pi, 0)).toBe("advised");
});

test("An abort while the consultation is being charged withholds the answer that is already there.", async () => {
  await using pi = await startSession();
  const { sessionManager, session } = pi;
  const charge = sessionManager.appendUsage.bind(sessionManager);
  sessionManager.appendUsage = (...usage) => {
    void session.abort();
    return charge(...usage);
  };
  pi.faux.exec.script([angelCall("What now?")]);
  pi.faux.adv.script([fauxSay("Do this.")]);

  await session.prompt("go on");

  expect(ending(pi, 0)).toBe("cancelled");
  expect(sessionManager.getEntries().filter((entry) => entry.type === "usage")).toHaveLength(1);
});

/** Lets the answer go, and aborts so many steps of the event loop later. */
async function race(pi: InProcess, steps: number): Promise<string> {
  const from = pi.sessionManager.getEntries().length;
  pi.faux.exec.script([angelCall("What now?")]);
  pi.faux.adv.script([
    () => {
      void later(steps).then(() => pi.session.abort());
      return fauxSay("Do this.");
    },
  ]);
  await pi.session.prompt("go on");
  await pi.session.waitForIdle();
  return ending(pi, from);
}

/** A promise is a small step; each tenth step lets everything else that is due go first. */
async function later(steps: number): Promise<void> {
  for (let step = 1; step <= steps; step++) {
    if (step % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    else await Promise.resolve();
  }
}

/** What the parent holds of the consultation; a mixture of endings comes out as itself and fails the test. */
function ending(pi: InProcess, from: number): string {
  const entries = pi.sessionManager.getEntries().slice(from);
  const cards = entries.filter(
    (entry) => entry.type === "custom" && entry.customType === "angel-advice-card",
  );
  const results = entries.flatMap((entry) =>
    entry.type === "message" && entry.message.role === "toolResult" ? [entry.message] : [],
  );
  const found = results.map((result) => ({ isError: result.isError, text: textOf(result) }));
  const advised = [{ isError: false, text: "Do this." }];
  const cancelled = [{ isError: true, text: "The consultation was cancelled: the run was stopped." }];
  if (cards.length === 1 && JSON.stringify(found) === JSON.stringify(advised)) return "advised";
  if (cards.length === 0 && JSON.stringify(found) === JSON.stringify(cancelled)) return "cancelled";
  return JSON.stringify({ found, cards: cards.length });
}
