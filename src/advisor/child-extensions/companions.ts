// What companions bring into a child: tools, which stand before any other of their name, and an inline extension
// each. They may be there to hold something back, so an error of theirs ends the consultation.

import type {
  ExtensionAPI,
  ExtensionError,
  InlineExtension,
  ToolDefinition,
} from "@mariozechner/pi-coding-agent";
import { Cancellation } from "../../core/desk.ts";
import type { ChildExtension } from "../../core/seam.ts";
import { ANGEL_TOOL } from "../../core/tool-name.ts";
import { MUTATING_TOOLS } from "../tool-names.ts";
import { reasonOf, within } from "./stay.ts";

export interface ChildCompanions {
  // biome-ignore lint/suspicious/noExplicitAny: as in the seam
  readonly tools: readonly ToolDefinition<any, any>[];
  readonly factories: readonly InlineExtension[];
  /** Takes an error that Pi reports; false when it is none of a companion. */
  heard(error: ExtensionError): boolean;
  /** @throws Error when one of them could not join */
  assertJoined(): void;
  /** Aborted with a sentence as soon as one of them fails. */
  readonly fault: AbortSignal;
}

const LOAD_LIMIT_MS = 10_000;
const FORBIDDEN_TOOLS: readonly string[] = [...MUTATING_TOOLS, ANGEL_TOOL, "parent_session"];

/** @throws Error for a tool that no advisor may have */
export function bringCompanions(brought: readonly ChildExtension[], signal: AbortSignal): ChildCompanions {
  const fault = new AbortController();
  const fail = (name: string, event: string, error: unknown) => {
    if (!fault.signal.aborted)
      fault.abort(new Cancellation(`the companion "${name}" failed at ${event}: ${reasonOf(error)}.`));
  };
  const nameOf = (path: string) => brought.find(({ name }) => path === `<inline:${inlineName(name)}>`)?.name;
  const tools = brought.flatMap((one) => one.tools ?? []);
  const forbidden = tools.find(({ name }) => FORBIDDEN_TOOLS.includes(name));
  if (forbidden) throw new Error(`a companion brings a tool "${forbidden.name}", which no advisor may have.`);
  return {
    tools,
    factories: brought.map(({ name, factory }) => ({
      name: inlineName(name),
      hidden: true,
      factory: async (pi: ExtensionAPI) => {
        const load = (async () => factory?.(pi))();
        await within(load, LOAD_LIMIT_MS, signal).catch((error: unknown) => fail(name, "load", error));
      },
    })),
    heard({ extensionPath, event, error }) {
      const name = nameOf(extensionPath);
      if (name === undefined) return false;
      fail(name, event, error);
      return true;
    },
    assertJoined() {
      const { reason }: { reason: unknown } = fault.signal;
      if (reason instanceof Cancellation) throw reason;
    },
    fault: fault.signal,
  };
}

function inlineName(name: string): string {
  return `angel-companion-${name}`;
}
