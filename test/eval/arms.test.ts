import { appendFileSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { prepareArms } from "../../scripts/eval/arms.ts";
import { EPISODES_FOLDER, loadEpisodes } from "../../scripts/eval/episode.ts";
import { modelProblems } from "../../scripts/eval/models.ts";
import { ANGEL_FOLDER } from "../support/home.ts";

const NEVER = new AbortController().signal;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "angel-arms-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("A package of an advisor is an arm by its npm name, with its version.", async () => {
  const peer = `npm:file:${join(ANGEL_FOLDER, "fixtures/peer-advisor")}`;

  const arms = await prepareArms(["alone", "transcript", "angel", peer], folder(), NEVER);

  const [alone, transcript, angel, third] = arms;
  expect(alone).toEqual({ name: "alone", kind: "alone" });
  expect(transcript).toMatchObject({ kind: "transcript" });
  expect(angel).toMatchObject({ kind: "angel", extension: ANGEL_FOLDER, version: "0.1.0" });
  expect(third).toMatchObject({ name: peer, kind: "npm", version: "4.5.6" });
  const paths = arms.map(({ extension }) => extension === undefined || existsSync(extension));
  expect(paths).toEqual([true, true, true, true]);
});

test("A package that cannot be installed, or is no extension, is told by its name.", async () => {
  const missing = prepareArms(["npm:file:./nothing-here"], folder(), NEVER);
  await expect(missing).rejects.toThrow(
    /^npm could not install "file:\.\/nothing-here" for the arm npm:file:\.\/nothing-here: \S/,
  );

  const foreign = prepareArms([`npm:file:${join(ANGEL_FOLDER, "node_modules/ulid")}`], folder(), NEVER);
  await expect(foreign).rejects.toThrow(
    /ulid" names no extension for Pi \(`pi\.extensions` in its package\.json\)/,
  );
});

test("Episodes that are not there are told with those that are.", async () => {
  await expect(loadEpisodes(["race", "nowhere"])).rejects.toThrow(
    /^There is no episode "nowhere"\. There are: far-cause, .*wrong-branch\.$/,
  );
  await expect(loadEpisodes([], join(folder(), "gone"))).rejects.toThrow(/^There is no folder of episodes /);
  await expect(loadEpisodes([], folder())).rejects.toThrow(
    /holds no episode: no folder in it has an episode\.ts\.$/,
  );
});

test("A change in any file of an episode makes it another one.", async () => {
  const copy = folder();
  cpSync(join(EPISODES_FOLDER, "not-enough-evidence"), join(copy, "not-enough-evidence"), {
    recursive: true,
  });
  const fingerprint = async (from?: string) =>
    (await loadEpisodes(["not-enough-evidence"], from))[0]?.fingerprint;

  const before = await fingerprint();
  const copied = await fingerprint(copy);
  appendFileSync(join(copy, "not-enough-evidence/project/README.md"), "One more word.\n");

  expect(before).toMatch(/^[0-9a-f]{12}$/);
  expect(copied).toBe(before);
  expect(await fingerprint(copy)).not.toBe(before);
});

test("Models that Pi does not know are told before anything is run.", async () => {
  const model = { name: "nobody/none", thinking: "off" } as const;

  const problems = await modelProblems({ models: { executor: model, advisor: model } });

  expect(problems).toEqual([
    '--executor names "nobody/none", which Pi does not know without extensions; `pi --no-extensions --list-models` lists what it knows.',
    '--advisor names "nobody/none", which Pi does not know without extensions; `pi --no-extensions --list-models` lists what it knows.',
  ]);
  expect(await modelProblems({ models: undefined })).toEqual([]);
});
