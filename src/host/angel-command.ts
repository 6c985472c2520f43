// The user's command: asks, switches, cancels and tells the state. Every report states what is true now.

import type { ExtensionAPI, ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import type { Subcommand } from "../core/command.ts";
import { completeCommand, parseCommand } from "../core/command.ts";
import type { DeskView, Ticket } from "../core/desk.ts";
import type { Engine } from "./engine.ts";
import type { HumanQuestions } from "./human-questions.ts";
import type { Notify } from "./notices.ts";
import { ticketWords } from "./ticket-words.ts";

/** What a switch came to. */
export interface EffectiveState {
  /** Why Angel cannot be used; undefined when it can. */
  readonly unusable: string | undefined;
  /** Whether the executor has the tool. */
  readonly hasTool: boolean;
}

export interface AngelCommandParts {
  readonly engine: Pick<Engine, "cancel" | "status">;
  readonly questions: Pick<HumanQuestions, "ask">;
  /** Switches and returns when it is in effect. */
  readonly switchTo: (isOn: boolean, ctx: ExtensionCommandContext) => Promise<EffectiveState>;
  /** What is true now, one fact a line. */
  readonly describe: (ctx: ExtensionCommandContext) => Promise<readonly string[]>;
  readonly isOn: () => boolean;
  readonly tell: Notify;
}

const WORDS: Readonly<Record<Subcommand, string>> = {
  on: "let the executor call Angel, and Angel step in by itself, in this session",
  off: "withdraw the tool and the automatic consultations for this session",
  cancel: "stop the consultation that runs and those that wait",
  status: "what Angel is doing, and with which model",
};

export function registerAngelCommand(
  pi: Pick<ExtensionAPI, "registerCommand">,
  parts: AngelCommandParts,
): void {
  pi.registerCommand("angel", {
    description: "Ask Angel a question, or on | off | cancel | status",
    getArgumentCompletions: (prefix) => {
      const items = completeCommand(prefix).map((value) => ({
        value,
        label: value,
        description: WORDS[value],
      }));
      return items.length > 0 ? items : null;
    },
    handler: (argument, ctx) => carryOut(argument, ctx, parts),
  });
}

async function carryOut(
  argument: string,
  ctx: ExtensionCommandContext,
  parts: AngelCommandParts,
): Promise<void> {
  const command = parseCommand(argument);
  switch (command.kind) {
    case "ask": {
      const asked = parts.questions.ask(command.question, ctx);
      // In the terminal Pi takes the next input, `/angel cancel` too, only when this handler has returned.
      if (ctx.mode !== "tui") await asked;
      return;
    }
    case "on":
    case "off":
      return parts.tell(
        switchedWords(command.kind, await parts.switchTo(command.kind === "on", ctx), parts.engine.status()),
        "info",
        ctx,
      );
    case "cancel": {
      const stopped = parts.engine.cancel("the user cancelled it with /angel cancel.");
      return parts.tell(cancelledWords(stopped, parts.isOn()), "info", ctx);
    }
    case "unclear":
      return parts.tell(
        "Angel needs a question: /angel and then, in words, what you want to know.",
        "warning",
        ctx,
      );
    case "status":
      return parts.tell((await parts.describe(ctx)).join("\n"), "info", ctx);
  }
}

function switchedWords(control: "on" | "off", state: EffectiveState, { running }: DeskView): string {
  const goesOn = running ? ` What runs goes on: ${ticketWords(running)}; /angel cancel stops it.` : "";
  return `${effectWords(control, state)}${goesOn}`;
}

function effectWords(control: "on" | "off", { unusable, hasTool }: EffectiveState): string {
  const head = `Angel is ${control} for this session`;
  if (unusable) return `${head}, but cannot be used: ${unusable}`;
  if (control === "off") {
    return `${head}: the tool is withdrawn and nothing starts by itself. /angel <question> still works.`;
  }
  const asking = hasTool
    ? "the executor may call it, and it"
    : "the executor's tool list leaves it out, but it";
  return `${head}: ${asking} steps in when an operation fails again.`;
}

function cancelledWords(stopped: readonly Ticket[], isOn: boolean): string {
  const state = `Angel stays ${isOn ? "on" : "off"}.`;
  if (stopped.length === 0) return `No consultation runs or waits. ${state}`;
  return `Cancelled: ${stopped.map(ticketWords).join("; ")}. ${state}`;
}
