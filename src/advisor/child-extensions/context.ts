// The context that an extension sees in a child: nobody is there to answer a dialog, and the model registry, which
// is the parent's, can be used and not changed.

import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Stay } from "./stay.ts";
import { reasonOf } from "./stay.ts";

type Ui = ExtensionContext["ui"];

export function childContext<C extends ExtensionContext>(ctx: C, stay: Stay): C {
  const compact: C["compact"] = (options) => {
    if (!stay.isOver()) ctx.compact(options);
  };
  // All of Pi's members as they are, getters included, so that a copy of the context has them too.
  return Object.create(Object.getPrototypeOf(ctx), {
    ...Object.getOwnPropertyDescriptors(ctx),
    ...values({
      ui: silentUi(ctx.ui, stay),
      modelRegistry: frozenRegistry(ctx.modelRegistry, stay),
      compact,
    }),
  });
}

function values(members: Readonly<Record<string, unknown>>): PropertyDescriptorMap {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, { value, enumerable: true }]),
  );
}

/** Dialogs settle at once with the value that means "no answer". */
function silentUi(ui: Ui, { name, note }: Stay): Ui {
  const unavailable = (kind: string, title: unknown) =>
    note(
      `${name} asked for ${kind}${typeof title === "string" ? ` ("${reasonOf(title)}")` : ""}: nobody can answer in a consultation, so it was told that there is no answer.`,
    );
  return {
    ...ui,
    async select(title) {
      unavailable("a choice", title);
      return undefined;
    },
    async confirm(title) {
      unavailable("a confirmation", title);
      return false;
    },
    async input(title) {
      unavailable("an input", title);
      return undefined;
    },
    async editor(title) {
      unavailable("a text", title);
      return undefined;
    },
    custom: (...args) => {
      unavailable("a dialog of its own", undefined);
      return ui.custom(...args);
    },
  };
}

function frozenRegistry(
  registry: ExtensionContext["modelRegistry"],
  stay: Stay,
): ExtensionContext["modelRegistry"] {
  const refuse = (what: string) => ({ value: () => noteProviderChange(stay, what) });
  return Object.create(registry, {
    registerProvider: refuse("register a provider"),
    unregisterProvider: refuse("unregister a provider"),
    registerVirtualModel: refuse("register a virtual model"),
    unregisterVirtualModel: refuse("unregister a virtual model"),
  });
}

export function noteProviderChange({ name, note }: Stay, what: string): void {
  note(`${name} tried to ${what}: the providers are the parent's, so nothing was changed.`);
}
