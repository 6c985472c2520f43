import type { Component } from "@mariozechner/pi-tui";
import { stripTerminalSequences, visibleWidth } from "@mariozechner/pi-tui";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { ConsultationRecord } from "../../src/core/record.ts";
import { activityWords } from "../../src/view/activity.ts";
import type { BoardRow } from "../../src/view/board-rows.ts";
import { drawBoard } from "../../src/view/board-rows.ts";
import { drawCard } from "../../src/view/card.ts";
import { drawLive } from "../../src/view/live.ts";
import { drawReport } from "../../src/view/report.ts";
import { drawCall, drawResult } from "../../src/view/row.ts";
import { palette } from "../support/palette.ts";
import { consultationRecord } from "../support/record.ts";

const ESCAPE = String.fromCharCode(27);

const NASTY: readonly string[] = [
  "x".repeat(5000),
  "表".repeat(200),
  "👨‍👩‍👧‍👦".repeat(50),
  "🇸🇪🇩🇪",
  "\u0600العربية مرحبا",
  "क्षत्रिय ज्ञान",
  "\u200d",
  "\u3164\u3164✅",
  "a\tb\tc",
  "line\rover\r\nwritten",
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007 \u001b]8;;http://x\u0007link\u001b]8;;\u0007",
  "\u009b31mC1\u009d0;t\u009c",
  "\u202egnirts\u202c \u2066isolated\u2069 zero\u200bwidth \ufeff",
  "e\u0301".repeat(300),
  "\u{e0041}\u{e0042}\u00ad\u3164 \u2028separated\u2029 \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "\ud800 lone \udc00",
  `|${" a |".repeat(30)}\n|${"---|".repeat(30)}\n|${" b |".repeat(30)}`,
  `\`\`\`ts\n${"y".repeat(400)}\n\`\`\``,
  Array.from({ length: 400 }, (_, i) => `    line ${i}`).join("\n"),
  "# heading\n\n> quote\n\n1. one\n2. two\n\n<b>html</b> &amp; [link](http://example.com/a/b/c)",
  "",
];

const text = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 3 }).map((parts) => parts.join("\n\n").slice(0, 20_000)),
);
const width = fc.oneof(fc.constantFrom(20, 26, 40, 79, 80, 120, 200, 250), fc.integer({ min: 20, max: 250 }));

/** Every component that Angel draws, made of the same text. */
function components(words: string, record: ConsultationRecord, expanded: boolean): readonly Component[] {
  const theme = palette();
  const strange = { ...record, model: words, reason: words, childSessionId: words, childSessionFile: words };
  const options = { expanded, expandHint: "ctrl+o to expand", isAlone: expanded };
  const failed = { ...strange, outcome: "failed" as const };
  const tool = { name: words, args: { path: words, pattern: words } };
  return [
    drawCall({ question: words, context: words }, { expanded }, theme),
    drawLive(
      { words: activityWords({ toolCount: 3, provisional: words, tool }), sinceMs: 0, provisional: words },
      { showsText: expanded, now: () => 61_000, hint: "Esc stops it" },
      theme,
    ),
    drawBoard(boardRows(words), () => 61_000, theme),
    drawResult(strange, words, options, theme),
    drawResult(failed, words, options, theme),
    drawResult(undefined, words, options, theme),
    drawCard(words, strange, { ...options, padding: 1 }, theme),
    drawReport({ sentence: words, record: failed }, options, theme),
  ];
}

function boardRows(words: string): readonly BoardRow[] {
  const running = { words, sinceMs: 0, provisional: words };
  const waiting = { words: "waits for the end of this turn" };
  return [running, waiting].map((live) => ({ heading: words, hint: "/angel cancel stops it", live }));
}

/** What a terminal would act on: anything but the colours and links that the palette and Pi's Markdown put there. */
function controls(line: string): string {
  return [...stripTerminalSequences(line)]
    .filter((character) => /[\p{Cc}\u200b\u202a-\u202e\u2066-\u2069]/u.test(character))
    .join("");
}

/** Sequences that no component of Angel has a reason to draw: a title, a cursor move, a mode. */
function foreignSequences(line: string): readonly string[] {
  const sequences = line.split(ESCAPE).slice(1);
  return sequences.filter((rest) => !/^\[[0-9;]*m/.test(rest) && !/^\]8;;/.test(rest) && !/^\\/.test(rest));
}

test("No component draws a line wider than the terminal or lets a control sequence through.", {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(text, width, fc.boolean(), (words, columns, expanded) => {
      for (const component of components(words, consultationRecord(), expanded)) {
        for (const line of component.render(columns)) {
          expect(visibleWidth(line)).toBeLessThanOrEqual(columns);
          expect(controls(line)).toBe("");
          expect(foreignSequences(line)).toEqual([]);
        }
      }
    }),
    { numRuns: 400 },
  );
});

test("The collapsed tool row is two lines at most and never shows the advice.", () => {
  const theme = palette();
  const options = { expanded: false, expandHint: "ctrl+o to expand", isAlone: false };
  for (const words of NASTY) {
    for (const columns of [20, 80, 200]) {
      const call = drawCall({ question: words, context: words }, options, theme).render(columns);
      const running = drawLive(
        { words, sinceMs: 0, provisional: words },
        { showsText: false, now: () => 0, hint: options.expandHint },
        theme,
      ).render(columns);
      const ended = drawResult(consultationRecord(), "THE-ADVICE", options, theme).render(columns);
      expect(call.length + Math.max(running.length, ended.length)).toBeLessThanOrEqual(2);
      expect(ended.join("\n")).not.toContain("THE-ADVICE");
    }
  }
});
