/** Starts a real `pi` in a home. `PI_UNDER_TEST` names another `cli.js`, to test with another version of Pi. */

import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Home } from "./home.ts";
import { ANGEL_FOLDER } from "./home.ts";

export interface Exit {
  /** Null when a signal ended Pi. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface PiProcess {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when Pi is gone and everything that it wrote has been read. */
  readonly exited: Promise<Exit>;
  stderr(): string;
  /** Waits for the exit; a Pi that takes longer than the limit is killed, which `signal` shows. */
  exitWithin(limitMs: number): Promise<Exit>;
}

export function piCommand(home: Pick<Home, "args">, args: readonly string[]): [string, ...string[]] {
  const cli = process.env.PI_UNDER_TEST ?? join(ANGEL_FOLDER, "node_modules/.bin/pi");
  return [process.execPath, cli, ...home.args, ...args];
}

export function spawnPi(home: Home, args: readonly string[]): PiProcess {
  const [node, ...rest] = piCommand(home, args);
  const child = spawn(node, rest, { cwd: home.project, env: home.env });
  const { promise: exited, resolve, reject } = Promise.withResolvers<Exit>();
  let stderr = "";

  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  // Writing to a Pi that is gone is no failure of its own: `exited` tells.
  child.stdin.on("error", () => {});
  child.on("error", reject);
  child.on("close", (code, signal) => resolve({ code, signal }));

  return {
    child,
    exited,
    stderr: () => stderr,
    async exitWithin(limitMs) {
      const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
      return exited.finally(() => clearTimeout(timer));
    },
  };
}
