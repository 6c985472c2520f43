// What Angel itself hooks into a child: its list of tools and their words, and the assignment that a
// compaction of the child must not lose.

import type { InlineExtension } from "@mariozechner/pi-coding-agent";

/** Whatever an extension activates, and whatever tools a newer Pi has: only these are offered and run. */
export function toolListKeeper(isAllowed: (name: string) => boolean): InlineExtension {
  return {
    name: "angel-tool-list",
    hidden: true,
    factory: (pi) => {
      pi.on("before_agent_start", ({ systemPromptOptions: options }) => {
        options.selectedTools = options.selectedTools.filter(isAllowed);
      });
      pi.on("tool_call", ({ toolName }) =>
        isAllowed(toolName)
          ? undefined
          : { block: true, reason: `The tool "${toolName}" is no tool of this consultation.` },
      );
    },
  };
}

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
        const words = {
          tools: tools.join("\n"),
          rules: [...new Set(rules)].map((rule) => `- ${rule}`).join("\n"),
        };
        for (const [section, text] of Object.entries(words)) {
          if (text === "") continue;
          options.sections[section] = text;
          // A prompt that an extension returned as a whole has no sections any more.
          if (options.forceSystemPrompt !== undefined)
            options.forceSystemPrompt += `\n\n<${section}>\n${text}\n</${section}>`;
        }
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

/** With its answer given an advisor needs no shorter context: a summary now would be waited for, paid and thrown away. */
export function noLateCompaction(): InlineExtension {
  return {
    name: "angel-no-late-compaction",
    hidden: true,
    factory: (pi) => {
      pi.on("session_before_compact", ({ branchEntries }) => {
        const last = branchEntries.findLast((entry) => entry.type === "message");
        if (last?.type !== "message" || last.message.role !== "assistant") return undefined;
        const { stopReason, content } = last.message;
        const isAnswer =
          stopReason === "stop" && content.some((block) => block.type === "text" && block.text.trim());
        return isAnswer ? { cancel: true } : undefined;
      });
    },
  };
}

function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => block.text ?? "").join("");
}
