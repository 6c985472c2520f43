// The parent's model runtime, shared with the child: its keys, its extension-registered providers.
// Pi keeps it in a member of the registry that is not public, so this file alone touches it.

import type { ModelRegistry } from "@mariozechner/pi-coding-agent";
import { ModelRuntime } from "@mariozechner/pi-coding-agent";

/** Undefined when this Pi keeps its runtime elsewhere: then no child can be made. */
export function sharedRuntime(registry: ModelRegistry): ModelRuntime | undefined {
  const runtime: unknown = Reflect.get(registry, "runtime");
  return runtime instanceof ModelRuntime ? runtime : undefined;
}
