import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Setting } from "../../scripts/eval/journal.ts";
import { openJournal } from "../../scripts/eval/journal.ts";
import { lineOf } from "../support/eval/line.ts";

const SETTING: Setting = { executor: "local/exec:high", advisor: "local/adv:max", asking: "prompted" };
const MADE = lineOf().made;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "angel-journal-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("A run that stands in the results is not run again, and one that failed is.", () => {
  const place = folder();
  const journal = openJournal(place, SETTING);
  journal.add(lineOf());
  journal.add(lineOf({ run: 2, result: { kind: "failed", because: "no credit" } }));

  const again = openJournal(place, SETTING);

  expect(again.has({ episode: "far-cause", arm: "angel", run: 1 }, MADE)).toBe(true);
  expect(again.has({ episode: "far-cause", arm: "angel", run: 2 }, MADE)).toBe(false);
  expect(again.has({ episode: "far-cause", arm: "alone", run: 1 }, MADE)).toBe(false);
  expect(again.has({ episode: "race", arm: "angel", run: 1 }, MADE)).toBe(false);
  expect(readFileSync(join(place, "results.jsonl"), "utf8").trim().split("\n")).toHaveLength(2);
});

test("The last line of a run counts.", () => {
  const place = folder();
  const journal = openJournal(place, SETTING);
  journal.add(lineOf({ result: { kind: "failed", because: "no credit" } }));
  journal.add(lineOf());

  expect(openJournal(place, SETTING).lines()).toEqual([lineOf()]);
});

test("A line that was being written when the machine stopped is dropped, and the next one is whole.", () => {
  const place = folder();
  openJournal(place, SETTING).add(lineOf());
  appendFileSync(join(place, "results.jsonl"), JSON.stringify(lineOf({ run: 2 })).slice(0, 60));

  const journal = openJournal(place, SETTING);
  journal.add(lineOf({ run: 3 }));

  expect(
    openJournal(place, SETTING)
      .lines()
      .map(({ run }) => run),
  ).toEqual([1, 3]);
});

test("Runs of other models, versions or episodes are never mixed into one table.", () => {
  const place = folder();
  openJournal(place, SETTING).add(lineOf());
  const key = { episode: "far-cause", arm: "angel", run: 1 };
  const open = (setting: Partial<Setting>) => openJournal(place, { ...SETTING, ...setting });

  expect(() => open({ executor: "a/b:high" })).toThrow(
    /holds runs with the executor "local\/exec:high", and now it is "a\/b:high"; take another folder with --out\.$/,
  );
  expect(() => open({ advisor: "a/b:max" })).toThrow('the advisor "local/adv:max"');
  expect(() => open({ asking: "free" })).toThrow('the asking "prompted"');
  expect(() => open({}).has(key, { ...MADE, pi: "1.7.0" })).toThrow(
    "another version of Pi (1.6.0, now 1.7.0)",
  );
  expect(() => open({}).has(key, { ...MADE, episode: "ffff" })).toThrow("another version of the episode");
  expect(() => open({}).has(key, { ...MADE, arm: "0.2.0" })).toThrow(
    "another version of the advisor (0.1.0, now 0.2.0)",
  );
});

test.for(["nonsense", "{}", '{"version":2,"result":{"kind":"scored"}}', "[]"])(
  "A file that holds something else is told by its line: %s",
  (text) => {
    const place = folder();
    writeFileSync(join(place, "results.jsonl"), `${JSON.stringify(lineOf())}\n${text}\n`);

    expect(() => openJournal(place, SETTING)).toThrow(/results\.jsonl:2 is no line that this version wrote/);
  },
);
