// What people do while an advisor is silent: it is cancelled, whatever it might still have said.

import type { Origin } from "../origins.ts";
import type { Occasion } from "./occasion.ts";

export interface Interruption {
  readonly name: string;
  readonly origins: readonly Origin[];
  readonly reason: RegExp;
  readonly act: (occasion: Occasion) => Promise<unknown>;
}

const EVERYONE: readonly Origin[] = ["executor", "human", "error"];

export const INTERRUPTIONS: readonly Interruption[] = [
  {
    name: "the run is stopped",
    // A question of an idle session has no run.
    origins: ["executor", "error"],
    reason: /the run was stopped\.$/,
    act: ({ pi }) => pi.runtime.session.abort(),
  },
  {
    name: "/angel cancel",
    origins: EVERYONE,
    reason: /cancel/,
    act: ({ pi }) => pi.runtime.session.prompt("/angel cancel"),
  },
  {
    name: "a new session",
    origins: EVERYONE,
    reason: /replaced|closed|stopped/,
    act: ({ pi }) => pi.runtime.newSession(),
  },
  {
    name: "a fork",
    origins: EVERYONE,
    reason: /replaced|closed|stopped/,
    act: ({ pi }) => pi.runtime.fork(firstPrompt(pi.sessionManager), { position: "at" }),
  },
  {
    name: "another place in the tree",
    // Pi itself refuses it while a run goes on.
    origins: ["human"],
    reason: /moved/,
    act: ({ pi }) => pi.session.navigateTree(firstPrompt(pi.sessionManager)),
  },
  {
    name: "/reload",
    origins: ["human"],
    reason: /closed/,
    act: ({ pi }) => pi.session.reload(),
  },
];

function firstPrompt(session: Occasion["pi"]["sessionManager"]): string {
  const entry = session.getEntries().find((one) => one.type === "message" && one.message.role === "user");
  if (entry === undefined) throw new Error("The session holds no prompt.");
  return entry.id;
}
