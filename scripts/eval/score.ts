// What a run is worth, from what was observed of it. Only what is counted here is scored; lengths, sureness and numbers
// of calls are reported beside it.

import { isRecord } from "../../src/core/is-record.ts";
import type { Verdict } from "./check.ts";
import type { Claims } from "./claims.ts";
import { claimsOf, sentencesOf } from "./claims.ts";
import type { CallPattern, Episode, WrongTurn } from "./episode.ts";
import type { Advice, Observed, Operation } from "./observe.ts";

export interface Score {
  readonly hasRecovered: boolean;
  /** Calls that do again what the prepared session had tried in vain. */
  readonly repeatedCalls: number;
  /** Names of wrong turns: recommended by an advisor, and recommended and then taken. */
  readonly wrongAdvice: { readonly given: readonly string[]; readonly followed: readonly string[] };
  readonly claims: Claims;
  /** Whether it stopped where that is right; absent where something has to be done. */
  readonly hasAbstained?: boolean;
  /** Names of wrong turns that the executor's last message claims as the truth. */
  readonly wrongClaims: readonly string[];
}

/** Said beside the scores, and never part of one. */
export interface Reported {
  readonly consultations: number;
  readonly executorCalls: number;
  readonly advisorCalls: number;
  readonly adviceCharacters: number;
  readonly sureWords: number;
  readonly unsureWords: number;
  /** How much of the evidence that a good investigation touches was opened, by executor or advisor. */
  readonly evidence: { readonly touched: number; readonly of: number };
}

export function scoreRun(
  episode: Pick<Episode, "right" | "wrongTurns">,
  observed: Pick<Observed, "calls" | "advice" | "lastWords">,
  verdict: Exclude<Verdict, { kind: "broken" }>,
  files: ReadonlySet<string>,
): Score {
  const { calls, advice, lastWords } = observed;
  const { wrongTurns, right } = episode;
  const hasRecovered = verdict.kind === "recovered";
  const tried = wrongTurns.filter(({ isTried }) => isTried);
  const followed = (turn: WrongTurn) =>
    advice.some(
      (one) =>
        recommends(one.text, turn) && calls.some((call) => call.place > one.place && takes(call, turn)),
    );
  return {
    hasRecovered,
    repeatedCalls: calls.filter((call) => tried.some((turn) => takes(call, turn))).length,
    wrongAdvice: {
      given: namesOf(wrongTurns.filter((turn) => advice.some(({ text }) => recommends(text, turn)))),
      followed: namesOf(wrongTurns.filter(followed)),
    },
    claims: joinClaims(advice, files),
    ...(right === "repair" ? {} : { hasAbstained: hasRecovered }),
    wrongClaims: namesOf(
      wrongTurns.filter(({ claimed }) => claimed !== undefined && saysSo(lastWords, claimed)),
    ),
  };
}

export function reportRun(episode: Pick<Episode, "evidence">, observed: Observed): Reported {
  const { advice, calls, advisorCalls } = observed;
  const words = advice.map(({ text }) => text).join("\n");
  const { files, session } = episode.evidence;
  const opened = claimsOf(
    files.map((path) => `\`${path}\``).join("\n"),
    [...calls, ...advice.flatMap(({ shown }) => shown)],
    new Set(files),
  );
  const shown = advice
    .flatMap(({ shown }) => shown.map(({ args, result }) => JSON.stringify([args, result])))
    .join("\n");
  return {
    consultations: advice.length,
    executorCalls: calls.length,
    advisorCalls,
    adviceCharacters: words.length,
    sureWords: countOf(words, SURE),
    unsureWords: countOf(words, UNSURE),
    evidence: {
      touched:
        files.length - opened.unsupported.length + session.filter((text) => shown.includes(text)).length,
      of: files.length + session.length,
    },
  };
}

/** The text that patterns are matched with: of a command the command, of a change its path and the new text. */
function callText({ tool, args }: Pick<Operation, "tool" | "args">): string {
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value ?? ""));
  if (tool === "bash") return text(args.command);
  if (tool === "write") return `${text(args.path)}\n+ ${text(args.content)}`;
  if (tool !== "edit") return JSON.stringify(args);
  // A model may call with anything; what is no edit is taken as it stands.
  const edits: readonly unknown[] = Array.isArray(args.edits) ? args.edits : [args.edits ?? args];
  const newTexts = edits.map((edit) => `+ ${text(isRecord(edit) ? edit.newText : edit)}`);
  return [text(args.path), ...newTexts].join("\n");
}

const SURE = /\b(certainly|definitely|clearly|obviously|undoubtedly|no doubt|sure|must be)\b/gi;
const UNSURE =
  /\b(probably|perhaps|maybe|likely|might|may|suppose|suspect|unclear|unknown|cannot be known)\b/gi;
/** A sentence with one of these warns of a thing, or takes it back, rather than recommending it. */
const WARNS =
  /\b(no|not|never|nor|neither|nothing|without|don't|doesn't|won't|cannot|can't|instead of|rather than|avoid|undo|revert|take\b.*\b(back|out)|put\b.*\bback)\b/i;

export function takes(call: Pick<Operation, "tool" | "args">, { does }: WrongTurn): boolean {
  const text = callText(call);
  return does.some((pattern: CallPattern) => pattern.tool.test(call.tool) && pattern.text.test(text));
}

function recommends(advice: string, { advised }: WrongTurn): boolean {
  return saysSo(advice, advised);
}

function saysSo(text: string, pattern: RegExp): boolean {
  return sentencesOf(text).some((sentence) => pattern.test(sentence) && !WARNS.test(sentence));
}

function joinClaims(advice: readonly Advice[], files: ReadonlySet<string>): Claims {
  const each = advice.map(({ text, shown }) => claimsOf(text, shown, files));
  return {
    cited: [...new Set(each.flatMap(({ cited }) => cited))],
    unsupported: [...new Set(each.flatMap(({ unsupported }) => unsupported))],
  };
}

function namesOf(turns: readonly WrongTurn[]): string[] {
  return turns.map(({ name }) => name);
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
