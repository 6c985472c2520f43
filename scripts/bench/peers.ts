// Other packages that answer the same question, installed by their npm names into a temporary folder.

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { ParentOptions, Way } from "./asking.ts";

export interface Peer {
  readonly way: Way;
  readonly version: string;
  readonly parent: ParentOptions;
  /** The folder of its package. */
  readonly folder: string;
}

export interface Peers extends AsyncDisposable {
  readonly peers: readonly Peer[];
  /** Why there are none. */
  readonly problem?: string;
}

const NAMES = ["@juicesharp/rpiv-advisor", "pi-subagents"] as const;

export async function installPeers(): Promise<Peers> {
  const folder = await mkdtemp(join(tmpdir(), "angel-peers-"));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--ignore-scripts", ...NAMES];
    await promisify(execFile)("npm", args, { cwd: folder, timeout: 300_000 });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    return { peers: [], problem: `could not be installed: ${reason}`, [Symbol.asyncDispose]: dispose };
  }
  const configuration = join(folder, "config");
  await mkdir(join(configuration, "rpiv-advisor"), { recursive: true });
  await writeFile(join(configuration, "rpiv-advisor", "advisor.json"), '{"modelKey":"local/adv"}');
  const [rpiv, subagents] = NAMES.map((name) => join(folder, "node_modules", name));
  if (rpiv === undefined || subagents === undefined) throw new Error("There are two peers.");
  return {
    peers: [
      {
        way: { name: "rpiv-advisor", tool: "advisor", args: {}, own: 1 },
        version: await versionOf(rpiv),
        folder: rpiv,
        parent: {
          extensions: [rpiv],
          env: { XDG_CONFIG_HOME: configuration },
        },
      },
      {
        way: {
          name: "pi-subagents",
          tool: "subagent",
          args: { agent: "oracle", task: "Why?", async: false },
          own: 1,
        },
        version: await versionOf(subagents),
        folder: subagents,
        parent: { extensions: [subagents] },
      },
    ],
    [Symbol.asyncDispose]: dispose,
  };
}

async function versionOf(folder: string): Promise<string> {
  const { default: manifest } = await import(join(folder, "package.json"), { with: { type: "json" } });
  return String(manifest.version);
}
