import { fauxAssistantMessage } from "@mariozechner/pi-ai";
import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import { adviceMessages, reports, requestTexts } from "../support/stall.ts";

function scriptStall(pi: InProcess): void {
  pi.faux.exec.script([fauxCall("flaky", { n: 1 }), fauxCall("flaky", { n: 1 })]);
}

/** Another extension that returns entries from turn_end without passing on what others returned. */
const selfish: InlineExtension = {
  name: "selfish",
  factory: (pi) => {
    pi.on("turn_end", () => ({ entries: [{ type: "custom", customType: "selfish" }] }));
  },
};

test("The advice enters the very next request exactly once, after the results and before what the user steered meanwhile.", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension, selfish] });
  scriptStall(pi);
  pi.faux.exec.script([fauxSay("done"), fauxSay("really done")]);
  pi.faux.adv.script([
    async () => {
      await pi.session.prompt("STEERED", { streamingBehavior: "steer" });
      return fauxAssistantMessage("ADVICE-7f3 <b>unaltered</b>\n");
    },
  ]);

  await pi.session.prompt("make it work");

  const third = requestTexts(pi.faux.exec, 2);
  const at = (text: string) => third.findIndex((message) => message.includes(text));
  expect(third.filter((message) => message.includes("ADVICE-7f3"))).toHaveLength(1);
  expect(at("ADVICE-7f3")).toBeGreaterThan(
    third.findLastIndex((message) => message.includes("flaky failed")),
  );
  expect(at("STEERED")).toBe(at("ADVICE-7f3") + 1);
  const [advice] = adviceMessages(pi.sessionManager);
  expect(advice?.content).toEqual([
    {
      type: "text",
      text: expect.stringMatching(/^Angel, an independent read-only advisor, looked into .*flaky/),
    },
    { type: "text", text: "ADVICE-7f3 <b>unaltered</b>\n" },
  ]);
  expect(advice?.details).toMatchObject({ origin: "error", outcome: "advised", model: "adv/adv" });
  expect(JSON.stringify(advice?.details)).not.toContain("ADVICE");
});

test("advice stays single in later requests and after a compaction", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  scriptStall(pi);
  pi.faux.exec.script([fauxSay("done"), fauxSay("and again"), fauxSay("SUMMARY"), fauxSay("after")]);
  pi.faux.adv.script([fauxSay("ADVICE-7f3")]);

  await pi.session.prompt("make it work");
  await pi.session.prompt("thanks");

  expect(requestTexts(pi.faux.exec, 3).filter((message) => message.includes("ADVICE-7f3"))).toHaveLength(1);
  expect(adviceMessages(pi.sessionManager)).toHaveLength(1);
});

test("A failed automatic consultation leaves the executor's context untouched and the run going.", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  scriptStall(pi);
  pi.faux.exec.script([fauxSay("done")]);
  pi.faux.adv.script([fauxAssistantMessage("", { stopReason: "error", errorMessage: "401 bad key" })]);

  await pi.session.prompt("make it work");

  const third = requestTexts(pi.faux.exec, 2);
  expect(third.at(-1)).toContain("flaky failed");
  expect(third.join("\n")).not.toContain("401");
  expect(adviceMessages(pi.sessionManager)).toEqual([]);
  expect(reports(pi.sessionManager)).toMatchObject([
    { sentence: expect.stringContaining("401 bad key"), record: { origin: "error", outcome: "failed" } },
  ]);
  expect(pi.session.messages.at(-1)).toMatchObject({ role: "assistant", stopReason: "stop" });
});

test("an abort during an automatic consultation ends the run, and nothing is sent", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  scriptStall(pi);
  pi.faux.adv.script([
    () => {
      void pi.session.abort();
      return fauxAssistantMessage("TOO-LATE");
    },
  ]);

  await pi.session.prompt("make it work");

  expect(pi.faux.exec.requests).toHaveLength(2);
  expect(adviceMessages(pi.sessionManager)).toEqual([]);
  expect(reports(pi.sessionManager)).toMatchObject([{ record: { outcome: "cancelled" } }]);
  expect(JSON.stringify(pi.sessionManager.getEntries())).not.toContain("TOO-LATE");

  pi.faux.exec.script([fauxSay("still here")]);
  await pi.session.prompt("go on");
  expect(pi.session.getLastAssistantText()).toBe("still here");
});

test("an automatic consultation is charged to the parent once", async () => {
  const flaky = flakyTool();
  await using pi = await startSession({ factories: [flaky.extension] });
  scriptStall(pi);
  pi.faux.exec.script([fauxSay("done")]);
  pi.faux.adv.script([fauxSay("ADVICE")]);

  await pi.session.prompt("make it work");

  const charges = pi.sessionManager
    .getEntries()
    .filter((entry) => entry.type === "usage" && entry.kind === "angel");
  expect(charges).toMatchObject([{ provider: "adv", model: "adv" }]);
});
