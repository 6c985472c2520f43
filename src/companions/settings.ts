// What the settings say to a companion, the user's and a trusted project's apart: a project may only tighten.

export interface CompanionSettings {
  /** The value under its name in the user's settings; undefined when only the project names it. */
  readonly user: unknown;
  /** The value in a trusted project's settings; undefined when it does not name it. */
  readonly project: unknown;
}

/** The companions by name in a whole settings object. */
export function companionsIn(settings: unknown): Readonly<Record<string, unknown>> {
  const angel = member(settings, "angel");
  const companions = member(angel, "companions");
  return isRecord(companions) ? companions : {};
}

/** By name, what is switched on. `false` in the project changes nothing that the user switched on. */
export function switchedOn(
  merged: unknown,
  user: unknown,
  project: unknown,
): ReadonlyMap<string, CompanionSettings> {
  const [all, own, theirs] = [companionsIn(merged), companionsIn(user), companionsIn(project)];
  const named = Object.keys(all).map((name): [string, CompanionSettings] => {
    // Settings that stand in no file come from the program that Pi is part of.
    const isInFile = name in own || name in theirs;
    return [name, { user: isInFile ? own[name] : all[name], project: theirs[name] }];
  });
  return new Map(named.filter(([, { user: mine, project: its }]) => isOn(mine) || isOn(its)));
}

function isOn(value: unknown): boolean {
  return value !== undefined && value !== false;
}

function member(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
