// The end of a human question, in every mode: the advice as a message that starts no turn, a failure as a
// report, and in print mode the words themselves, since Pi prints only what an assistant said.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Consultation } from "../core/consultation.ts";
import type { Outcome } from "../core/outcome.ts";
import { outcomeSentence } from "../core/outcome.ts";
import type { Outbox } from "./delivery.ts";
import { deliver } from "./delivery.ts";
import type { Settled } from "./engine.ts";
import type { Report } from "./report.ts";
import { REPORT_ENTRY } from "./report.ts";
import { withheldIfMoved } from "./settlement.ts";
import { writeStandardOutput } from "./standard-output.ts";

export type Asker = Pick<ExtensionContext, "mode" | "ui" | "sessionManager" | "isIdle">;

/** @returns what was delivered, which is no advice when it came too late */
export function answerHuman(
  outbox: Outbox,
  consultation: Consultation,
  answer: Settled,
  ctx: Asker,
  fileExists: (path: string) => boolean,
): Settled {
  // An idle session may move between the end of the consultation and this moment.
  const settled = withheldIfMoved(answer, ctx.sessionManager);
  const { outcome, record } = settled;
  // What a shell is told does not hang on whether the session can keep it.
  if (ctx.mode === "print") print(outcome);
  deliver(outbox, consultation, settled, ctx);
  if (outcome.kind !== "advised") {
    if (ctx.mode === "rpc") ctx.ui.notify(outcomeSentence(outcome), "warning");
    return settled;
  }
  if (ctx.mode === "print") return settled;
  const file = ctx.sessionManager.getSessionFile();
  // Pi writes a session only once it holds a user or assistant message; until then the child alone is kept.
  if (file === undefined || fileExists(file) || !record.childSessionFile) return settled;
  const report: Report = {
    sentence: `The advice is kept in ${record.childSessionFile}; this session itself is not saved before your first message to the executor.`,
  };
  outbox.appendEntry(REPORT_ENTRY, report);
  return settled;
}

function print(outcome: Outcome): void {
  if (outcome.kind === "advised") {
    writeStandardOutput(`${outcome.advice}\n`);
    return;
  }
  console.error(outcomeSentence(outcome));
  process.exitCode = 1;
}
