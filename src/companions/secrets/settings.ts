// The settings of this companion. A project protects more when it wants to, and never less.

import { KIND } from "./finding.ts";
import type { OwnPattern } from "./own-patterns.ts";

export interface SecretsSettings {
  readonly patterns: readonly OwnPattern[];
  /** Further globs of files that are not read. */
  readonly deny: readonly string[];
  /** Globs taken off the list of files that are not read, and folders or files outside the project, by full path. */
  readonly allow: readonly string[];
  readonly images: "withhold" | "allow";
}

export type SettingsReading =
  | { readonly settings: SecretsSettings; readonly warnings: readonly string[] }
  | { readonly wrong: string };

const KEYS: readonly string[] = ["patterns", "deny", "allow", "images"];
const MOST_PATTERNS = 100;
const LONGEST_PATTERN = 1_000;

/** @param user the user's value, @param project that of a trusted project; undefined or true when nothing is set */
export function readSecretsSettings(user: unknown, project: unknown): SettingsReading {
  const [own, theirs] = [readLayer(user, "your settings"), readLayer(project, "the project's settings")];
  if ("wrong" in own) return own;
  if ("wrong" in theirs) return theirs;
  const names = new Set(own.patterns.map(({ name }) => name));
  const twice = theirs.patterns.find(({ name }) => names.has(name));
  const warnings = [...own.warnings, ...theirs.warnings];
  if (theirs.allow.length > 0)
    warnings.push(`"allow" in the project's settings is ignored: a project cannot open what is closed.`);
  if (theirs.images === "allow")
    warnings.push(`"images" in the project's settings is ignored: a project cannot let images through.`);
  if (twice)
    warnings.push(`The pattern name "${twice.name}" is used by you and by the project; both patterns count.`);
  return {
    settings: {
      patterns: [...own.patterns, ...theirs.patterns],
      deny: [...own.deny, ...theirs.deny],
      allow: own.allow,
      images: theirs.images === "withhold" ? "withhold" : (own.images ?? "withhold"),
    },
    warnings,
  };
}

interface Layer extends Omit<SecretsSettings, "images"> {
  readonly images?: SecretsSettings["images"];
  readonly warnings: readonly string[];
}

function readLayer(value: unknown, whose: string): Layer | { readonly wrong: string } {
  const wrong = (what: string) => ({ wrong: `angel.companions.secrets in ${whose}: ${what}` });
  if (value === undefined || typeof value === "boolean")
    return { patterns: [], deny: [], allow: [], warnings: [] };
  if (!isRecord(value)) return wrong(`must be an object such as {}; found ${shown(value)}.`);
  const { patterns = [], deny = [], allow = [], images } = value;
  const fault = patternsFault(patterns) ?? globsFault("deny", deny) ?? globsFault("allow", allow);
  if (fault !== undefined) return wrong(fault);
  if (images !== undefined && images !== "withhold" && images !== "allow")
    return wrong(`"images" must be "withhold" or "allow"; found ${shown(images)}.`);
  const unknown = Object.keys(value).filter((key) => !KEYS.includes(key));
  return {
    patterns: ownPatterns(patterns),
    deny: strings(deny),
    allow: strings(allow),
    ...(images === undefined ? {} : { images }),
    warnings: unknown.map(
      (key) =>
        `angel.companions.secrets in ${whose} has a key "${key}", which means nothing; known are ${KEYS.join(", ")}.`,
    ),
  };
}

function patternsFault(value: unknown): string | undefined {
  if (!Array.isArray(value))
    return `"patterns" must be a list of { "name", "pattern" }; found ${shown(value)}.`;
  if (value.length > MOST_PATTERNS)
    return `"patterns" has ${value.length} entries; ${MOST_PATTERNS} are the most.`;
  const items: readonly unknown[] = value;
  for (const item of items) {
    const { name, pattern }: Readonly<Record<string, unknown>> = isRecord(item) ? item : {};
    if (typeof name !== "string" || !KIND.test(name))
      return `each of "patterns" needs a "name" of at most 40 small letters, digits and hyphens; found ${shown(item)}.`;
    if (typeof pattern !== "string" || pattern === "" || pattern.length > LONGEST_PATTERN)
      return `the pattern "${name}" must be a text of 1 to ${LONGEST_PATTERN} characters.`;
  }
  return undefined;
}

function globsFault(key: string, value: unknown): string | undefined {
  const isRight =
    Array.isArray(value) && value.every((glob) => typeof glob === "string" && glob.trim() !== "");
  return isRight ? undefined : `"${key}" must be a list of texts; found ${shown(value)}.`;
}

function ownPatterns(value: unknown): OwnPattern[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) =>
    isRecord(item) && typeof item.name === "string" && typeof item.pattern === "string"
      ? [{ name: item.name, pattern: item.pattern }]
      : [],
  );
}

function strings(value: unknown): string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item) => typeof item === "string");
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
