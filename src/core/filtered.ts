// The pinned branch as companions let it be seen: every text of it is filtered once, before anything is searched,
// quoted or cut. A filter that fails takes its text away; nothing that was not filtered can be reached.

import type { Branch } from "./branch.ts";
import { readBranch } from "./branch.ts";
import type { Contents, ToolCall } from "./contents.ts";
import type { SessionEntry } from "./items.ts";

/** Never rejects: what cannot be filtered becomes a sentence that says so. */
export type EvidenceFilter = (text: string, entryId: string, part: string) => Promise<string>;

/** Characters that are filtered in one go: everything else of the process waits meanwhile. */
const AT_A_TIME = 50_000;

/**
 * @param pause lets everything else of the process have its turn
 * @throws the signal's reason once it is aborted: a long branch takes its time
 */
export async function filterBranch(
  branch: Branch,
  leafId: string | null,
  filter: EvidenceFilter,
  pause: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<Branch> {
  const filtered = new Map<SessionEntry, Contents>();
  let sincePause = 0;
  const counted: EvidenceFilter = async (text, entryId, part) => {
    sincePause += text.length;
    if (sincePause > AT_A_TIME) {
      sincePause = 0;
      await pause();
      signal?.throwIfAborted();
    }
    return filter(text, entryId, part);
  };
  for (const entry of branch.entries) {
    signal?.throwIfAborted();
    filtered.set(entry, await filterContents(branch.contentsOf(entry), entry.id, counted));
  }
  return readBranch(branch.entries, leafId, (entry) => filtered.get(entry) ?? WITHHELD);
}

const WITHHELD: Contents = { texts: [], calls: [], images: [], withheldBlocks: 0 };

async function filterContents(
  contents: Contents,
  entryId: string,
  filter: EvidenceFilter,
): Promise<Contents> {
  const { texts, calls, fault } = contents;
  const clean = (text: string, part: string) => filter(text, entryId, part);
  const cleanCall = async (call: ToolCall): Promise<ToolCall> => ({
    ...call,
    arguments: await cleanValue(call.arguments, "", 0, clean),
  });
  return {
    ...contents,
    texts: await inOrder(texts, async ({ part, text }) => ({ part, text: await clean(text, part) })),
    calls: await inOrder(calls, cleanCall),
    ...(fault === undefined ? {} : { fault: await clean(fault, "fault") }),
  };
}

/** As deep as evidence is read; what lies deeper is never shown. */
const MAX_DEPTH = 32;

async function cleanValue(
  value: unknown,
  path: string,
  depth: number,
  clean: (text: string, part: string) => Promise<string>,
): Promise<unknown> {
  const part = path ? `argument ${path}` : "arguments";
  if (typeof value === "string") return clean(value, part);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return undefined;
  const below = (key: string | number) => (path ? `${path}.${key}` : String(key));
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return inOrder(items, (inner, n) => cleanValue(inner, below(n), depth + 1, clean));
  }
  const pairs = await inOrder(Object.entries(value), async ([key, inner]) => {
    const name = await clean(key, part);
    return [name, await cleanValue(inner, below(key), depth + 1, clean)] as const;
  });
  return Object.fromEntries(pairs);
}

/** One after the other: a filter may be a program of its own. */
async function inOrder<T, R>(
  values: readonly T[],
  map: (value: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (const [index, value] of values.entries()) results.push(await map(value, index));
  return results;
}
