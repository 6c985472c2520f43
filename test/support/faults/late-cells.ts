// What can go wrong when the advice is there: its usage, and the session that it comes home to.

import type { InlineExtension } from "@mariozechner/pi-coding-agent";
import type { ConsultingOptions } from "../consulting.ts";
import type { Origin } from "../origins.ts";
import { ORIGINS } from "../origins.ts";
import * as step from "../steps.ts";
import { ADVICE, makeFaultyAdvisor } from "./advisor.ts";
import type { Cell, Right } from "./cell.ts";
import { DISK_FAULTS, parentFile } from "./disk-fault.ts";
import { playFault } from "./play-fault.ts";
import type { Stage } from "./stage.ts";

const END: Stage = { name: "delivery", lead: [] };

export function lateCells(): Cell[] {
  return ORIGINS.flatMap((origin) => [
    usageCell(origin, "no usage is reported", {}),
    usageCell(origin, "a model without a price", {
      models: { adv: { cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } } },
    }),
    ...deliveryCells(origin),
  ]);
}

function usageCell(origin: Origin, fault: string, options: ConsultingOptions): Cell {
  const answer = step.say(ADVICE).noUsage();
  return {
    origin,
    stage: "accounting",
    fault,
    right: { outcome: "advised" },
    play: () => playFault({ origin, advisor: makeFaultyAdvisor(END, () => answer), options }),
  };
}

function deliveryCells(origin: Origin): Cell[] {
  return DISK_FAULTS.map(({ name, strike, hitsFolder }) => ({
    origin,
    stage: "delivery",
    fault: `the session's ${name}`,
    right: right(origin, hitsFolder),
    play: () => {
      const broken = Promise.withResolvers<void>();
      const held: step.Answer = new step.Answer([
        { kind: "hold", until: broken.promise },
        ...step.say(ADVICE).acts,
      ]);
      const advisor = makeFaultyAdvisor(END, (n) => (n > 1 ? undefined : held));
      let repair = () => {};
      const once = () => {
        repair();
        repair = () => {};
      };
      return playFault({
        origin,
        advisor,
        options: { factories: [repairer(once)] },
        act: async (occasion) => {
          await advisor.struck;
          repair = strike(parentFile(occasion));
          broken.resolve();
        },
        repair: once,
      });
    },
  }));
}

/** What Pi itself writes behind Angel's part finds the file in its place again. */
function repairer(repair: () => void): InlineExtension {
  return {
    name: "repairer",
    factory: (pi) => {
      pi.on("tool_result", repair);
      pi.on("context", repair);
    },
  };
}

/** The executor has its advice in the result of its call; other advice has no place but the session. */
function right(origin: Origin, hitsFolder: boolean): Right {
  if (origin !== "executor") return { outcome: "told", reason: /could not|EISDIR|ENOSPC|ENOENT/ };
  return hitsFolder ? { outcome: "failed", reason: /could not be kept: ENOENT/ } : { outcome: "advised" };
}
