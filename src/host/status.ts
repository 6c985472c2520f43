// The lines of `/angel status`: control, availability, the advisor, and what runs and waits.

import type { DeskView } from "../core/desk.ts";
import type { AngelSettings } from "../core/settings.ts";
import type { Availability } from "./availability.ts";
import { ticketWords } from "./ticket-words.ts";

export interface StatusFacts {
  readonly isOn: boolean;
  readonly availability: Availability;
  readonly settings: AngelSettings;
  readonly desk: DeskView;
}

export function statusLines({ isOn, availability, settings, desk }: StatusFacts): string[] {
  return [
    ...(availability.kind === "usable"
      ? [
          `Angel is ${isOn ? "on" : "off"} in this session${isOn ? "" : "; /angel <question> still works"}.`,
          advisorLine(availability.advisor),
        ]
      : [`Angel is ${isOn ? "on" : "off"} in this session and cannot be used: ${availability.reason}`]),
    extensionsLine(settings),
    desk.running ? `Runs: ${ticketWords(desk.running)}; /angel cancel stops it.` : "Nothing runs.",
    ...(desk.waiting.length > 0 ? [`Waits: ${desk.waiting.map(ticketWords).join("; ")}.`] : []),
  ];
}

function advisorLine({ name, thinking }: Extract<Availability, { kind: "usable" }>["advisor"]): string {
  const clamp =
    thinking.requested === thinking.effective
      ? ""
      : `, since the model does not support the requested ${thinking.requested}`;
  return `Advisor: ${name}, thinking ${thinking.effective}${clamp}.`;
}

function extensionsLine({ subagentExtensions }: AngelSettings): string {
  const isAsked = subagentExtensions === "all" || subagentExtensions.length > 0;
  return `The advisor loads none of your extensions${isAsked ? "; angel.subagentExtensions has no effect yet" : ""}.`;
}
