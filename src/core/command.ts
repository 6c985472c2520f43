// What `/angel …` means. A subcommand is the whole argument; anything longer is a question.

import { saysSomething } from "./consultation.ts";

export const SUBCOMMANDS = ["on", "off", "cancel", "status"] as const;
export type Subcommand = (typeof SUBCOMMANDS)[number];

export type AngelCommand =
  | { readonly kind: Subcommand }
  | { readonly kind: "ask"; readonly question: string }
  /** Nothing that anybody could answer. */
  | { readonly kind: "unclear" };

/** Bare `/angel` asks for the status. */
export function parseCommand(argument: string): AngelCommand {
  const words = argument.trim();
  const subcommand = SUBCOMMANDS.find((name) => name === words.toLowerCase());
  if (subcommand) return { kind: subcommand };
  if (words === "") return { kind: "status" };
  return saysSomething(words) ? { kind: "ask", question: words } : { kind: "unclear" };
}

/** The subcommands that what has been typed so far may still become; one that stands there in full needs no list. */
export function completeCommand(prefix: string): readonly Subcommand[] {
  return SUBCOMMANDS.filter((name) => name.startsWith(prefix) && name !== prefix);
}
