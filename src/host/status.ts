// The lines of `/angel status`: control, availability, the advisor, and what runs and waits.

import type { DeskView } from "../core/desk.ts";
import type { ExtensionChoice } from "../core/extension-choice.ts";
import type { Availability } from "./availability.ts";
import { ticketWords } from "./ticket-words.ts";

export interface StatusFacts {
  readonly isOn: boolean;
  readonly availability: Availability;
  readonly extensions: ExtensionChoice;
  readonly desk: DeskView;
  /** A line each. */
  readonly companions: readonly string[];
}

export function statusLines({ isOn, availability, extensions, desk, companions }: StatusFacts): string[] {
  return [
    ...(availability.kind === "usable"
      ? [
          `Angel is ${isOn ? "on" : "off"} in this session${isOn ? "" : "; /angel <question> still works"}.`,
          advisorLine(availability.advisor),
        ]
      : [`Angel is ${isOn ? "on" : "off"} in this session and cannot be used: ${availability.reason}`]),
    ...extensionLines(extensions),
    ...companions,
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

function extensionLines({ extensions, warnings }: ExtensionChoice): string[] {
  const names = [...new Set(extensions.map(({ name }) => name))];
  return [
    names.length > 0
      ? `The advisor loads ${names.join(", ")}.`
      : "The advisor loads none of your extensions.",
    ...warnings,
  ];
}
