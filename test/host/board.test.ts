/** The board's life: it hangs only while somebody has a line on it, and its timer with it. */

import type { Component, TUI } from "@mariozechner/pi-tui";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Board, Surface } from "../../src/host/board.ts";
import { hangBoard } from "../../src/host/board.ts";
import { palette } from "../support/palette.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Widget = Component & { dispose?(): void };

/** A place for one widget that keeps Pi's rule: what is replaced or taken down is disposed. */
function screen(mode: Surface["mode"]) {
  const seen: { widget?: Widget; lines: (readonly string[])[]; redraws: number } = { lines: [], redraws: 0 };
  const tui = {
    requestRender() {
      seen.redraws += 1;
    },
  } as unknown as TUI;
  const setWidget = (_key: string, content: unknown) => {
    seen.widget?.dispose?.();
    delete seen.widget;
    if (typeof content === "function") seen.widget = content(tui, palette());
    if (Array.isArray(content)) seen.lines.push(content);
  };
  return { seen, surface: { mode, ui: { setWidget } } as unknown as Surface };
}

function openTwo(board: Board, surface: Surface) {
  return [board.open(surface, "one", "hint"), board.open(surface, "two", "hint")] as const;
}

test("The board's spinner turns only while something is on the board, and its timer is gone with the last line.", () => {
  const board = hangBoard(() => 0);
  const { seen, surface } = screen("tui");

  const [one, two] = openTwo(board, surface);
  vi.advanceTimersByTime(3000);
  const whileOpen = { timers: vi.getTimerCount(), redraws: seen.redraws };
  one.close();
  const withOne = vi.getTimerCount();
  two.close();
  const redraws = seen.redraws;
  vi.advanceTimersByTime(10_000);

  expect(whileOpen.timers).toBe(1);
  expect(whileOpen.redraws).toBe(10);
  expect(withOne).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
  expect(seen.redraws).toBe(redraws);
  expect(seen.widget).toBeUndefined();
});

test("a widget that Pi takes down by itself takes its timer along", () => {
  const { seen, surface } = screen("tui");
  const line = hangBoard(() => 0).open(surface, "one", "hint");

  seen.widget?.dispose?.();
  line.show({ words: "writing", sinceMs: 0, provisional: "late" });
  line.close();

  expect(vi.getTimerCount()).toBe(0);
});

test("a line that is closed says nothing more", () => {
  const { seen, surface } = screen("tui");
  const [one, two] = openTwo(
    hangBoard(() => 0),
    surface,
  );

  one.close();
  one.say("LATE");

  expect(seen.widget?.render(80).join("\n")).not.toContain("LATE");
  two.close();
});

test("Clients that show lines are told when the words change, and never what is being written.", () => {
  const { seen, surface } = screen("rpc");
  const line = hangBoard(() => 0).open(surface, "Is it so?", "/angel cancel stops it");

  for (let n = 0; n < 1000; n += 1) line.show({ words: "writing", sinceMs: 0, provisional: `text ${n}` });
  line.close();

  expect(seen.lines).toEqual([
    ["Angel · Is it so?", "  starting · /angel cancel stops it"],
    ["Angel · Is it so?", "  writing · /angel cancel stops it"],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});
