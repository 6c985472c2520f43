// How a consultation is named to the user who asks what runs.

import type { Ticket } from "../core/desk.ts";

const ORIGINS: Readonly<Record<string, string>> = {
  executor: "the executor's question",
  human: "your question",
  error: "a repeated failure",
};

export function ticketWords({ origin, subject }: Ticket): string {
  return `${ORIGINS[origin] ?? origin} (${subject})`;
}
