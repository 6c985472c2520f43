// Extensions that throw at what they hear or never return from it, in the child and beside Angel in the parent.

import type { ConsultingOptions } from "../consulting.ts";
import type { Origin } from "../origins.ts";
import { ORIGINS } from "../origins.ts";
import { makeFaultyAdvisor } from "./advisor.ts";
import type { Cell } from "./cell.ts";
import type { Interruption } from "./interruption.ts";
import { INTERRUPTIONS } from "./interruption.ts";
import { HELD_EVENTS, hangingExtension, IN_CHILD, STUCK, throwingExtension } from "./listener-fault.ts";
import { playFault } from "./play-fault.ts";
import type { Stage } from "./stage.ts";
import { STAGES } from "./stage.ts";

export function listenerCells(): Cell[] {
  return ORIGINS.flatMap((origin) => [
    ...HELD_EVENTS.flatMap((held) =>
      INTERRUPTIONS.filter(
        ({ name, origins }) =>
          origins.includes(origin) && (name === "/angel cancel" || held.stage === "child creation"),
      ).map((interruption) => hangingCell(origin, held, interruption)),
    ),
    ...STAGES.flatMap((stage) => [
      throwingCell(origin, stage, "child"),
      throwingCell(origin, stage, "parent"),
    ]),
  ]);
}

function throwingCell(origin: Origin, stage: Stage, where: "child" | "parent"): Cell {
  return {
    origin,
    stage: stage.name,
    fault: `an extension in the ${where} throws at everything it hears`,
    right: { outcome: "advised" },
    play: () =>
      playFault({
        origin,
        advisor: makeFaultyAdvisor({ ...stage, said: "" }, () => undefined),
        options: optionsOf(stage, throwingExtension(where), where === "child"),
        prepare: enterChild,
        repair: leaveChild,
      }),
  };
}

function hangingCell(
  origin: Origin,
  held: (typeof HELD_EVENTS)[number],
  { name, reason, act }: Interruption,
): Cell {
  const stage = STAGES.find(({ name }) => name === held.through) ?? STAGES[0];
  if (stage === undefined) throw new Error("There is no stage.");
  return {
    origin,
    stage: held.stage,
    fault: `an extension in the child never returns from ${held.event}, then ${name}`,
    right: { outcome: "cancelled", reason },
    play: () => {
      const stuck = Promise.withResolvers<void>();
      return playFault({
        origin,
        advisor: makeFaultyAdvisor(stage, () => undefined),
        options: optionsOf(stage, hangingExtension(held.event), true),
        prepare: () => {
          enterChild();
          Reflect.set(globalThis, STUCK, stuck.resolve);
        },
        act: async (occasion) => {
          await stuck.promise;
          // A session that replaces this one loads the extension for itself.
          leaveChild();
          await act(occasion);
        },
        repair: leaveChild,
      });
    },
  };
}

function optionsOf({ options }: Stage, code: string, isSelected: boolean): ConsultingOptions {
  return {
    ...options,
    settings: {
      ...options?.settings,
      retry: { baseDelayMs: 1 },
      angel: { model: "local/adv", ...(isSelected ? { subagentExtensions: "all" } : {}) },
    },
    agentFiles: { "extensions/faulty.js": code },
  };
}

function enterChild(): void {
  Reflect.set(globalThis, IN_CHILD, true);
}

function leaveChild(): void {
  Reflect.deleteProperty(globalThis, IN_CHILD);
  Reflect.deleteProperty(globalThis, STUCK);
}
