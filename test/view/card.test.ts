import { stripTerminalSequences } from "@mariozechner/pi-tui";
import { expect, test } from "vitest";
import { drawCard } from "../../src/view/card.ts";
import { drawReport } from "../../src/view/report.ts";
import { drawCall, drawResult } from "../../src/view/row.ts";
import { palette } from "../support/palette.ts";
import { consultationRecord } from "../support/record.ts";

const COLLAPSED = { expanded: false, expandHint: "ctrl+o to expand", padding: 1 };
const EXPANDED = { expanded: true, expandHint: "", padding: 1 };
const ROW = { ...COLLAPSED, isAlone: false };

function textOf(lines: readonly string[]): string {
  return stripTerminalSequences(lines.join("\n"));
}

test("The advice card shows the whole advice as Markdown with its metadata, also when another version wrote it.", () => {
  const theme = palette();
  const advice = `# Cause\n\n${Array.from({ length: 300 }, (_, i) => `- point ${i}`).join("\n")}\n\nLAST-WORD`;
  const newer = { ...consultationRecord(), version: 7, origin: "review", novelty: { deep: [1] } };
  const broken: unknown[] = [
    undefined,
    null,
    5,
    "x",
    [],
    {},
    { consultationId: 5 },
    { consultationId: "x", outcome: "odd" },
  ];

  const collapsed = textOf(drawCard(advice, consultationRecord(), COLLAPSED, theme).render(120));
  const expanded = textOf(drawCard(advice, consultationRecord(), EXPANDED, theme).render(120));

  expect(collapsed).toContain("point 299");
  expect(collapsed).toContain("LAST-WORD");
  expect(collapsed).toContain(
    "local/adv · thinking max · 12 s · 3.8k tokens · $0.0034 · session 01a22eb8-113c",
  );
  expect(expanded).toContain("usage input 3000, output 150, cache read 600, cache write 0, $0.0034");
  expect(expanded).toContain("kept in /sessions/2026-11-30_01a22eb8.jsonl");
  expect(textOf(drawCard(advice, newer, COLLAPSED, theme).render(120))).toContain("LAST-WORD");
  for (const details of broken) {
    expect(textOf(drawCard(advice, details, COLLAPSED, theme).render(80))).toContain("LAST-WORD");
  }
});

test("a card without advice says so and keeps its metadata", () => {
  for (const advice of ["", " \n\t"]) {
    const words = textOf(drawCard(advice, consultationRecord(), COLLAPSED, palette()).render(120));
    expect(words).toContain("This entry holds no advice that can be read.");
    expect(words).toContain("session 01a22eb8-113c");
  }
});

test("what is not known is said to be unavailable", () => {
  const theme = palette();
  const unpriced = consultationRecord({
    usage: { state: "partial", input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
  });

  expect(
    textOf(
      drawCard("a", consultationRecord({ usage: { state: "unavailable" } }), COLLAPSED, theme).render(120),
    ),
  ).toContain("usage unavailable");
  expect(textOf(drawCard("a", unpriced, COLLAPSED, theme).render(120))).toContain(
    "at least 2 tokens · cost unavailable",
  );
});

test("a clamped thinking level shows both levels", () => {
  const record = consultationRecord({ thinking: { requested: "max", effective: "high" } });

  expect(textOf(drawResult(record, "", ROW, palette()).render(120))).toContain("thinking high (asked max)");
});

test("half-streamed arguments and results of another shape are drawn without harm", () => {
  const theme = palette();
  for (const args of [
    undefined,
    null,
    5,
    {},
    { question: null },
    { question: 5 },
    { question: "half a que" },
  ]) {
    expect(drawCall(args, COLLAPSED, theme).render(80)).toHaveLength(1);
  }
  for (const details of [undefined, null, {}, { consultationId: "x", outcome: "failed" }]) {
    expect(drawResult(details, "some words", ROW, theme).render(80)).toHaveLength(1);
  }
  for (const data of [undefined, null, 7, {}, { sentence: 5 }, { sentence: "words", record: 5 }]) {
    expect(drawReport(data, COLLAPSED, theme).render(80).length).toBeLessThanOrEqual(2);
  }
});
