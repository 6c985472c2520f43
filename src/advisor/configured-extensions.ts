// The extensions that the user has configured and enabled, as Pi resolves them: settings, packages and extension
// folders, those of a project only when it is trusted. Nothing is installed and nothing is loaded for it.

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { DefaultPackageManager, getAgentDir, SettingsManager } from "@mariozechner/pi-coding-agent";
import type { ConfiguredExtension, ExtensionChoice } from "../core/extension-choice.ts";
import { chooseExtensions } from "../core/extension-choice.ts";
import { isRecord } from "../core/is-record.ts";
import type { AngelSettings } from "../core/settings.ts";
import { fileIdentity } from "./file-identity.ts";

export interface ProjectPlace {
  readonly cwd: string;
  readonly isProjectTrusted: boolean;
}

/** Never rejects: what cannot be resolved is a warning, and the child goes without. */
export async function resolveChoice(
  asked: AngelSettings["subagentExtensions"],
  place: ProjectPlace,
): Promise<ExtensionChoice> {
  try {
    return chooseExtensions(asked, await configuredExtensions(place));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { extensions: [], warnings: [`the advisor goes without your extensions: ${reason}`] };
  }
}

async function configuredExtensions({ cwd, isProjectTrusted }: ProjectPlace): Promise<ConfiguredExtension[]> {
  const agentDir = getAgentDir();
  const settingsManager = SettingsManager.create(cwd, agentDir, { projectTrusted: isProjectTrusted });
  const packages = new DefaultPackageManager({ cwd, agentDir, settingsManager, commandOutput: "capture" });
  const { extensions } = await packages.resolve(async () => "skip");
  // A door for companions stands beside Angel's; an advisor's session has neither.
  const ownEntries = ["../index.ts", "../companions/index.ts"].map((entry) =>
    fileIdentity(fileURLToPath(new URL(entry, import.meta.url))),
  );
  return extensions.flatMap(({ path, enabled, metadata }) =>
    // Pi's built-in extensions have no file and are no extensions of the user's.
    enabled && existsSync(path) ? [describe(path, metadata.packageRoot, ownEntries)] : [],
  );
}

function describe(
  path: string,
  packageRoot: string | undefined,
  ownEntries: readonly (string | undefined)[],
): ConfiguredExtension {
  const root = packageRoot ?? manifestRoot(dirname(path));
  const file = basename(path);
  const stem = basename(path, extname(path));
  const isIndex = stem === "index";
  const folder = basename(root ?? dirname(path));
  const packageName = root === undefined ? undefined : manifest(root)?.name;
  const fileNames: [string, ...string[]] = isIndex ? [folder] : [stem, file];
  return {
    path,
    names:
      typeof packageName === "string"
        ? [packageName, folder, ...fileNames]
        : root === undefined
          ? fileNames
          : [folder, ...fileNames],
    owner: root ?? (isIndex ? dirname(path) : path),
    isAngel: ownEntries.includes(fileIdentity(path)),
  };
}

/** The nearest folder whose package.json says that it is a Pi package, inside the folder that extensions lie in. */
function manifestRoot(folder: string): string | undefined {
  if (basename(folder) === "extensions") return undefined;
  if (isRecord(manifest(folder)?.pi)) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : manifestRoot(parent);
}

function manifest(folder: string): Readonly<Record<string, unknown>> | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    // Pi loads such a package's extensions all the same; it only has no name of its own.
    return undefined;
  }
}
