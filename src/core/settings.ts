// Reads the `angel` object of Pi's settings. A wrong value is never guessed around: it is a problem,
// and Angel stays unusable until it is put right. An unknown key is a warning.

import { isRecord } from "./is-record.ts";

export const THINKING_LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

export interface Pair {
  /** Glob on the executor's `provider/id`; `*` also matches across slashes. */
  readonly executor: string;
  /** `provider/id`, or "off": Angel is unusable for such an executor. */
  readonly advisor: string;
  /** Absent: `thinking` of the settings holds. */
  readonly thinking?: ThinkingLevel;
}

export interface AngelSettings {
  /** `provider/id`; absent: the executor's own model, in a fresh context. */
  readonly model?: string;
  readonly thinking: ThinkingLevel;
  readonly pairs: readonly Pair[];
  readonly subagentExtensions: "all" | readonly string[];
  /** Reserved for companions: whatever the user wrote under each name. */
  readonly companions: Readonly<Record<string, unknown>>;
}

export interface SettingsReading {
  readonly settings: AngelSettings;
  /** Full sentences; any one of them makes Angel unusable. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export const DEFAULT_SETTINGS: AngelSettings = {
  thinking: "max",
  pairs: [],
  subagentExtensions: [],
  companions: {},
};

/** Longer than any model's name; the glob library refuses to read very long patterns. */
const LONGEST_PATTERN = 1000;
const MODEL_FORM = 'a model as "provider/id"';
const THINKING_FORM = `one of ${THINKING_LEVELS.join(", ")}`;
const KEYS: readonly string[] = ["model", "thinking", "pairs", "subagentExtensions", "companions"];
const PAIR_KEYS: readonly string[] = ["executor", "advisor", "thinking"];

/** Parses the value of the `angel` key; `undefined` means the key is absent. */
export function parseSettings(value: unknown): SettingsReading {
  const problems: string[] = [];
  const warnings: string[] = [];
  const settings: { -readonly [K in keyof AngelSettings]: AngelSettings[K] } = { ...DEFAULT_SETTINGS };
  const refuse = (key: string, found: unknown, allowed: string) => {
    problems.push(`The setting "${key}" is ${describe(found)}; it must be ${allowed}.`);
  };

  if (value === undefined) return { settings, problems, warnings };
  if (!isRecord(value)) {
    refuse("angel", value, "an object");
    return { settings, problems, warnings };
  }
  warnAboutUnknown("angel", value, KEYS, warnings);

  const { model, thinking, pairs, subagentExtensions, companions } = value;
  if (isModel(model)) settings.model = model;
  else if (model !== undefined) refuse("angel.model", model, MODEL_FORM);

  if (isThinking(thinking)) settings.thinking = thinking;
  else if (thinking !== undefined) refuse("angel.thinking", thinking, THINKING_FORM);

  if (Array.isArray(pairs)) settings.pairs = pairs.flatMap((pair, i) => parsePair(pair, i, refuse, warnings));
  else if (pairs !== undefined) refuse("angel.pairs", pairs, "a list of { executor, advisor, thinking? }");

  if (subagentExtensions === "all" || isNameList(subagentExtensions))
    settings.subagentExtensions = subagentExtensions;
  else if (subagentExtensions !== undefined) {
    refuse("angel.subagentExtensions", subagentExtensions, '"all" or a list of extension names');
  }

  if (isRecord(companions)) settings.companions = companions;
  else if (companions !== undefined) refuse("angel.companions", companions, "an object");
  return { settings, problems, warnings };
}

/** A key is on whatever it holds, except `false`. */
export function switchedOn(companions: unknown): readonly string[] {
  return isRecord(companions) ? Object.keys(companions).filter((name) => companions[name] !== false) : [];
}

function parsePair(
  pair: unknown,
  index: number,
  refuse: (key: string, found: unknown, allowed: string) => void,
  warnings: string[],
): Pair[] {
  const key = `angel.pairs[${index}]`;
  if (!isRecord(pair)) {
    refuse(key, pair, "an object { executor, advisor, thinking? }");
    return [];
  }
  warnAboutUnknown(key, pair, PAIR_KEYS, warnings);
  const { executor, advisor, thinking } = pair;
  const isExecutor =
    typeof executor === "string" && executor.trim() !== "" && executor.length <= LONGEST_PATTERN;
  const isAdvisor = advisor === "off" || isModel(advisor);
  if (!isExecutor) refuse(`${key}.executor`, executor, 'a pattern on "provider/id", such as "openai/*"');
  if (!isAdvisor) refuse(`${key}.advisor`, advisor, `${MODEL_FORM}, or "off"`);
  if (thinking !== undefined && !isThinking(thinking)) refuse(`${key}.thinking`, thinking, THINKING_FORM);
  if (!isExecutor || !isAdvisor) return [];
  return [{ executor, advisor, ...(isThinking(thinking) ? { thinking } : {}) }];
}

function warnAboutUnknown(where: string, value: object, known: readonly string[], warnings: string[]): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    warnings.push(
      `The setting "${where}.${bounded(key)}" is unknown and has no effect; known are ${known.join(", ")}.`,
    );
  }
}

function isModel(value: unknown): value is string {
  return typeof value === "string" && /^[^\s/]+\/\S+$/.test(value);
}

function isThinking(value: unknown): value is ThinkingLevel {
  return THINKING_LEVELS.some((level) => level === value);
}

function isNameList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string" && name.trim() !== "");
}

function describe(found: unknown): string {
  if (found === undefined) return "missing";
  if (Array.isArray(found))
    return found.length === 0 ? "an empty list" : `a list (${bounded(JSON.stringify(found))})`;
  if (isRecord(found)) return "an object";
  return bounded(JSON.stringify(found) ?? typeof found);
}

function bounded(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
