// Redacts every text in a value of any shape: the details of a tool result, a message, the body of a request. What
// has nothing to hide is handed back as it was, the same object.

import { isSecretName, isSecretValue } from "./secret-value.ts";

export interface Cleaner {
  text(text: string): Promise<string>;
  /** A text that is the value of a name, such as a member of an object. */
  named(text: string, name: string): Promise<string>;
}

/** Made by providers, checked by them, and theirs: a change would spoil the request. */
const SEALED =
  /^(?:signature|thinkingSignature|textSignature|thoughtSignature|thought_signature|encrypted_content|id|tool_call_id|tool_use_id|call_id|toolCallId)$/;
/** Deeper than any request; what lies deeper is not sent. */
const MAX_DEPTH = 64;

export async function cleanValue(value: unknown, cleaner: Cleaner, name = "", depth = 0): Promise<unknown> {
  if (typeof value === "string") return cleanText(value, cleaner, name);
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "[withheld: too deep to be searched]";
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    let isChanged = false;
    const cleaned: unknown[] = [];
    for (const item of items) {
      const put = await cleanValue(item, cleaner, name, depth + 1);
      if (put !== item) isChanged = true;
      cleaned.push(put);
    }
    return isChanged ? cleaned : value;
  }
  if (!isPlain(value) || isOwnWords(value)) return value;
  let isChanged = false;
  const members: [string, unknown][] = [];
  for (const [key, item] of Object.entries(value)) {
    const put = SEALED.test(key) ? item : await cleanValue(item, cleaner, key, depth + 1);
    const shownKey = await cleaner.text(key);
    if (put !== item || shownKey !== key) isChanged = true;
    members.push([shownKey, put]);
  }
  return isChanged ? Object.fromEntries(members) : value;
}

async function cleanText(text: string, cleaner: Cleaner, name: string): Promise<string> {
  if (name === "arguments") {
    const parsed = parse(text);
    if (typeof parsed === "object" && parsed !== null) {
      const cleaned = await cleanValue(parsed, cleaner);
      // A placeholder in place of a number would leave no JSON.
      return cleaned === parsed ? text : JSON.stringify(cleaned);
    }
  }
  return name === "" ? cleaner.text(text) : cleaner.named(text, name);
}

/** What the advisor wrote comes from its provider and goes back there. */
function isOwnWords(value: Readonly<Record<string, unknown>>): boolean {
  return (
    value.role === "assistant" ||
    value.role === "model" ||
    value.type === "reasoning" ||
    value.type === "function_call"
  );
}

/** Whether the text as a whole is the secret that its name announces. */
export function isNamedSecret(text: string, name: string): boolean {
  const place = { name, isQuoted: true, isAlone: true, isSpaced: false };
  return isSecretName(name) && isSecretValue(text, place);
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
