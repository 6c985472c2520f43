import { stripTerminalSequences } from "@mariozechner/pi-tui";
import { expect, test } from "vitest";
import type { RowOptions } from "../../src/view/row.ts";
import { drawCall, drawResult } from "../../src/view/row.ts";
import { palette } from "../support/palette.ts";
import { consultationRecord } from "../support/record.ts";

const COLLAPSED: RowOptions = { expanded: false, expandHint: "ctrl+o to expand", isAlone: false };
const EXPANDED: RowOptions = { expanded: true, expandHint: "", isAlone: false };
const ADVICE = "**THE ADVICE**";

function row(
  overrides: Parameters<typeof consultationRecord>[0],
  width: number,
  options = COLLAPSED,
): string[] {
  return drawResult(consultationRecord(overrides), ADVICE, options, palette())
    .render(width)
    .map((line) => stripTerminalSequences(line).trimEnd());
}

test("Where a row is narrow, whole facts are left out, and the state and the key stay.", () => {
  const at = (width: number) => row({}, width);

  expect(at(120)).toEqual([
    "advised · local/adv · thinking max · 12 s · 3.8k tokens · $0.0034 · session 01a22eb8-113c · ctrl+o to expand",
  ]);
  expect(at(80)).toEqual(["advised · local/adv · thinking max · 12 s · $0.0034 · ctrl+o to expand"]);
  expect(at(40)).toEqual(["advised · local/adv · ctrl+o to expand"]);
  expect(at(20)).toEqual(["advised · local/adv"]);
});

test("a row without advice says why, in words, and a clamp, missing usage and a missing price are said", () => {
  const thinking = { requested: "max", effective: "high" };

  const failed = row(
    { outcome: "failed", reason: "the provider is down.", usage: { state: "unavailable" } },
    120,
  );
  const cancelled = row({ outcome: "cancelled", reason: "the user pressed Esc." }, 80);
  const clamped = row({ thinking }, 120);

  expect(failed[0]).toMatch(
    /^failed: the provider is down\. · local\/adv · thinking max · 12 s · usage unavailable/,
  );
  expect(cancelled[0]).toMatch(/^cancelled: the user pressed Esc\. · local\/adv .*ctrl\+o to expand$/);
  expect(clamped[0]).toContain("thinking high (asked max)");
});

test("a long reason leaves room for the key that shows the whole of it", () => {
  const [line = ""] = row({ outcome: "failed", reason: "x".repeat(500) }, 80);

  expect(line).toMatch(/^failed: x+… · ctrl\+o to expand$/);
});

test("The expanded row shows question and context whole, all metadata, and where the child session is and how to open it.", () => {
  const question = `${"Why? ".repeat(100)}LAST-OF-QUESTION`;
  const context = "first\nLAST-OF-CONTEXT";

  const call = stripTerminalSequences(
    drawCall({ question, context }, { expanded: true }, palette()).render(80).join("\n"),
  );
  const result = row({ subject: "Why?" }, 200, EXPANDED);

  expect(call).toContain("LAST-OF-QUESTION");
  expect(call).toContain("LAST-OF-CONTEXT");
  expect(result).toEqual([
    "advised",
    "origin executor, asked 2026-11-30T12:00:00.000Z, took 12 s",
    "model local/adv",
    "thinking requested max, effective max",
    "usage input 3000, output 150, cache read 600, cache write 0, $0.0034",
    "child session Angel · executor · Why?",
    "open it with pi --session 01a22eb8-113c-713c-8bc8-463fc5d03313, or below its parent in /resume",
    "kept in /sessions/2026-11-30_01a22eb8.jsonl",
  ]);
});

test("the row holds the advice only where no card stands beside it", () => {
  const alone = { ...EXPANDED, isAlone: true };

  expect(row({}, 80, EXPANDED).join("\n")).not.toContain("THE ADVICE");
  expect(row({}, 80, { ...COLLAPSED, isAlone: true }).join("\n")).not.toContain("THE ADVICE");
  expect(row({}, 80, alone).join("\n")).toContain("THE ADVICE");
  expect(row({ outcome: "failed", reason: "no." }, 80, alone).join("\n")).not.toContain("THE ADVICE");
});

test("a line that is cut leaves the background of the row alone", () => {
  const call = drawCall(
    { question: "x".repeat(200) },
    { expanded: false },
    {
      ...palette(),
      fg: (_color, text) => text,
      bold: (text) => text,
    },
  );

  const [line = ""] = call.render(40);

  expect(line).toContain("…");
  expect(line).not.toContain("\u001b[0m");
});
