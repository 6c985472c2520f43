// Which of the user's extensions a child loads: `angel.subagentExtensions` against what is configured. A name
// that fits nothing, or several things, is a warning and never stops a consultation.

import type { AngelSettings } from "./settings.ts";

export interface ConfiguredExtension {
  /** The file that Pi loads, absolute. */
  readonly path: string;
  /** What it may be called: its package, its folder, its file; the first one is shown. */
  readonly names: readonly [string, ...string[]];
  /** The package, folder or file that it belongs to: one name may mean all entries of one owner. */
  readonly owner: string;
  readonly isAngel: boolean;
}

export interface ChosenExtension {
  readonly name: string;
  readonly path: string;
}

export interface ExtensionChoice {
  readonly extensions: readonly ChosenExtension[];
  /** Full sentences. */
  readonly warnings: readonly string[];
}

export const NO_EXTENSIONS: ExtensionChoice = { extensions: [], warnings: [] };

export function chooseExtensions(
  asked: AngelSettings["subagentExtensions"],
  configured: readonly ConfiguredExtension[],
): ExtensionChoice {
  if (asked === "all")
    return { extensions: configured.filter(({ isAngel }) => !isAngel).map(chosen), warnings: [] };
  const meant = [...new Set(asked)].map((name) => ({ name, fits: fitting(name, configured) }));
  const paths = new Set(meant.flatMap(({ fits }) => (isOneOwner(fits) ? fits.map(({ path }) => path) : [])));
  return {
    extensions: configured.filter(({ path, isAngel }) => paths.has(path) && !isAngel).map(chosen),
    warnings: meant.flatMap(({ name, fits }) => warning(name, fits, configured)),
  };
}

function warning(
  name: string,
  fits: readonly ConfiguredExtension[],
  configured: readonly ConfiguredExtension[],
): string[] {
  const said = `"${name}" in angel.subagentExtensions`;
  if (fits.length === 0) {
    const known = [...new Set(configured.flatMap(({ isAngel, names }) => (isAngel ? [] : [names[0]])))];
    return [
      `${said} is no extension that is configured and enabled; ${known.length > 0 ? `there are ${known.join(", ")}` : "there is none"}.`,
    ];
  }
  if (!isOneOwner(fits)) {
    return [
      `${said} is the name of several extensions (${fits.map(({ path }) => path).join(", ")}), so none of them is loaded; use a name that only one has.`,
    ];
  }
  return fits.some(({ isAngel }) => isAngel)
    ? [`${said} is Angel itself, which is never loaded into its own advisor's session.`]
    : [];
}

function fitting(name: string, configured: readonly ConfiguredExtension[]): readonly ConfiguredExtension[] {
  return configured.filter(({ names }) => names.includes(name));
}

function isOneOwner(fits: readonly ConfiguredExtension[]): boolean {
  return new Set(fits.map(({ owner }) => owner)).size === 1;
}

function chosen({ names, path }: ConfiguredExtension): ChosenExtension {
  return { name: names[0], path };
}
