// Lets the chosen extensions into a child: loads each as a module of its own, so that nothing that the parent's
// instance keeps in its modules is shared, and sees them out again.

import { pathToFileURL } from "node:url";
import type {
  AgentSession,
  ExtensionAPI,
  ExtensionError,
  InlineExtension,
} from "@mariozechner/pi-coding-agent";
import type { ChosenExtension } from "../../core/extension-choice.ts";
import type { Stay } from "./stay.ts";
import { reasonOf, within } from "./stay.ts";
import { viewOfPi } from "./view-of-pi.ts";

export interface ChildExtensions {
  /** In the order in which Pi loads them in the parent. */
  readonly factories: readonly InlineExtension[];
  hasTool(name: string): boolean;
  /** Takes an error that Pi reports. */
  heard(error: ExtensionError): void;
  /** Told when Pi could not take over what they add to the child. */
  couldNotStart(error: unknown): void;
  /** Shuts down what was started. Afterwards nothing of them is called. */
  leave(session: AgentSession): Promise<void>;
}

export interface AdmissionRules {
  readonly signal: AbortSignal;
  readonly ownTools: readonly string[];
  readonly note: (sentence: string) => void;
}

const LOAD_LIMIT_MS = 10_000;
/** For all extensions of a child together: a cancellation and the end of Pi wait for it. */
const SHUTDOWN_LIMIT_MS = 1_000;
/** What a shutdown gets that comes after one that took all the time. */
const SHUTDOWN_LEAST_MS = 50;

export function admitExtensions(chosen: readonly ChosenExtension[], rules: AdmissionRules): ChildExtensions {
  const { signal, ownTools } = rules;
  const tools = new Set<string>();
  let isOver = false;
  let shutdownEndsMs = 0;
  const note = boundedNotes((sentence) => {
    if (!isOver) rules.note(sentence);
  });
  const admit = (extension: ChosenExtension): InlineExtension => {
    let isRefused = false;
    const stay: Stay = {
      ...extension,
      signal,
      ownTools,
      note,
      isOver: () => isOver || isRefused,
      shutdownLeftMs: () => Math.max(SHUTDOWN_LEAST_MS, shutdownEndsMs - performance.now()),
      onTool: (name) => void tools.add(name),
    };
    const load = async (pi: ExtensionAPI) => {
      signal.throwIfAborted();
      const factory = factoryOf(await import(pathToFileURL(extension.path).href));
      // What a factory opens, only its shutdown closes: none runs that will not be started.
      if (signal.aborted || isRefused) return;
      await factory(viewOfPi(pi, stay));
    };
    return {
      name: extension.path,
      factory: async (pi) => {
        await within(load(pi), LOAD_LIMIT_MS, signal).catch((error: unknown) => {
          isRefused = true;
          const reason = reasonOf(error);
          note(`${extension.name} was not loaded: ${reason}.`);
          throw new Error(reason, { cause: error });
        });
      },
    };
  };
  const nameOf = (path: string) => chosen.find((extension) => path === `<inline:${extension.path}>`)?.name;

  return {
    factories: chosen.map(admit),
    hasTool: (name) => tools.has(name),
    heard({ extensionPath, event, error }) {
      if (signal.aborted) return;
      note(`${nameOf(extensionPath) ?? extensionPath} failed at ${event}: ${reasonOf(error)}.`);
    },
    couldNotStart(error) {
      // By then they have been started; what they add to the child's resources cannot be read.
      note(`What the extensions add could not be taken over as a whole: ${reasonOf(error)}.`);
    },
    async leave({ extensionRunner }) {
      shutdownEndsMs = performance.now() + SHUTDOWN_LIMIT_MS;
      try {
        // Pi itself sends this event only when it is the host that ends a session.
        const goodbye = extensionRunner.emit({ type: "session_shutdown", reason: "quit" });
        // The user's are bounded one by one; a companion that never returns holds nothing up either.
        await within(goodbye, 2 * SHUTDOWN_LIMIT_MS).catch(() => {});
      } finally {
        isOver = true;
        // A timer that an extension forgot goes on asking. A context that is stale would throw where nobody
        // catches it and end Pi, so this one stays as it is; what could still act is silent by now.
        extensionRunner.invalidate = () => {};
      }
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

function boundedNotes(note: (sentence: string) => void): (sentence: string) => void {
  const said = new Set<string>();
  return (sentence) => {
    if (said.has(sentence) || said.size >= MOST_NOTES) return;
    said.add(sentence);
    try {
      note(sentence);
    } catch {
      // The disk may be full; the consultation does not hang on its notes.
    }
  };
}
