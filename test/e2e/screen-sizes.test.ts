/** Terminals of every size, changed while a consultation works, and advice that no terminal could hold as it is. */

import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { call, drip, gate, say } from "../support/steps.ts";
import { startTui } from "../support/tui.ts";

const WIDTHS = [20, 250, 26, 133, 40, 80];

const ADVICE = [
  "# Heading\n\nx".padEnd(5000, "x"),
  `\n\n| ${Array.from({ length: 30 }, (_, n) => `c${n}`).join(" | ")} |\n|${"---|".repeat(30)}\n|${" v |".repeat(30)}`,
  `\n\n\`\`\`ts\n${Array.from({ length: 400 }, (_, n) => `const line${n} = ${n};`).join("\n")}\n\`\`\``,
  "\n\n表表表 👨‍👩‍👧‍👦 مرحبا क्षत्रिय e\u0301\u0301 \ttab\rreturn \u001b[2J\u001b]0;TITLE\u0007 \u202egnirts",
  "\n\nLAST-WORD",
];

test("A terminal may be resized to any width while a consultation works and after it, and every line fits.", async () => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  await using pi = await startTui(home, { cols: 80, rows: 30 });
  const answer = gate(drip(ADVICE, { pauseMs: 1 }), { after: 4 });
  const question = gate(drip(ADVICE, { pauseMs: 1 }), { after: 4 });
  server.script("exec", [call("angel", { question: `Why? ${"表".repeat(300)}` }), say("DONE")]);
  server.script("adv", [answer, question]);
  const throughAllWidths = async (isThere: (lines: readonly string[]) => boolean) => {
    for (const cols of WIDTHS) {
      await pi.resize(cols, 30);
      await pi.until((seen) => isDrawnAt(seen, cols) && isThere(seen), `a screen of ${cols} columns`);
    }
  };
  const shows = (words: string) => (lines: readonly string[]) => lines.join("\n").includes(words);

  await pi.type("work");
  await pi.press("Enter");
  await pi.until("provisional");
  await throughAllWidths(isTwoLineRow);
  answer.open();
  await pi.until("DONE");
  await throughAllWidths(shows("DONE"));
  await pi.type("/angel Is it so?");
  await pi.press("Enter");
  await pi.until("provisional");
  await throughAllWidths(shows("writing"));
  question.open();
  await pi.until((lines) => shows("LAST-WORD")(lines) && !shows("provisional")(lines), "the card");
  await throughAllWidths(shows("LAST-WORD"));

  expect(pi.exitCode()).toBeUndefined();
});

/** A line that is too wide would go on in the next one. */
function isTwoLineRow(lines: readonly string[]): boolean {
  const at = lines.findIndex((line) => line.startsWith(" angel"));
  const [question = "", state = "", padding] = lines.slice(at, at + 3);
  return question.endsWith("…") && /^ [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] writing/.test(state) && padding === "";
}

/** Pi has drawn its editor's line at the new width. */
function isDrawnAt(lines: readonly string[], cols: number): boolean {
  return lines.some((line) => line.startsWith("──") && line.trimEnd().length === cols);
}
