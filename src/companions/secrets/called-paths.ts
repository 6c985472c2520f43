// The files that a call of a tool names: Pi's own file tools by their path, and the history of a file by its path
// or by a revision that names one.

const FILE_TOOLS: readonly string[] = ["read", "ls", "find", "grep"];

export function calledPaths(toolName: string, input: Readonly<Record<string, unknown>>): string[] {
  if (FILE_TOOLS.includes(toolName)) return typeof input.path === "string" ? [input.path] : [];
  if (toolName !== "git_evidence") return [];
  const { paths, path, revision } = input;
  const listed: readonly unknown[] = Array.isArray(paths) ? paths : [paths, path];
  // "HEAD:config/.env" is the file as it was.
  const ofRevision = typeof revision === "string" ? /^[^:]+:(.+)$/.exec(revision)?.[1] : undefined;
  return [...listed, ofRevision].filter((one) => typeof one === "string");
}
