import { stripTerminalSequences } from "@mariozechner/pi-tui";
import { expect, test } from "vitest";
import type { BoardRow } from "../../src/view/board-rows.ts";
import { boardText, drawBoard } from "../../src/view/board-rows.ts";
import { palette } from "../support/palette.ts";

const HINT = "Esc when idle or /angel cancel stops it";
const RUNNING: BoardRow = {
  heading: "Is it so?",
  hint: HINT,
  live: { words: "writing", sinceMs: 0, provisional: "one\ntwo\nthree\nfour" },
};
const WAITING: BoardRow = {
  heading: "And is the second question of the user a long one, or what?",
  hint: "/angel cancel stops it",
  live: { words: "waits for the end of this turn" },
};

function drawn(rows: readonly BoardRow[], width: number): string[] {
  return drawBoard(rows, () => 3000, palette())
    .render(width)
    .map((row) => stripTerminalSequences(row).trimEnd());
}

test("The board shows what runs with the last lines it writes, and what waits, for what, and how to stop it.", () => {
  const rows = drawn([RUNNING, WAITING], 80);

  expect(rows).toEqual([
    " Angel · Is it so?",
    " ⠋ writing · 3 s · Esc when idle or /angel cancel stops it",
    " ┌ provisional, may still change",
    " │ two",
    " │ three",
    " │ four",
    " Angel · And is the second question of the user a long one, or what?",
    " ○ waits for the end of this turn · /angel cancel stops it",
  ]);
});

test("on a narrow screen the reason stays and the key goes", () => {
  const rows = drawn([WAITING], 40);

  expect(rows).toEqual([" Angel · And is the second question of …", " ○ waits for the end of this turn"]);
});

test("many that wait are counted instead of listed, and what runs comes first", () => {
  const rows = drawn([...Array<BoardRow>(9).fill(WAITING), RUNNING], 80);

  expect(rows).toHaveLength(6 + 2 * 2 + 1);
  expect(rows[0]).toBe(" Angel · Is it so?");
  expect(rows.at(-1)).toBe(" and 7 more that wait");
});

test("clients that show lines get words and no text that is being written", () => {
  expect(boardText([RUNNING])).toEqual(["Angel · Is it so?", `  writing · ${HINT}`]);
});
