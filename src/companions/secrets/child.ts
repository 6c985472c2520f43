// What this companion brings into the advisor's session: two tools that redact before they cut, and hooks on every
// way by which text reaches the provider. A hook that throws would let the original through, so none does.

import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import type { ChildExtension } from "../../core/seam.ts";
import { calledPaths } from "./called-paths.ts";
import type { Cleaner } from "./deep.ts";
import { cleanValue, isNamedSecret } from "./deep.ts";
import { openFileTexts } from "./file-texts.ts";
import { placeholder } from "./finding.ts";
import { redactingGrep } from "./grep-tool.ts";
import type { PathRule } from "./path-rule.ts";
import { createPathRule } from "./path-rule.ts";
import { redactingRead } from "./read-tool.ts";
import type { Redactor } from "./redactor.ts";
import type { SecretsSettings } from "./settings.ts";
import type { Tally } from "./tally.ts";
import type { PathHost } from "./tool-path.ts";

export interface ChildParts {
  readonly cwd: string;
  readonly settings: SecretsSettings;
  readonly redactor: Redactor;
  readonly tally: Tally;
  readonly host: PathHost;
}

export function secretsExtension(parts: ChildParts): {
  readonly extension: ChildExtension;
  readonly rule: PathRule;
} {
  const { cwd, settings, redactor, tally, host } = parts;
  let named: readonly string[] = [];
  const rule = createPathRule({ cwd, settings, host, roots: () => named });
  const files = openFileTexts(rule, redactor, tally);
  const cleaner = makeCleaner(redactor, tally);
  // In the body of a request names are those of the provider's interface and announce nothing.
  const requestCleaner: Cleaner = { ...cleaner, named: (text) => cleaner.text(text) };

  const extension: ChildExtension = {
    name: "secrets",
    tools: [
      redactingRead({ cwd, files, images: settings.images, tally }),
      redactingGrep({ cwd, files, rule, tally }),
    ],
    factory: (pi) => {
      pi.on("before_agent_start", async ({ systemPromptOptions: options }) => {
        // Pi names these to the advisor, which reads them by their path.
        named = [
          ...options.skills.map(({ baseDir }) => baseDir),
          ...options.contextFiles.map(({ path }) => path),
        ];
        if (options.forceSystemPrompt !== undefined)
          options.forceSystemPrompt = await cleaner.text(options.forceSystemPrompt);
      });
      pi.on("tool_call", ({ toolName, input }) => {
        for (const path of calledPaths(toolName, input)) {
          const reason = rule.refusal(path);
          if (reason === undefined) continue;
          tally.refused(path);
          return { block: true, reason };
        }
        return undefined;
      });
      guardResults(pi, cleaner, settings, tally);
      guardRequests(pi, requestCleaner);
    },
  };
  return { extension, rule };
}

export function makeCleaner(redactor: Redactor, tally: Tally): Cleaner {
  const text = async (given: string) => {
    const { text: shown, secrets, isWithheld } = await redactor.redact(given);
    tally.redacted(secrets);
    if (isWithheld) tally.withheld();
    return shown;
  };
  return {
    text,
    async named(given, name) {
      const shown = await text(given);
      // A text that is redacted in part already has lost what was secret in it.
      if (shown !== given || !isNamedSecret(given, name)) return shown;
      tally.redacted([{ kind: "assignment", secret: given }]);
      return placeholder("assignment");
    },
  };
}

function guardResults(pi: ExtensionAPI, cleaner: Cleaner, { images }: SecretsSettings, tally: Tally): void {
  pi.on("tool_result", async ({ content, details, structuredContent }) => {
    try {
      const shown = content.map((block) => {
        if (block.type !== "image" || images === "allow") return block;
        tally.withheld();
        return { type: "text" as const, text: "[an image is withheld: nothing can be redacted in it]" };
      });
      const texts = await Promise.all(
        shown.map(async (block) =>
          block.type === "text" ? { ...block, text: await cleaner.text(block.text) } : block,
        ),
      );
      return {
        content: texts,
        details: await cleanValue(details, cleaner),
        // An image stands in here too; what was not withheld says the same as the content.
        ...(structuredContent === undefined || content.some(({ type }) => type === "image")
          ? {}
          : { structuredContent: JSON.parse(JSON.stringify(await cleanValue(structuredContent, cleaner))) }),
      };
    } catch (error) {
      tally.withheld();
      return { content: [{ type: "text" as const, text: fault(error) }], details: {} };
    }
  });
}

function guardRequests(pi: ExtensionAPI, cleaner: Cleaner): void {
  pi.on("context_with_system", async ({ messages }) => {
    const cleaned: typeof messages = [];
    for (const message of messages) cleaned.push(await cleanMessage(message, cleaner));
    return cleaned.some((message, at) => message !== messages[at]) ? { messages: cleaned } : undefined;
  });
  pi.on("session_before_compact", async ({ preparation }) => {
    // A summary is asked for in a request of its own, made of the messages as they are kept.
    for (const list of [preparation.messagesToSummarize, preparation.turnPrefixMessages])
      for (const [at, message] of list.entries()) list[at] = await cleanMessage(message, cleaner);
    return undefined;
  });
  pi.on("before_provider_request", async ({ payload }) => {
    try {
      const cleaned = await cleanValue(payload, cleaner);
      return cleaned === payload ? undefined : cleaned;
    } catch (error) {
      // No provider takes this for a request.
      return { error: fault(error) };
    }
  });
}

async function cleanMessage<M extends { role: string }>(message: M, cleaner: Cleaner): Promise<M> {
  const cleaned = await cleanValue(message, cleaner);
  return isMessageLike<M>(cleaned, message) ? cleaned : message;
}

function isMessageLike<M extends { role: string }>(value: unknown, like: M): value is M {
  return typeof value === "object" && value !== null && "role" in value && value.role === like.role;
}

function fault(error: unknown): string {
  return `[withheld: redaction failed: ${error instanceof Error ? error.name : "unknown fault"}]`;
}
