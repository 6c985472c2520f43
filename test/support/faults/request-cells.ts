// What can strike a request of the advisor: its provider, the people who wait for it, and the disk under its session.

import type { ConsultingOptions } from "../consulting.ts";
import type { Origin } from "../origins.ts";
import { ORIGINS } from "../origins.ts";
import type { Answer } from "../steps.ts";
import * as step from "../steps.ts";
import { ADVICE, makeFaultyAdvisor } from "./advisor.ts";
import type { Cell, Right } from "./cell.ts";
import { childFile, DISK_FAULTS } from "./disk-fault.ts";
import { INTERRUPTIONS } from "./interruption.ts";
import { playFault } from "./play-fault.ts";
import { PROVIDER_FAULTS, strikes } from "./provider-fault.ts";
import type { Stage } from "./stage.ts";
import { STAGES } from "./stage.ts";

export function requestCells(): Cell[] {
  return ORIGINS.flatMap((origin) =>
    STAGES.flatMap((stage) => [
      ...providerCells(origin, stage),
      ...interruptionCells(origin, stage),
      ...diskCells(origin, stage),
    ]),
  );
}

function providerCells(origin: Origin, stage: Stage): Cell[] {
  return PROVIDER_FAULTS.filter((fault) => strikes(fault, stage)).map((fault) => ({
    origin,
    stage: stage.name,
    fault: fault.name,
    right: right(stage, fault.reason),
    play: () =>
      playFault({
        origin,
        advisor: makeFaultyAdvisor(stage, (n) =>
          n <= (fault.times ?? Number.POSITIVE_INFINITY) ? fault.answer(stage.said ?? "") : undefined,
        ),
        ...optionsOf(stage),
      }),
  }));
}

/** Without a summary Pi goes on with what it has, so a fault there costs no advice. */
function right(stage: Stage, reason: RegExp | undefined): Right {
  return reason === undefined || stage.isStruck !== undefined
    ? { outcome: "advised" }
    : { outcome: "failed", reason };
}

function interruptionCells(origin: Origin, stage: Stage): Cell[] {
  return INTERRUPTIONS.filter(({ origins }) => origins.includes(origin)).map(({ name, reason, act }) => ({
    origin,
    stage: stage.name,
    fault: name,
    right: { outcome: "cancelled", reason },
    play: () => {
      const advisor = makeFaultyAdvisor(stage, () => step.stall({ after: stage.said ?? "" }));
      return playFault({
        origin,
        advisor,
        ...optionsOf(stage),
        act: async (occasion) => {
          await advisor.struck;
          await act(occasion);
        },
      });
    },
  }));
}

/** The child and the parent lie in one folder: without it the parent cannot keep the outcome either. */
function diskCells(origin: Origin, stage: Stage): Cell[] {
  return DISK_FAULTS.map(({ name, strike, hitsFolder }) => ({
    origin,
    stage: stage.name,
    fault: `the child's ${name}`,
    right: hitsFolder
      ? { outcome: "told", reason: /ENOENT/ }
      : { outcome: "failed", reason: /the advisor's session could not be kept: E(ISDIR|NOSPC)/ },
    play: () => {
      const broken = Promise.withResolvers<void>();
      const advisor = makeFaultyAdvisor(stage, (n) => (n > 1 ? undefined : held(stage, broken.promise)));
      let repair = () => {};
      return playFault({
        origin,
        advisor,
        ...optionsOf(stage),
        act: async (occasion) => {
          await advisor.struck;
          repair = strike(childFile(occasion));
          broken.resolve();
        },
        repair: () => repair(),
      });
    },
  }));
}

function held({ said, isStruck }: Stage, until: Promise<void>): Answer {
  const rest = step.say(isStruck ? "The story so far." : ADVICE).acts;
  const begun = said === undefined ? [] : [{ kind: "text" as const, text: said }];
  return new step.Answer([...begun, { kind: "hold", until }, ...rest]);
}

function optionsOf({ options }: Stage): { readonly options?: ConsultingOptions } {
  return options === undefined ? {} : { options };
}
