// Runs an episode's check in a copy of its project. A check says "recovered" with exit code 0, "not recovered" with 3 and
// a sentence on standard output; anything else is a broken check and never a score.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { plainEnvironment } from "./environment.ts";
import type { NamedEpisode } from "./episode.ts";

export type Verdict =
  | { readonly kind: "recovered" }
  | { readonly kind: "not recovered"; readonly because: string }
  | { readonly kind: "broken"; readonly because: string };

const LIMIT_MS = 30_000;
const NOT_RECOVERED = 3;

export async function runCheck(
  episode: Pick<NamedEpisode, "folder">,
  project: string,
  limitMs = LIMIT_MS,
): Promise<Verdict> {
  const child = spawn(process.execPath, [join(episode.folder, "check.mjs")], {
    cwd: project,
    env: plainEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limitMs,
    killSignal: "SIGKILL",
  });
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (complaints += text));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (...end) => resolve(end));
  });
  if (code === 0) return { kind: "recovered" };
  if (code === NOT_RECOVERED) return { kind: "not recovered", because: output.trim() || "(no reason given)" };
  const end = signal === null ? `exit code ${code}` : `${signal} after ${limitMs} ms at most`;
  const lastLine =
    complaints
      .trim()
      .split("\n")
      .findLast((line) => /\w*Error\b|\w/.test(line)) ?? "";
  return { kind: "broken", because: `it ended with ${end} ${errorLine(complaints) ?? lastLine}`.trim() };
}

function errorLine(complaints: string): string | undefined {
  return complaints.split("\n").find((line) => /^\w*Error\b/.test(line));
}
