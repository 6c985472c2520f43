// Extensions that throw at, or never return from, what they hear: beside Angel in the parent, and in the child.

/** Everything that Pi tells extensions while a consultation runs, with what a throw there means to Pi left out. */
const HEARD = [
  "session_start",
  "session_shutdown",
  "before_agent_start",
  "agent_start",
  "agent_end",
  "agent_settled",
  "turn_start",
  "turn_end",
  "message_start",
  "message_update",
  "message_end",
  "context",
  "before_provider_request",
  "after_provider_response",
  "tool_execution_start",
  "tool_execution_update",
  "tool_execution_end",
  "tool_result",
  "session_before_compact",
  "session_compact",
  "model_select",
  "input",
] as const;

/** Where a consultation with a child extension can be held up, in which stage that is, and what has to happen for it. */
export const HELD_EVENTS: readonly {
  readonly event: string;
  readonly stage: string;
  /** A stage of requests; absent: the first answer is enough. */
  readonly through?: string;
}[] = [
  { event: "load", stage: "child creation" },
  { event: "session_start", stage: "child creation" },
  { event: "before_agent_start", stage: "child creation" },
  { event: "context", stage: "first request" },
  { event: "before_provider_request", stage: "first request" },
  { event: "message_update", stage: "streaming" },
  { event: "tool_call", stage: "after a tool of the child", through: "after a tool of the child" },
  { event: "tool_result", stage: "after a tool of the child", through: "after a tool of the child" },
  { event: "tool_call", stage: "after parent_session", through: "after parent_session" },
  { event: "session_before_compact", stage: "compaction of the child", through: "compaction of the child" },
  { event: "message_end", stage: "end of the answer" },
];

/** Set while a child is open, so that the parent's own instance of the extension is a good one. */
export const IN_CHILD = "angelTestChild";
/** Called by an extension that is about to hang. */
export const STUCK = "angelTestStuck";

export function throwingExtension(where: "child" | "parent"): string {
  const condition = where === "child" ? `if (globalThis.${IN_CHILD} !== true) return;` : "";
  return `export default (pi) => {
    ${condition}
    for (const event of ${JSON.stringify(HEARD)})
      pi.on(event, () => { throw new Error("LISTENER-FAULT"); });
  };`;
}

export function hangingExtension(event: string): string {
  const hang = `globalThis.${STUCK}(); await new Promise(() => {});`;
  return `export default async (pi) => {
    if (globalThis.${IN_CHILD} !== true) return;
    ${event === "load" ? hang : `pi.on(${JSON.stringify(event)}, async () => { ${hang} });`}
  };`;
}
