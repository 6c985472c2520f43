import { fauxAssistantMessage } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";

type Origin = "executor" | "human" | "error";
type Stop = (pi: InProcess) => Promise<unknown>;

/** So many moments, so many microtasks apart, cover the answer's whole way home: stream, judge, charge, deliver. */
const MOMENTS = 40;
const MICROTASKS_APART = 3;

const STOPS: Readonly<Record<string, Stop>> = {
  abort: (pi) => pi.session.abort(),
  cancel: (pi) => pi.session.prompt("/angel cancel"),
  "abort and cancel": (pi) => Promise.all([pi.session.abort(), pi.session.prompt("/angel cancel")]),
};

async function ticks(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await undefined;
}

/** One consultation, stopped so many moments after its advisor has answered. */
async function race(pi: InProcess, origin: Origin, round: number, stop: Stop): Promise<void> {
  const answered = Promise.withResolvers<void>();
  pi.faux.adv.script([
    () => {
      answered.resolve();
      return fauxAssistantMessage(`ADVICE-${round}.`);
    },
  ]);
  if (origin === "executor") pi.faux.exec.script([fauxCall("angel", { question: `round ${round}` })]);
  if (origin === "error")
    pi.faux.exec.script([fauxCall("flaky", { n: round }), fauxCall("flaky", { n: round })]);
  if (origin !== "human") pi.faux.exec.script([fauxSay("end of the run")]);
  const run = pi.session.prompt(origin === "human" ? `/angel round ${round}` : `work on ${round}`);
  await answered.promise;
  await ticks(round * MICROTASKS_APART);
  await stop(pi);
  await run;
  // What an aborted run did not take must not be answered to the next one.
  pi.faux.exec.handle.setResponses([]);
}

/** Every record that the session holds, wherever it stands, and every place where advice stands for the model. */
function traces(pi: InProcess) {
  const records: string[] = [];
  const advice: string[] = [];
  for (const entry of pi.sessionManager.getEntries()) {
    const isResult =
      entry.type === "message" && entry.message.role === "toolResult" && entry.message.toolName === "angel";
    const isMessage = entry.type === "custom_message" && entry.customType === "angel-advice";
    const isReport = entry.type === "custom" && entry.customType === "angel-report";
    if (!isResult && !isMessage && !isReport) continue;
    const text = JSON.stringify(entry);
    records.push(text.match(/"consultationId":"(\w+)"/)?.[1] ?? "none");
    const own = text.match(/ADVICE-\d+\./g) ?? [];
    advice.push(...own);
    if (own.length > 0) expect(text).toContain('"outcome":"advised"');
  }
  return { records, advice };
}

for (const origin of ["executor", "human", "error"] as const) {
  for (const [name, stop] of Object.entries(STOPS)) {
    test(`${name} around the delivery of the ${origin} origin leaves exactly one outcome each time`, async () => {
      const flaky = flakyTool();
      await using pi = await startSession({ factories: [flaky.extension], bindings: { mode: "json" } });
      pi.faux.exec.script([fauxSay("hello")]);
      await pi.session.prompt("hi");

      for (let round = 0; round < MOMENTS; round += 1) await race(pi, origin, round, stop);

      const { records, advice } = traces(pi);
      const consultations = records.filter((id) => id !== "none");
      expect(new Set(consultations).size).toBe(MOMENTS);
      expect(consultations).toHaveLength(MOMENTS);
      expect(new Set(advice).size).toBe(advice.length);
      expect(pi.extensionErrors).toEqual([]);
      // Both sides of the settling were met, or the moments prove nothing; an idle session has no run to abort.
      expect(advice.length).toBeGreaterThan(0);
      if (origin !== "human" || name !== "abort") expect(advice.length).toBeLessThan(MOMENTS);
    });
  }
}
