/** Calls parent_session as Pi's agent loop does: prepare the arguments, check them against the schema, execute. */

import type { ImageContent } from "@mariozechner/pi-ai";
import { validateToolArguments } from "@mariozechner/pi-ai";
import type { SessionManager } from "@mariozechner/pi-coding-agent";
import { defineParentSession } from "../../src/advisor/parent-session/tool.ts";
import { pinSnapshot } from "../../src/core/snapshot.ts";

export interface ParentSession {
  /** What the advisor's model is answered. Rejects with the sentence when the call is refused. */
  ask(args: unknown): Promise<string>;
  askWithImages(args: unknown): Promise<{ readonly text: string; readonly images: readonly ImageContent[] }>;
}

/** Pinned now. */
export function openParentSession(
  manager: SessionManager,
  { triggers = [], takesImages = true }: { triggers?: readonly string[]; takesImages?: boolean } = {},
): ParentSession {
  const tool = defineParentSession(pinSnapshot(manager), { triggers, takesImages });

  async function askWithImages(args: unknown) {
    // The schema knows what the model may send; what it does send may be anything.
    const prepared = tool.prepareArguments?.(args) ?? args;
    const call = { type: "toolCall", id: "ask", name: tool.name, arguments: prepared as object } as const;
    const params = validateToolArguments(tool, call as Parameters<typeof validateToolArguments>[1]);
    const { content } = await tool.execute("ask", params, undefined, undefined, {} as never);
    const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    return { text, images: content.filter((block) => block.type === "image") };
  }

  return { askWithImages, ask: async (args) => (await askWithImages(args)).text };
}

/** The answer without the times of its lines, which come and go with the clock. */
export function withoutTimes(answer: string): string {
  return answer.replace(/^(.*?\]) (\d{4}-\d\d-\d\d )?(\d\d:\d\d:\d\d )?/gm, "$1 ");
}
