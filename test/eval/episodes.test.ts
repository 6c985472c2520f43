// The episodes themselves: that their checks can be trusted, and that their sessions are what really happened.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, test } from "vitest";
import { loadEpisodes } from "../../scripts/eval/episode.ts";
import { proveEpisode } from "../../scripts/eval/proof.ts";
import { takes } from "../../scripts/eval/score.ts";
import { makeWorkspace } from "../../scripts/eval/workspace.ts";
import { textOf } from "../support/pi-event.ts";

const episodes = await loadEpisodes([]);

test("The episodes are the kinds of failure that SPEC.md names.", () => {
  const spec = readFileSync(new URL("../../SPEC.md", import.meta.url), "utf8");
  const [, chapter = ""] = spec.split("## 13. How quality is judged");
  const [named = ""] = chapter.split("\n## ");

  const titles = episodes.map(({ title }) => title);

  expect(titles.filter((title) => !named.includes(`- ${title}\n`))).toEqual([]);
  expect(named.match(/^- /gm)).toHaveLength(titles.length);
  expect(titles.length).toBeGreaterThanOrEqual(12);
});

test("The check of every episode fails on the untouched project and after a known bad repair, and passes after a known good one; where nothing needs changing it passes untouched.", {
  timeout: 120_000,
}, async () => {
  const problems = await Promise.all(episodes.map(proveEpisode));

  expect(problems.flat()).toEqual([]);
  const rights = new Set(episodes.map(({ right }) => right));
  expect([...rights].sort()).toEqual(["abstain", "leave", "repair"]);
});

test("The prepared session of every episode opens in Pi, and its results come from its project.", {
  timeout: 120_000,
}, async () => {
  const seen = await Promise.all(
    episodes.map(async (episode) => {
      await using workspace = await makeWorkspace(episode);
      const { past, sessionDir, project } = workspace;
      const manager = SessionManager.open(past.sessionFile, sessionDir);
      const texts = manager
        .getBranch()
        .map((entry) => (entry.type === "message" ? textOf(entry.message) : ""));
      const edits = episode.past.filter((step) => "tool" in step && step.tool === "edit").length;
      return {
        name: episode.name,
        cwd: manager.getCwd() === project,
        leaf: manager.getLeafId() === past.leafId,
        // An edit that did not apply would leave a session that tells of something else than the project.
        edits: texts.filter((text) => text.startsWith("Successfully replaced")).length === edits,
        missing: [
          ...episode.evidence.session.filter((words) => !JSON.stringify(manager.getBranch()).includes(words)),
          ...episode.evidence.files.filter((path) => !existsSync(join(project, path))),
        ],
        recorded: episode.past.filter((step) => "recorded" in step).length,
      };
    }),
  );

  expect(seen).toEqual(
    episodes.map(({ name }) => ({ name, cwd: true, leaf: true, edits: true, missing: [], recorded: 0 })),
  );
});

test("What counts as tried was tried in the prepared session, and a known bad behaviour does it again.", () => {
  const wanting = episodes.flatMap(({ name, wrongTurns, past, good, bad }) => {
    const tried = wrongTurns.filter(({ isTried }) => isTried);
    const calls = past.flatMap((step) => ("tool" in step ? [step] : []));
    return [
      ...tried
        .filter((turn) => !calls.some((call) => takes(call, turn)))
        .map((turn) => `${name}: ${turn.name}`),
      ...(tried.some((turn) => bad.moves.some((move) => takes(move, turn))) ? [] : [`${name}: the bad one`]),
      ...wrongTurns
        .filter((turn) => good.moves.some((move) => takes(move, turn)))
        .map((turn) => `${name}: the good one takes ${turn.name}`),
    ];
  });

  expect(wanting).toEqual([]);
});
