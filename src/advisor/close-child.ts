// Ends a child for good: what it was doing is stopped and recorded, then the session is let go.

import type { AgentSession } from "@mariozechner/pi-coding-agent";

/** A child that could not be stopped before is not waited for much longer: a hanging tool must not hold the parent. */
const CLOSE_LIMIT_MS = 100;

export async function closeChild(session: AgentSession): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    limit = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  try {
    // Dispose alone would not record the message that was being written.
    await Promise.race([session.abort(), tooLong]);
  } finally {
    clearTimeout(limit);
    session.dispose();
  }
}
