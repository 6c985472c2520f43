// What Angel itself hooks into a child: the words of the child's tools, and the assignment that a
// compaction of the child must not lose.

import type { InlineExtension } from "@mariozechner/pi-coding-agent";

/** Pi leaves the snippets and guidelines of tools out of a custom system prompt; this puts them back. */
export function toolWords(): InlineExtension {
  return {
    name: "angel-tool-words",
    hidden: true,
    factory: (pi) => {
      pi.on("before_agent_start", ({ systemPromptOptions: options }) => {
        const tools = options.selectedTools.flatMap((name) => {
          const snippet = options.toolSnippets[name];
          return snippet ? [`- ${name}: ${snippet}`] : [];
        });
        const rules = options.selectedTools.flatMap((name) => options.toolGuidelines[name] ?? []);
        if (tools.length > 0) options.sections.tools = tools.join("\n");
        if (rules.length > 0)
          options.sections.rules = [...new Set(rules)].map((rule) => `- ${rule}`).join("\n");
      });
    },
  };
}

/** A compaction summarises the first message away; the advisor must still know what it was asked. */
export function assignmentKeeper(assignment: string): InlineExtension {
  return {
    name: "angel-assignment",
    hidden: true,
    factory: (pi) => {
      pi.on("context", ({ messages }) => {
        const isThere = messages.some(
          (message) => message.role === "user" && textOf(message.content) === assignment,
        );
        if (isThere) return undefined;
        const at = messages.findIndex((message) => message.role === "compactionSummary") + 1;
        const kept = {
          role: "user" as const,
          content: [{ type: "text" as const, text: assignment }],
          timestamp: 0,
        };
        return { messages: [...messages.slice(0, at), kept, ...messages.slice(at)] };
      });
    },
  };
}

function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? "").join("");
}
