/**
 * Cuts text into lines at LF only, since U+2028 and its kin are part of a JSON string, and parses each.
 * What is no JSON object goes to `junk`, never to the reader.
 */

export interface JsonLines {
  take(chunk: string): void;
  /** The text is over: a last line may lack its LF. */
  end(): void;
}

export function createJsonLines(onRecord: (record: object) => void, junk: string[]): JsonLines {
  let rest = "";
  const read = (line: string) => {
    if (line === "") return;
    const record = parseObject(line);
    if (record === undefined) junk.push(line);
    else onRecord(record);
  };
  return {
    take(chunk) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(read);
    },
    end: () => read(rest),
  };
}

function parseObject(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
