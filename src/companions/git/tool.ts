// The advisor's view of the project's history: read-only, without a shell, bounded.

import type { ToolDefinition } from "@mariozechner/pi-coding-agent";
import type { Asker } from "./answer.ts";
import { answerGit } from "./answer.ts";
import { parameters, parseRequest } from "./request.ts";

const DESCRIPTION = `Read the git history of the project. Read-only; nothing of the repository runs.
- log: commits, newest first, by path, message text, changed text or date
- show: one commit with its change, or with "whole" a file as it was
- diff: between revisions, or without one what is not committed, untracked names included
- blame: which commit last changed each line
Long answers are cut and say how to go on.`;

const GUIDELINES: readonly string[] = [
  "git_evidence: ask it when something changed, who changed it and why; compare what passed then with what fails now",
  "git_evidence: what a commit message claims is a claim; read the change",
];

export function createGitEvidence(asker: Asker): ToolDefinition<typeof parameters> {
  return {
    name: "git_evidence",
    label: "Git",
    description: DESCRIPTION,
    promptSnippet: "Read the project's git history and what is not committed: log, show, diff, blame",
    promptGuidelines: [...GUIDELINES],
    parameters,
    async execute(_id, params, signal) {
      const text = await answerGit(parseRequest(params), asker, signal);
      return { content: [{ type: "text", text }], details: undefined };
    },
  };
}
