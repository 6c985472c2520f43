// What the advisor asks of parent_session. Parsed here and not by the schema, so that every wrong
// argument is answered with a sentence that says what to do instead.

import { isRecord } from "../../core/is-record.ts";
import type { ItemKind } from "../../core/items.ts";
import { ITEM_KINDS } from "../../core/items.ts";
import type { View } from "../../core/view.ts";
import { VIEWS } from "../../core/view.ts";
import { quote } from "./wording.ts";

export const ACTIONS = ["overview", "list", "files", "search", "get"] as const;
export type Action = (typeof ACTIONS)[number];

/** Far more than anybody looks for, far less than the search engine takes. */
const MAX_QUERY_LENGTH = 1000;

export interface Query {
  readonly action: Action;
  readonly view: View;
  /** Present whenever the action is search. */
  readonly query: string | undefined;
  readonly ids: readonly string[];
  readonly filter: QueryFilter;
  /** Lines to pass over for list, files and search, from 0; the first line of the content for get, from 1. */
  readonly offset: number | undefined;
  /** From 1, in characters of the line at `offset`. */
  readonly column: number | undefined;
  readonly limit: number | undefined;
}

export interface QueryFilter {
  readonly kinds: readonly ItemKind[];
  readonly tool: string | undefined;
  readonly isErrorsOnly: boolean;
  /** Entry or call ids. */
  readonly after: string | undefined;
  readonly before: string | undefined;
}

const PARAMETERS: readonly string[] = [
  "action",
  "view",
  "query",
  "ids",
  "kinds",
  "tool",
  "errorsOnly",
  "after",
  "before",
  "offset",
  "column",
  "limit",
];

/** @throws Error with a full sentence when an argument is wrong */
export function parseQuery(raw: unknown): Query {
  const given: Record<string, unknown> = isRecord(raw) ? raw : {};
  for (const key of Object.keys(given)) {
    if (PARAMETERS.includes(key)) continue;
    throw new Error(
      `parent_session has no parameter ${quote(key)}; its parameters are ${PARAMETERS.join(", ")}.`,
    );
  }
  if (isAbsent(given.action)) {
    throw new Error(`parent_session needs an "action": ${ACTIONS.join(", ")}. Start with overview.`);
  }
  const action = oneOf("action", given.action, ACTIONS);
  const ids = texts("ids", given.ids);
  const query = text("query", given.query);
  if (action === "get" && ids.length === 0) {
    throw new Error('get needs "ids": entry ids or tool-call ids; list and search give them.');
  }
  if (action === "search" && query === undefined) {
    throw new Error('search needs a "query": the plain text to look for, at least one character.');
  }
  if (query !== undefined && query.length > MAX_QUERY_LENGTH) {
    throw new Error(
      `"query" has ${query.length} characters; look for a part of it, at most ${MAX_QUERY_LENGTH} characters.`,
    );
  }
  return {
    action,
    view: isAbsent(given.view) ? "context" : oneOf("view", given.view, VIEWS),
    query,
    ids,
    filter: {
      kinds: texts("kinds", given.kinds).map((kind) => oneOf("kinds", kind, ITEM_KINDS)),
      tool: text("tool", given.tool),
      isErrorsOnly: truth("errorsOnly", given.errorsOnly),
      after: text("after", given.after),
      before: text("before", given.before),
    },
    offset: whole("offset", given.offset, action === "get" ? 1 : 0),
    column: whole("column", given.column, 1),
    limit: whole("limit", given.limit, 1),
  };
}

// Models send null or "" for a parameter they do not mean; both count as absent.
function isAbsent(value: unknown): value is undefined | null | "" {
  return value === undefined || value === null || value === "";
}

function oneOf<T extends string>(name: string, value: unknown, allowed: readonly T[]): T {
  const found = allowed.find((one) => one === value);
  if (!found) throw new Error(`"${name}" cannot be ${quote(value)}; it is one of ${allowed.join(", ")}.`);
  return found;
}

function text(name: string, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  // An id of digits alone is a number to many a model, and so is a searched port or line.
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  if (typeof value !== "string") throw new Error(`"${name}" must be a text; found ${quote(value)}.`);
  return value;
}

/** A single text stands for a list of one; blank ones are passed over. */
function texts(name: string, value: unknown): string[] {
  if (isAbsent(value)) return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((one) => text(name, one) ?? []);
}

function truth(name: string, value: unknown): boolean {
  if (isAbsent(value) || value === false || value === "false") return false;
  if (value === true || value === "true") return true;
  throw new Error(`"${name}" must be true or false; found ${quote(value)}.`);
}

function whole(name: string, value: unknown, least: number): number | undefined {
  if (isAbsent(value)) return undefined;
  const number = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number === "number" && Number.isSafeInteger(number) && number >= least) return number;
  throw new Error(`"${name}" must be a whole number of at least ${least}; found ${quote(value)}.`);
}
