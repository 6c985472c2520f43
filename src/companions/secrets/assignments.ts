// Values that stand behind a name that announces a secret, as shells, .env files, JSON, YAML, TOML, XML, command
// lines and code write them. Every quantifier in front of a name is bounded, so that a long line costs its length.

import type { Finding } from "./finding.ts";
import type { ValuePlace } from "./secret-value.ts";
import { isSecretName, isSecretValue } from "./secret-value.ts";

const WORD =
  "(?:pass|pwd|secret|token|credential|authorization|cookie|bearer|dsn|conn|key|session|auth|mnemonic|pepper)";
const NAME = `[\\w$.-]{0,60}?${WORD}[\\w$.-]{0,40}`;
const ASSIGNED = new RegExp(
  `(?<![\\w$.-])(?:["'\`]?)(${NAME})["'\`]?[ \\t]{0,20}(?:=>|:=|[:=])(?!=)[ \\t]{0,20}`,
  "gi",
);
const OPTION = new RegExp(`(?<![\\w-])--?(${NAME})[ \\t]{1,8}(?=[^\\s-])`, "gi");
const ELEMENT = new RegExp(`<(${NAME})>([^<>\\s]{4,4096})`, "gi");
const NETRC = /\bmachine[ \t]+\S{1,200}[ \t]+login[ \t]+\S{1,200}[ \t]+password[ \t]+(\S{1,400})/dg;
const COMMAND = new RegExp(`^[ \\t]*(?:ENV|ARG|setx?)[ \\t]+(${NAME})[ \\t]+`, "gim");

/** What may stand in its line before a name that is alone with its value: marks of lists, diffs, searches, shells. */
const BEFORE_NAME =
  /^(?:.{0,300}[:-]\d+[:-])?[\s>|#*+\d:-]*(?:(?:export|declare|typeset|set|setx|env|arg|local|readonly|const|let|var|-[exr])[ \t]+|\/\/[ \t]*|\$env:)*["'`]?$/i;

export function findAssignments(text: string): Finding[] {
  const findings: Finding[] = [];
  /** Returns where the search goes on. */
  const add = (name: string, value: Value): number => {
    if (!isSecretValue(value.text, { ...value, name })) return value.start;
    const end = wholeEnd(text, value);
    findings.push({ start: value.start, end, kind: "assignment" });
    return end;
  };
  for (const pattern of [ASSIGNED, OPTION, COMMAND]) {
    let done = 0;
    for (const { 0: whole, 1: path = "", index } of text.matchAll(pattern)) {
      const name = bareName(path);
      if (index >= done && isSecretName(name)) done = add(name, valueAt(text, index + whole.length, index));
    }
  }
  for (const { 0: whole, 1: name = "", 2: value = "", index } of text.matchAll(ELEMENT)) {
    const end = index + whole.length;
    if (!isSecretName(name)) continue;
    add(name, {
      start: end - value.length,
      end,
      text: value,
      isQuoted: true,
      isAlone: true,
      isSpaced: false,
    });
  }
  for (const { indices } of text.matchAll(NETRC)) {
    const [start, end] = indices?.[1] ?? [0, 0];
    findings.push({ start, end, kind: "assignment" });
  }
  return findings;
}

interface Value extends Omit<ValuePlace, "name"> {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A value is judged by so much of it, and taken out whole. */
const JUDGED = 1_000;

function valueAt(text: string, at: number, nameStart: number): Value {
  const ahead = text.slice(at, at + JUDGED);
  const lineEnd = at + (/[\r\n]/.exec(ahead)?.index ?? ahead.length);
  const isSpaced = /=>?[ \t]+$/.test(text.slice(Math.max(nameStart, at - 24), at));
  const quoted = /^(?:[bfru]{0,2}|@)(["'`])/i.exec(ahead);
  if (quoted) {
    const start = at + quoted[0].length;
    const end = closingQuote(text, quoted[1] ?? '"', start, lineEnd);
    return { start, end, text: text.slice(start, end), isQuoted: true, isAlone: false, isSpaced };
  }
  const chunk = /^\S*/.exec(text.slice(at, lineEnd))?.[0] ?? "";
  const isAlone = isAloneInLine(text, nameStart, at + chunk.length, lineEnd) && !/[,;]$/.test(chunk);
  const value = isAlone ? chunk : (/^[^\s,;&"'`<>|]*/.exec(chunk)?.[0] ?? "");
  return { start: at, end: at + value.length, text: value, isQuoted: false, isAlone, isSpaced };
}

function isAloneInLine(text: string, nameStart: number, valueEnd: number, lineEnd: number): boolean {
  if (!/^[ \t]*(?:#.*|\\|\/\/.*)?$/.test(text.slice(valueEnd, lineEnd))) return false;
  const window = text.slice(Math.max(0, nameStart - 400), nameStart);
  return BEFORE_NAME.test(window.slice(window.lastIndexOf("\n") + 1));
}

/** The end of the line when the quote is not closed in it: a text may be cut anywhere. */
function closingQuote(text: string, quote: string, from: number, lineEnd: number): number {
  for (let at = from; at < lineEnd; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === quote) return at;
  }
  return lineEnd;
}

/** The end of a value of which only the beginning was judged. */
function wholeEnd(text: string, { start, end, isQuoted }: Value): number {
  if (end - start < JUDGED - 8) return end;
  const rest = isQuoted ? /[^\r\n"'`]*/y : /\S*/y;
  rest.lastIndex = end;
  return end + (rest.exec(text)?.[0].length ?? 0);
}

/** The last part of a path of names decides: `config.token.length` is no token. */
function bareName(name: string): string {
  return name.replace(/^[$.-]+|[$.-]+$/g, "").replace(/^.*\.(?=[^.])/, "");
}
