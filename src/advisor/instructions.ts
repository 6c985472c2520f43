// Angel's own instructions, one file a purpose under prompts/, each read once per session runtime.

import { readFileSync } from "node:fs";

export interface Instructions {
  /** The child's system prompt: what every advisor does, then what this origin asks of it. */
  systemPrompt(origin: string): string;
  /** The same for an origin of a companion's, which brings its own words. */
  systemPromptWith(words: string): string;
  /** What an advisor is told that ended without an answer. */
  readonly nudge: string;
}

export function loadInstructions(): Instructions {
  const read = memoize((name) =>
    readFileSync(new URL(`../../prompts/${name}.md`, import.meta.url), "utf8").trim(),
  );
  return {
    systemPromptWith: (words) => `${read("advisor")}\n\n${words.trim()}`,
    systemPrompt: (origin) => `${read("advisor")}\n\n${read(origin)}`,
    get nudge() {
      return read("nudge");
    },
  };
}

function memoize(read: (name: string) => string): (name: string) => string {
  const texts = new Map<string, string>();
  return (name) => {
    const text = texts.get(name) ?? read(name);
    texts.set(name, text);
    return text;
  };
}
