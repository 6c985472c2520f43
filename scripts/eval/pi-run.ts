// Runs the real Pi once on a prepared session, and ends it with everything it started when time is up or the
// comparison is interrupted.

import { spawn, spawnSync } from "node:child_process";
import { piCommand } from "../../test/support/pi-process.ts";

export interface PiRun {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

export interface PiEnd {
  readonly kind: "exited" | "timeout" | "interrupted";
  readonly code: number | null;
  readonly stderr: string;
}

/** Between asking Pi to leave and making it. */
const PATIENCE_MS = 3000;
const LONGEST_START_MS = 60_000;
/** Of what it complains only the end is kept. */
const LONGEST_COMPLAINT = 4000;

export async function runPi({ args, cwd, env, limitMs, signal }: PiRun): Promise<PiEnd> {
  signal.throwIfAborted();
  const [node, ...rest] = piCommand({ args: [] }, args);
  // A group of its own, so that what Pi started can be ended with it.
  const pi = spawn(node, rest, { cwd, env: { ...env }, stdio: ["ignore", "ignore", "pipe"], detached: true });
  let stderr = "";
  pi.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-LONGEST_COMPLAINT);
  });

  let kind: PiEnd["kind"] = "exited";
  let force: NodeJS.Timeout | undefined;
  const end = (why: PiEnd["kind"]) => {
    if (kind !== "exited") return;
    kind = why;
    killGroup(pi.pid, "SIGTERM");
    force = setTimeout(() => killGroup(pi.pid, "SIGKILL"), PATIENCE_MS);
  };
  const limit = setTimeout(() => end("timeout"), limitMs);
  const interrupt = () => end("interrupted");
  signal.addEventListener("abort", interrupt, { once: true });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      pi.on("error", reject);
      pi.on("close", (exitCode) => resolve(exitCode));
    });
    // Pi may leave a server behind that its executor started.
    killGroup(pi.pid, "SIGKILL");
    return { kind, code, stderr: stderr.trim() };
  } finally {
    clearTimeout(limit);
    clearTimeout(force);
    signal.removeEventListener("abort", interrupt);
  }
}

/** Of the Pi that runs are played with, whichever that is. */
export function piVersion(): string {
  const [node, ...rest] = piCommand({ args: [] }, ["--version"]);
  const { stdout, stderr, status } = spawnSync(node, rest, { encoding: "utf8", timeout: LONGEST_START_MS });
  const version = `${stdout}${stderr}`.match(/\d+\.\d+\.\d+\S*/)?.[0];
  if (status === 0 && version !== undefined) return version;
  throw new Error(`Pi cannot be started: ${stderr || `it ended with exit code ${status}`}`);
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}
