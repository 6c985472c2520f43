/**
 * A real Pi in a terminal of its own: a private tmux server, typed at and looked at. The screen is the one
 * thing here that is polled. A Pi that has ended leaves its last screen.
 */

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Home } from "./home.ts";
import { piCommand } from "./pi-process.ts";
import { GENEROUS_MS } from "./watch.ts";

export interface TuiOptions {
  readonly cols?: number;
  readonly rows?: number;
  readonly args?: readonly string[];
  /** What shows that Pi can be typed at: the footer, unless a dialog comes first. */
  readonly ready?: Sight;
}

/** A text on the screen, a pattern in it, or a claim about its lines. */
type Sight = string | RegExp | ((lines: readonly string[]) => boolean);

export interface Tui extends AsyncDisposable {
  /** Types text literally, without Enter. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names: Enter, Escape, C-o, BTab, Up. */
  press(...keys: string[]): Promise<void>;
  /** The lines on the screen, without trailing blanks. */
  screen(): Promise<string[]>;
  /** The same with the escape sequences of its colours. */
  screenWithColors(): Promise<string[]>;
  /** Resolves with the first screen that shows it and is not in the middle of being drawn. */
  until(sight: Sight, what?: string, limitMs?: number): Promise<string[]>;
  resize(cols: number, rows: number): Promise<void>;
  /** Undefined while Pi runs. */
  exitCode(): number | undefined;
  untilExit(): Promise<number>;
  /** Closes the terminal, which hangs up on Pi; a Pi that stays is killed. */
  stop(): Promise<void>;
}

const FOOTER = /\d%\/\d+k/;
const LOOK_EVERY_MS = 25;
/** A screen may be seen half drawn, so two looks have to agree; one that never rests is taken as it is. */
const MOST_LOOKS = 20;
const LEAVING_MS = 20_000;

/** tmux does not always learn how its child ended: this shell outlives Pi, even a hang-up, and writes it down. */
const NOTE_EXIT = 'trap : HUP; "$@"; echo $? > "$0"';

export async function startTui(home: Home, options: TuiOptions = {}): Promise<Tui> {
  const { cols = 100, rows = 30, args = [], ready = FOOTER } = options;
  // The path of a socket has room for about a hundred characters, and temporary folders have long names.
  const socket = `pi-${randomUUID().slice(0, 8)}`;
  const exitFile = join(home.root, socket);

  async function tmux(...command: string[]): Promise<string> {
    const env = { ...home.env, TMUX_TMPDIR: home.root };
    const { stdout } = await promisify(execFile)("tmux", ["-L", socket, "-f", "/dev/null", ...command], {
      env,
    });
    return stdout;
  }

  async function screen(...flags: string[]): Promise<string[]> {
    return (await tmux("capture-pane", "-p", ...flags)).trimEnd().split("\n");
  }

  async function until(sight: Sight, what = String(sight), limitMs = GENEROUS_MS): Promise<string[]> {
    let before: string[] | undefined;
    let looks = 0;
    const seen = await poll(async () => {
      const lines = await screen();
      // What is gone at the second look was there all the same.
      if (!isSeen(sight, lines)) return before;
      looks += 1;
      if (looks > MOST_LOOKS || (before && withoutMotion(before) === withoutMotion(lines))) return lines;
      before = lines;
      return undefined;
    }, limitMs);
    if (seen !== undefined) return seen;
    throw new Error(`Not on the screen: ${what}. The screen:\n${(await screen()).join("\n")}`);
  }

  function exitCode(): number | undefined {
    const note = existsSync(exitFile) ? readFileSync(exitFile, "utf8").trim() : "";
    return note === "" ? undefined : Number(note);
  }

  async function untilExit(): Promise<number> {
    const code = await poll(async () => exitCode(), GENEROUS_MS);
    if (code !== undefined) return code;
    throw new Error(`Pi did not leave. The screen:\n${(await screen()).join("\n")}`);
  }

  const set = (option: string, value: string) => ["set-option", "-g", option, value, ";"];
  await tmux(
    ...["start-server", ";"],
    ...set("default-terminal", "tmux-256color"),
    ...set("extended-keys", "on"),
    ...set("remain-on-exit", "on"),
    ...["new-session", "-d", "-x", String(cols), "-y", String(rows), "-c", home.project],
    ...["sh", "-c", NOTE_EXIT, exitFile, ...piCommand(home, args)],
  );
  const processGroup = Number(await tmux("display-message", "-p", "#{pane_pid}"));

  async function stop(): Promise<void> {
    await tmux("kill-server").catch(() => {}); // There is none when it was stopped before.
    if (exitCode() !== undefined) return;
    // The kernel tells only the shell that the terminal is gone; a shell of a user's would pass that on.
    signal(processGroup, "SIGHUP");
    const code = await poll(async () => exitCode(), LEAVING_MS);
    if (code === undefined) signal(processGroup, "SIGKILL");
  }

  await until(ready, "a Pi that is ready").catch(async (error) => {
    await stop();
    throw error;
  });

  return {
    async type(text) {
      await tmux("send-keys", "-l", "--", text);
    },
    async press(...keys) {
      await tmux("send-keys", "--", ...keys);
    },
    screen: () => screen(),
    screenWithColors: () => screen("-e", "-N"),
    until,
    async resize(width, height) {
      await tmux("resize-window", "-x", String(width), "-y", String(height));
    },
    exitCode,
    untilExit,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function signal(processGroup: number, name: NodeJS.Signals): void {
  try {
    process.kill(-processGroup, name);
  } catch (error) {
    // It may have left in the meantime.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

function isSeen(sight: Sight, lines: readonly string[]): boolean {
  if (typeof sight === "function") return sight(lines);
  const text = lines.join("\n");
  return typeof sight === "string" ? text.includes(sight) : sight.test(text);
}

/** Without spinners and seconds, which change while all else rests. */
function withoutMotion(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/[\u2800-\u28ff]/g, "⠿")
    .replace(/\d+ s\b/g, "N s");
}

async function poll<T>(look: () => Promise<T | undefined>, limitMs: number): Promise<T | undefined> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || Date.now() > deadline) return found;
    await sleep(LOOK_EVERY_MS);
  }
}
