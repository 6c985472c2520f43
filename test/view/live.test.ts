import { stripTerminalSequences, visibleWidth } from "@mariozechner/pi-tui";
import { expect, test } from "vitest";
import type { Progress } from "../../src/core/progress.ts";
import { withText } from "../../src/core/progress.ts";
import type { Live, LiveOptions } from "../../src/view/live.ts";
import { drawLive } from "../../src/view/live.ts";
import { palette } from "../support/palette.ts";

function rows(live: Live, width: number, options: Partial<LiveOptions> = {}): string[] {
  const usual = { showsText: true, now: () => 12_400, hint: "" };
  return drawLive(live, { ...usual, ...options }, palette())
    .render(width)
    .map((row) => stripTerminalSequences(row).trimEnd());
}

test("A running consultation says what it does, for how long and what stops it; where room is short, the time goes first.", () => {
  const live = { words: "reading src/parser.ts · 3 tools", sinceMs: 0 };
  const hint = "/angel cancel stops it";

  const at = (width: number) => rows(live, width, { hint });

  expect(at(80)).toEqual(["⠼ reading src/parser.ts · 3 tools · 12 s · /angel cancel stops it"]);
  expect(at(60)).toEqual(["⠼ reading src/parser.ts · 3 tools · /angel cancel stops it"]);
  expect(at(40)).toEqual(["⠼ reading src/parser.ts · 3 tools · 12 s"]);
  expect(at(20)).toEqual(["⠼ reading src/parse…"]);
});

test("The spinner turns with the clock and with nothing else, and stands still for what waits.", () => {
  const frames = (live: Live) =>
    [0, 99, 100, 200, 1000].map((ms) => rows(live, 20, { now: () => ms })[0]?.[0]);

  const running = frames({ words: "thinking", sinceMs: 0 });
  const waiting = frames({ words: "waits for the end of this turn" });

  expect(running).toEqual(["⠋", "⠋", "⠙", "⠹", "⠋"]);
  expect(new Set(waiting)).toEqual(new Set(["○"]));
});

test("Text that is being written is marked as provisional and shows its last lines only.", () => {
  const provisional = Array.from({ length: 50 }, (_, i) => `line ${i}`).join("\n\n");
  const live = { words: "writing", sinceMs: 0, provisional };

  const below = rows(live, 40);
  const endless = rows({ ...live, provisional: "x".repeat(100_000) }, 40);

  expect(below).toEqual([
    "⠼ writing · 12 s",
    "┌ provisional, may still change",
    "│ line 47",
    "│ line 48",
    "│ line 49",
  ]);
  expect(endless).toHaveLength(5);
  expect(rows({ ...live, provisional: " \n " }, 40)).toEqual(["⠼ writing · 12 s"]);
});

test("in a collapsed row the line that is being written stands beside the state, if there is room to read it", () => {
  const live = {
    words: "writing · 1 tool",
    sinceMs: 0,
    provisional: "First.\n\nThe cache holds a stale entry",
  };
  const at = (width: number) => rows(live, width, { showsText: false, hint: "ctrl+o to expand" });

  expect(at(80)).toEqual(["⠼ writing · 1 tool · 12 s · provisional: The cache holds a stale entry"]);
  expect(at(65)).toEqual(["⠼ writing · 1 tool · 12 s · provisional: entry"]);
  expect(at(50)).toEqual(["⠼ writing · 1 tool · 12 s"]);
  expect(rows({ ...live, provisional: "First.\n\n- " }, 80, { showsText: false })).toEqual([
    "⠼ writing · 1 tool · 12 s · provisional: First.",
  ]);
});

test("what is written in half a character or half a colour neither breaks the line nor the terminal", () => {
  const cutEmoji = `${"😀".repeat(600)}`.slice(1);
  const cutColour = "red \u001b[3";

  for (const provisional of [cutEmoji, cutColour]) {
    const drawn = drawLive(
      { words: "writing", sinceMs: 0, provisional },
      { showsText: true, now: () => 0, hint: "" },
      palette(),
    ).render(41);
    expect(drawn.every((row) => visibleWidth(row) <= 41)).toBe(true);
    expect(stripTerminalSequences(drawn.join(""))).not.toMatch(
      /\p{Cc}|[\uDC00-\uDFFF](?<![\uD800-\uDBFF].)/u,
    );
  }
});

test("What is kept of a stream is its end, however long it is.", () => {
  let progress: Progress = { toolCount: 1, provisional: "" };
  for (let i = 0; i < 100_000; i += 1) progress = withText(progress, `${i} `);

  expect(progress.provisional.length).toBeLessThanOrEqual(2000);
  expect(progress.provisional.endsWith("99998 99999 ")).toBe(true);
});
