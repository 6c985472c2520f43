// The names of Pi's own tools as far as a child is concerned.

/** What every child has: they read files and folders. */
export const READING_TOOLS: readonly string[] = ["read", "ls", "find", "grep"];

/** They write or run something: no tool of such a name joins a child, whoever brings it. */
export const MUTATING_TOOLS: readonly string[] = ["bash", "powershell", "edit", "write"];
