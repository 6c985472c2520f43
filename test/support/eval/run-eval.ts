// Runs `npm run eval` as a user would, with a folder of its own for everything temporary.

import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Line } from "../../../scripts/eval/journal.ts";
import { ANGEL_FOLDER } from "../home.ts";

export interface EvalRun {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

export interface EvalBench {
  readonly out: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): EvalRun;
  /** The lines of the results so far. */
  lines(): Line[];
  /** What it left of temporary folders. */
  leftovers(): string[];
}

export function makeBench(): EvalBench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "angel-bench-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 3 }));
  const [out, temp] = [join(root, "out"), join(root, "tmp")];
  mkdirSync(temp);
  return {
    out,
    start: (args, env = {}) => startEval([...args, "--out", out], { ...process.env, ...env, TMPDIR: temp }),
    lines: () =>
      readFileSync(join(out, "results.jsonl"), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    // Node keeps compiled code there; it is nobody's leftover.
    leftovers: () => readdirSync(temp).filter((name) => name.startsWith("angel-")),
  };
}

function startEval(args: readonly string[], env: NodeJS.ProcessEnv): EvalRun {
  const child = spawn(process.execPath, [join(ANGEL_FOLDER, "scripts/eval.ts"), ...args], { env });
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Awaited<EvalRun["ended"]>>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}
