import { stripTerminalSequences } from "@mariozechner/pi-tui";
import { expect, test } from "vitest";
import { drawCard } from "../../src/view/card.ts";
import { plainLine, plainText } from "../../src/view/plain.ts";
import { drawReport } from "../../src/view/report.ts";
import { drawCall } from "../../src/view/row.ts";
import { palette } from "../support/palette.ts";
import { consultationRecord } from "../support/record.ts";

const REVERSED = "run \u202egnp.exe";

test("Characters that reorder or hide text are made visible in card, row and report, and joiners and flags stay.", () => {
  const theme = palette();
  const options = { expanded: false, expandHint: "", padding: 1 };
  const record = consultationRecord({ outcome: "failed", reason: REVERSED, subject: REVERSED });

  const drawn = [
    drawCard(REVERSED, consultationRecord(), options, theme),
    drawCall({ question: REVERSED }, options, theme),
    drawReport({ sentence: REVERSED, record }, options, theme),
  ].map((component) => stripTerminalSequences(component.render(80).join("\n")));

  for (const words of drawn) {
    expect(words).toContain("⟨U+202E⟩");
    expect(words).not.toContain("\u202e");
  }
  expect(plainText("a\u200bb\u00adc\u{e0041}d")).toBe("a⟨U+200B⟩b⟨U+00AD⟩c⟨U+E0041⟩d");
  expect(plainText("👨‍👩‍👧 क्\u200dष می\u200cخواهم")).toBe("👨‍👩‍👧 क्\u200dष می\u200cخواهم");
  const england = "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}";
  expect(plainText(england)).toBe(england);
});

test("every kind of line break is one, and on one line each is a blank", () => {
  expect(plainText("a\r\nb\rc\u2028d\u2029e")).toBe("a\nb\nc\nd\ne");
  expect(plainLine(" a\r\nb\t\tc\u2029d ")).toBe("a b c d");
});
