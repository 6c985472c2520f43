import { fauxAssistantMessage, fauxText } from "@mariozechner/pi-ai";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { startSession } from "../support/in-process.ts";
import { requestTexts } from "../support/stall.ts";

test("all text blocks of the last message count, joined by a blank line, and empty ones leave no trace", async () => {
  await using pi = await startSession();
  pi.faux.exec.script([fauxCall("angel", { question: "why?" }), fauxSay("done")]);
  pi.faux.adv.script([
    fauxAssistantMessage([fauxText(""), fauxText("FIRST"), fauxText(""), fauxText("SECOND\n")]),
  ]);

  await pi.session.prompt("ask");

  expect(requestTexts(pi.faux.exec, 1).at(-1)).toBe("FIRST\n\nSECOND\n");
});
