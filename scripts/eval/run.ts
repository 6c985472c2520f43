// One run from the copy to its line: an episode in an arm, played by the real Pi, checked and scored.

import { cpSync } from "node:fs";
import { join, sep } from "node:path";
import type { SessionFile } from "../../test/support/session-files.ts";
import { readSessionFiles } from "../../test/support/session-files.ts";
import type { Source } from "./agent-folder.ts";
import { environmentFor, fillAgentFolder } from "./agent-folder.ts";
import type { Asking, Model } from "./arguments.ts";
import type { Arm } from "./arms.ts";
import { runCheck } from "./check.ts";
import type { NamedEpisode } from "./episode.ts";
import { filesBelow } from "./episode.ts";
import type { Line, RunKey } from "./journal.ts";
import type { Observed } from "./observe.ts";
import { observe } from "./observe.ts";
import type { PiEnd } from "./pi-run.ts";
import { runPi } from "./pi-run.ts";
import { reportRun, scoreRun } from "./score.ts";
import type { Workspace } from "./workspace.ts";
import { makeWorkspace } from "./workspace.ts";

export interface RunOptions {
  readonly episode: NamedEpisode;
  readonly arm: Arm;
  readonly run: number;
  readonly executor: Model;
  readonly advisor: Model;
  readonly source: Source;
  readonly asking: Asking;
  readonly limitMs: number;
  readonly npmHome: string | undefined;
  /** The folder of the results; sessions are kept below it. */
  readonly out: string;
  readonly signal: AbortSignal;
}

/** The same words for every advisor, whatever its tool is called. */
const ADVICE_TO_ASK =
  "An advisor is available to you as a tool. Consult it once, with a concrete question, before you change anything else.";

/** Undefined when it was interrupted: then there is nothing to keep. */
export async function runOnce(options: RunOptions): Promise<Line["result"] | undefined> {
  const { episode, arm, source, advisor, npmHome, signal, limitMs } = options;
  await using workspace = await makeWorkspace(episode);
  fillAgentFolder(workspace.agentDir, {
    source,
    advisor,
    overlay: arm.kind === "npm" ? npmHome : undefined,
  });
  const files = new Set(filesBelow(workspace.project));
  const end = await runPi({
    args: argumentsFor(options, workspace),
    cwd: workspace.project,
    env: environmentFor(source, workspace.agentDir),
    limitMs,
    signal,
  });
  if (end.kind === "interrupted") return undefined;
  return await judge(options, workspace, files, end);
}

function argumentsFor(
  { episode, arm, executor, asking }: RunOptions,
  { past, sessionDir }: Workspace,
): string[] {
  const task =
    asking === "free" || arm.extension === undefined ? episode.task : `${episode.task}\n\n${ADVICE_TO_ASK}`;
  return [
    "--print",
    ...["--session", past.sessionFile, "--session-dir", sessionDir],
    ...["--model", executor.name, "--thinking", executor.thinking],
    ...["--no-extensions", "--no-skills", "--no-prompt-templates", "--no-themes", "--no-mcp", "--no-approve"],
    ...(arm.extension === undefined ? [] : ["--extension", arm.extension]),
    ...["--", task],
  ];
}

async function judge(
  options: RunOptions,
  { project, sessionDir, past }: Workspace,
  files: ReadonlySet<string>,
  end: PiEnd,
): Promise<Line["result"]> {
  const { episode, out } = options;
  const sessions = readSessionFiles([sessionDir]);
  const parent = sessions.find(({ path }) => path === past.sessionFile);
  if (parent === undefined) return { kind: "failed", because: "Pi left no session." };
  const observed = observe(parent, childrenOf(parent, sessions), past.leafId);
  const kept = keepSessions(sessionDir, out, options);
  const failure = whyNothingHappened(observed, end);
  if (failure !== undefined) return { kind: "failed", because: failure };
  const verdict = await runCheck(episode, project);
  if (verdict.kind === "broken") return { kind: "failed", because: `The check broke: ${verdict.because}.` };
  return {
    kind: "scored",
    ended: end.kind === "timeout" ? "timeout" : "finished",
    ...(verdict.kind === "not recovered" ? { because: verdict.because } : {}),
    score: scoreRun(episode, observed, verdict, files),
    reported: reportRun(episode, observed),
    usage: observed.usage,
    ...(end.stderr === "" ? {} : { complaints: lastLines(end) }),
    sessions: kept,
  };
}

/** An executor that was never able to work says nothing about an arm. */
function whyNothingHappened({ stopReason, errorMessage }: Observed, end: PiEnd): string | undefined {
  if (end.kind === "timeout") return undefined;
  if (stopReason === "error") return `The executor's provider failed: ${errorMessage ?? "without a reason"}`;
  if (end.code === 0 && stopReason !== undefined) return undefined;
  return `Pi ended with exit code ${end.code}: ${lastLines(end) || "it said nothing"}`;
}

function lastLines({ stderr }: PiEnd): string {
  return stderr.split("\n").filter(Boolean).slice(-3).join(" ");
}

function childrenOf(parent: SessionFile, sessions: readonly SessionFile[]): SessionFile[] {
  return sessions.filter(({ header }) => header.parentSession === parent.path);
}

function keepSessions(
  from: string,
  out: string,
  key: { episode: NamedEpisode; arm: Arm; run: number },
): string {
  const name = [key.episode.name, key.arm.name.replace(/[^\w.-]+/g, "-"), key.run].join("--");
  const place = join("sessions", name);
  cpSync(from, join(out, place), { recursive: true });
  return place.split(sep).join("/");
}

export function keyOf({ episode, arm, run }: Pick<RunOptions, "episode" | "arm" | "run">): RunKey {
  return { episode: episode.name, arm: arm.name, run };
}
