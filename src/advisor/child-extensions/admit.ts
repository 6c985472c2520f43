// Lets the chosen extensions into a child: loads each as a module of its own, so that nothing that the parent's
// instance keeps in its modules is shared, and sees them out again.

import { pathToFileURL } from "node:url";
import type { AgentSession, InlineExtension } from "@mariozechner/pi-coding-agent";
import type { ChosenExtension } from "../../core/extension-choice.ts";
import type { Stay } from "./stay.ts";
import { within } from "./stay.ts";
import { viewOfPi } from "./view-of-pi.ts";

export interface ChildExtensions {
  /** In the order in which Pi loads them in the parent. */
  readonly factories: readonly InlineExtension[];
  hasTool(name: string): boolean;
  /** Starts them in the opened child. */
  start(session: AgentSession): Promise<void>;
  /** Shuts down what was started. Afterwards nothing of them is called. */
  leave(session: AgentSession): Promise<void>;
}

export interface AdmissionRules {
  readonly signal: AbortSignal;
  readonly note: (sentence: string) => void;
}

const LOAD_LIMIT_MS = 10_000;

export function admitExtensions(chosen: readonly ChosenExtension[], rules: AdmissionRules): ChildExtensions {
  const { signal } = rules;
  const tools = new Set<string>();
  let isOver = false;
  const note = onceEach((sentence) => {
    if (!isOver) rules.note(sentence);
  });
  const admit = (extension: ChosenExtension): InlineExtension => {
    const stay: Stay = {
      ...extension,
      signal,
      note,
      isOver: () => isOver,
      onTool: (name) => void tools.add(name),
    };
    return {
      name: extension.path,
      factory: async (pi) => {
        const load = async () => {
          const factory = factoryOf(await import(pathToFileURL(extension.path).href));
          await factory(viewOfPi(pi, stay));
        };
        await within(load(), LOAD_LIMIT_MS, signal).catch((error: unknown) => {
          note(`${extension.name} was not loaded: ${reasonOf(error)}.`);
          throw error;
        });
      },
    };
  };

  return {
    factories: chosen.map(admit),
    hasTool: (name) => tools.has(name),
    async start(session) {
      if (chosen.length === 0) return;
      const nameOf = (path: string) => chosen.find((extension) => path.includes(extension.path))?.name;
      await session.bindExtensions({
        onError: ({ extensionPath, event, error }) => {
          if (!signal.aborted)
            note(`${nameOf(extensionPath) ?? extensionPath} failed at ${event}: ${reasonOf(error)}.`);
        },
      });
    },
    async leave(session) {
      // Pi itself sends this event only when it is the host that ends a session.
      await session.extensionRunner.emit({ type: "session_shutdown", reason: "quit" });
      isOver = true;
    },
  };
}

function factoryOf(module: unknown): (pi: unknown) => unknown {
  for (
    let value = module;
    typeof value === "object" && value !== null;
    value = Reflect.get(value, "default")
  ) {
    const inner: unknown = Reflect.get(value, "default");
    if (typeof inner === "function") return (pi) => Reflect.apply(inner, undefined, [pi]);
  }
  throw new Error("it exports no extension");
}

/** More notes than anybody reads would only make the record long. */
const MOST_NOTES = 100;

function onceEach(note: (sentence: string) => void): (sentence: string) => void {
  const said = new Set<string>();
  return (sentence) => {
    if (said.has(sentence) || said.size >= MOST_NOTES) return;
    said.add(sentence);
    note(sentence);
  };
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, 500);
}
