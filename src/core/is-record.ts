// The first question to any value from outside: is it an object whose members can be looked at?

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
