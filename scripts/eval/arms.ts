// The arms of a comparison: what is put beside the same executor on the same episodes.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ANGEL_FOLDER } from "../../test/support/home.ts";

export interface Arm {
  /** As it is named on the command line and in the results. */
  readonly name: string;
  readonly kind: "alone" | "transcript" | "angel" | "npm";
  /** What Pi is told to load; absent for the executor alone. */
  readonly extension?: string;
  /** Of the package, or of this repository's. */
  readonly version?: string;
}

export const USUAL_ARMS: readonly string[] = ["alone", "transcript", "angel"];

const NPM = "npm:";
const NPM_OPTIONS = ["--ignore-scripts", "--omit=peer", "--no-audit", "--no-fund", "--install-links"];

/** Undefined when the name is one of an arm. */
export function armProblem(name: string): string | undefined {
  if (USUAL_ARMS.includes(name)) return undefined;
  // What begins with a dash would be an option to npm.
  if (/^npm:[^\s-]\S*$/.test(name)) return undefined;
  return `"${name}" is no arm. There are alone, transcript, angel and npm:NAME, where NAME is a package of an advisor for Pi.`;
}

/**
 * Installs the packages of npm arms below `folder`, each in a folder of its own and without its install scripts.
 * @throws with a sentence when npm fails or the package is no extension for Pi
 */
export async function prepareArms(
  names: readonly string[],
  folder: string,
  signal: AbortSignal,
): Promise<Arm[]> {
  const arms: Arm[] = [];
  for (const name of names) arms.push(await prepareArm(name, join(folder, String(arms.length)), signal));
  return arms;
}

async function prepareArm(name: string, folder: string, signal: AbortSignal): Promise<Arm> {
  if (name === "alone") return { name, kind: "alone" };
  if (name === "angel") {
    return { name, kind: "angel", extension: ANGEL_FOLDER, ...versionIn(join(ANGEL_FOLDER, "package.json")) };
  }
  if (name === "transcript") {
    const path = new URL("../../fixtures/extensions/transcript-advisor.ts", import.meta.url);
    return { name, kind: "transcript", extension: fileURLToPath(path) };
  }
  return install(name, folder, signal);
}

async function install(name: string, folder: string, signal: AbortSignal): Promise<Arm> {
  const spec = name.slice(NPM.length);
  mkdirSync(folder, { recursive: true });
  // Pi's own packages are peers, and Pi brings them.
  const args = ["install", "--prefix", folder, ...NPM_OPTIONS, spec];
  try {
    await promisify(execFile)("npm", args, { cwd: folder, signal });
  } catch (error) {
    const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    throw new Error(`npm could not install "${spec}" for the arm ${name}: ${lastLines(said)}`, {
      cause: error,
    });
  }
  const manifest: { readonly dependencies?: Readonly<Record<string, string>> } = readJson(
    join(folder, "package.json"),
  );
  const installed = Object.keys(manifest.dependencies ?? {})[0];
  const extension = join(folder, "node_modules", installed ?? "");
  const own: { readonly pi?: { readonly extensions?: unknown } } = readJson(join(extension, "package.json"));
  if (own.pi?.extensions === undefined && !existsSync(join(extension, "extensions"))) {
    throw new Error(
      `The package "${spec}" names no extension for Pi (\`pi.extensions\` in its package.json), so it cannot be an arm.`,
    );
  }
  return { name, kind: "npm", extension, ...versionIn(join(extension, "package.json")) };
}

function versionIn(path: string): { version?: string } {
  const { version }: { readonly version?: unknown } = readJson(path);
  return typeof version === "string" ? { version } : {};
}

function readJson(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}

function lastLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.includes("A complete log"))
    .slice(-4)
    .join(" ")
    .slice(0, 500);
}
