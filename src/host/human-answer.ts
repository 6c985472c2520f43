// The end of a human question, in every mode: the advice as a message that starts no turn, a failure as a
// report, and in print mode the words themselves, since Pi prints only what an assistant said.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Consultation } from "../core/consultation.ts";
import { outcomeSentence } from "../core/outcome.ts";
import type { Outbox } from "./delivery.ts";
import { deliver } from "./delivery.ts";
import type { Settled } from "./engine.ts";
import type { Report } from "./report.ts";
import { REPORT_ENTRY } from "./report.ts";
import { withheldIfMoved } from "./settlement.ts";
import { writeStandardOutput } from "./standard-output.ts";

export type Asker = Pick<ExtensionContext, "mode" | "ui" | "sessionManager">;

export function answerHuman(
  outbox: Outbox,
  consultation: Consultation,
  answer: Settled,
  ctx: Asker,
  fileExists: (path: string) => boolean,
): void {
  // An idle session may move between the end of the consultation and this moment.
  const settled = withheldIfMoved(answer, ctx.sessionManager);
  deliver(outbox, consultation, settled);
  const { outcome, record } = settled;
  if (outcome.kind !== "advised") {
    const sentence = outcomeSentence(outcome);
    if (ctx.mode === "rpc") ctx.ui.notify(sentence, "warning");
    if (ctx.mode !== "print") return;
    console.error(sentence);
    process.exitCode = 1;
    return;
  }
  if (ctx.mode === "print") {
    writeStandardOutput(`${outcome.advice}\n`);
    return;
  }
  const file = ctx.sessionManager.getSessionFile();
  // Pi writes a session only once it holds a user or assistant message; until then the child alone is kept.
  if (file === undefined || fileExists(file) || !record.childSessionFile) return;
  const report: Report = {
    sentence: `The advice is kept in ${record.childSessionFile}; this session itself is not saved before your first message to the executor.`,
  };
  outbox.appendEntry(REPORT_ENTRY, report);
}
