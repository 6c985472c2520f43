// The executor's tool. Its result is the advice text and nothing else; a failure or cancellation is an
// error result of one sentence. The UI's copy of the advice is an entry that no model sees.

import type { AgentToolResult, ExtensionContext, ToolDefinition } from "@mariozechner/pi-coding-agent";
import { Type } from "@sinclair/typebox";
import type { Consultation } from "../core/consultation.ts";
import { saysSomething } from "../core/consultation.ts";
import { outcomeSentence } from "../core/outcome.ts";
import type { ConsultationRecord } from "../core/record.ts";
import { ANGEL_TOOL } from "../core/tool-name.ts";
import { activityWords } from "../view/activity.ts";
import type { Live } from "../view/live.ts";
import { drawLive } from "../view/live.ts";
import { drawCall, drawResult } from "../view/row.ts";
import { undelivered } from "./delivery.ts";
import type { Engine } from "./engine.ts";
import type { Notify } from "./notices.ts";

export const CARD_ENTRY = "angel-advice-card";

/** What the card entry holds: the one UI copy of a tool origin's advice. */
export interface AdviceCard {
  readonly advice: string;
  readonly record: ConsultationRecord;
}

export interface AngelToolParts {
  readonly engine: Pick<Engine, "consult" | "status">;
  readonly appendEntry: (customType: string, data: AdviceCard) => void;
  readonly tell: Notify;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly newId: () => string;
  /** ISO 8601. */
  readonly clock: () => string;
}

const WAITING_HINT = "Esc stops the run";

/** While it runs in a terminal, what is to be drawn; once it has run, the record. */
type Details = ConsultationRecord | Live | undefined;

const parameters = Type.Object({
  question: Type.String({
    description:
      "The one question or decision to resolve, concretely: what you observe, what you expected, and the explanations or designs you weigh against each other.",
  }),
  context: Type.Optional(
    Type.String({
      description:
        "Anything that sharpens the question and is not in this session, such as a constraint or a suspicion. Do not copy history: Angel reads it itself.",
    }),
  ),
});

const DESCRIPTION = `Consult Angel for deep reasoning and independent investigation: a difficult diagnosis, competing explanations, an architectural trade-off, contradictory evidence, or a second opinion before you commit to an approach.
Angel is a second agent in a session of its own. It gets your question, loads the project instructions, and reads this session (as it stands now), the project and its logs on demand, read-only. It does not see your reasoning, so put the uncertainty itself into the question.
Returns evidence-backed advice as Markdown: what is happening, what to do next, how to verify it, what remains unknown. It implements nothing and permits nothing. It takes a while; nothing else runs meanwhile.`;

const GUIDELINES: readonly string[] = [
  "angel: call it when independent investigation can change your next decision: an approach failed twice, evidence contradicts itself, a choice is costly to reverse. Not for reassurance",
  "angel: ask one concrete question with your competing hypotheses; a vague request for review gets a vague answer",
  "angel: do not copy history or files into the call; Angel reads what it needs from this session and the project",
  "angel: weigh the advice against the evidence and the user's instructions; it is advice, not authority, and where they conflict the user decides",
];

export function defineAngelTool(parts: AngelToolParts): ToolDefinition<typeof parameters, Details> {
  return {
    name: ANGEL_TOOL,
    label: "Angel",
    description: DESCRIPTION,
    promptSnippet:
      "Ask an independent, read-only advisor that investigates session and project before it answers",
    promptGuidelines: [...GUIDELINES],
    parameters,
    // One at a time, and with earlier siblings already in the session that Angel reads.
    executionMode: "sequential",
    exposure: "model-only",
    // Looks at the arguments as the model made them: Pi's own check turns a null into the question "null".
    prepareArguments(raw) {
      const args = typeof raw === "object" && raw !== null ? raw : {};
      const question: unknown = Reflect.get(args, "question");
      if (typeof question === "string" && saysSomething(question)) return { ...args, question };
      throw new Error(
        "Angel needs a question: say in one or two sentences what has to be decided or explained.",
      );
    },
    async execute(toolCallId, { question, context }, signal, onUpdate, ctx) {
      const consultation: Consultation = {
        id: parts.newId(),
        origin: "executor",
        question,
        ...(context?.trim() ? { context } : {}),
        toolCallIds: [toolCallId],
        asked: parts.clock(),
      };
      // A screen draws the text that is being written; other modes pass each update on, and get words only.
      const isDrawn = ctx.mode === "tui";
      return consult(parts, consultation, ctx, signal, isDrawn, (live) =>
        onUpdate?.({ content: [{ type: "text", text: live.words }], details: isDrawn ? live : undefined }),
      );
    },
    renderCall: (args, theme, context) => drawCall(args, context, theme),
    renderResult: (result, { expanded, isPartial }, theme, context) => {
      const text = textOf(result.content);
      const expandHint = expanded ? "" : context.keyHint("app.tools.expand", "to expand");
      if (isPartial) {
        const live = isLive(result.details) ? result.details : { words: text };
        const hint = live.sinceMs === undefined ? WAITING_HINT : expandHint;
        return drawLive(live, { showsText: expanded, now: parts.now, hint }, theme);
      }
      return drawResult(result.details, text, { expanded, expandHint, isAlone: isExport(context) }, theme);
    },
  };
}

async function consult(
  parts: AngelToolParts,
  consultation: Consultation,
  parent: ExtensionContext,
  signal: AbortSignal | undefined,
  isDrawn: boolean,
  show: (live: Live) => void,
): Promise<AgentToolResult<Details>> {
  let shown = "";
  if (parts.engine.status().running) show({ words: "waits for the consultation before it" });
  const { outcome, record } = await parts.engine.consult({
    consultation,
    parent,
    signal,
    onProgress: (progress, sinceMs) => {
      const words = activityWords(progress);
      if (words === shown && !isDrawn) return;
      shown = words;
      show({ words, sinceMs, provisional: progress.provisional });
    },
  });
  if (outcome.kind !== "advised") {
    return { content: [{ type: "text", text: outcomeSentence(outcome) }], details: record, isError: true };
  }
  try {
    parts.appendEntry(CARD_ENTRY, { advice: outcome.advice, record });
  } catch (error) {
    // The executor has its advice all the same; only the copy for the eye is missing.
    parts.tell(undelivered({ outcome, record }, error), "error", parent);
  }
  return { content: [{ type: "text", text: outcome.advice }], details: record };
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[] | undefined): string {
  return content?.map((block) => block.text ?? "").join("\n") ?? "";
}

/**
 * Pi's HTML export draws tool rows and leaves out the entries of extensions. It is the one place that draws a call which
 * has run without the time it took.
 */
function isExport(context: {
  readonly executionStarted: boolean;
  readonly durationMs: number | undefined;
}): boolean {
  return context.executionStarted && "durationMs" in context && context.durationMs === undefined;
}

function isLive(details: Details): details is Live {
  return details !== undefined && "words" in details;
}
