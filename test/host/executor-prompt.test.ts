// The child's system prompt: Angel's own words, then what Pi loads for the folder, then the words of its tools.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startConsulting } from "../support/consulting.ts";
import { ANGEL_FOLDER } from "../support/home.ts";
import type { LoggedRequest } from "../support/model-server.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

test("The child's system prompt is Angel's own, with project instructions, skills and the words of the child's tools.", async () => {
  await using pi = await startConsulting({ trusted: true, project: PROJECT, agentFiles: AGENT_FILES });
  pi.server.script("adv", [step.call("parent_session", { action: "overview" }), step.say("Do this.")]);

  await pi.ask("Why?");

  const [first, second] = pi.server.requests("adv").map(systemPrompt);
  expect(first?.startsWith(`${prompt("advisor")}\n\n${prompt("executor")}\n\n<project_context>`)).toBe(true);
  for (const word of ["AGENTS-WORD", "GLOBAL-AGENTS-WORD", "PROJECT-SKILL-WORD", "GLOBAL-SKILL-WORD"]) {
    expect(first).toContain(word);
  }
  expect(first).toMatch(/^- read: Read file contents$/m);
  expect(first).toMatch(/^- grep: \S/m);
  expect(first).toMatch(/^- parent_session: Read the session you were asked from, by overview, list/m);
  expect(first).toMatch(/^- parent_session: after a compaction use view/m);
  expect(first).not.toMatch(/^- (bash|edit|write|angel)\b/m);
  expect(second).toBe(first);
});

test("The executor's own system prompt, and what its user adds to that, are not in the child's.", async () => {
  await using pi = await startConsulting({ trusted: true, project: PROJECT, agentFiles: AGENT_FILES });
  pi.server.script("adv", [step.say("Do this.")]);

  await pi.ask("Why?");

  const executor = JSON.stringify(pi.faux.exec.requests[0]);
  const child = pi.server.requests("adv")[0]?.raw;
  for (const word of ["You are a coding assistant running inside pi", "PROJECT-APPENDED", "angel: ask one"]) {
    expect(executor).toContain(word);
    expect(child).not.toContain(word);
  }
  expect(child).not.toMatch(/APPENDED|Pi documentation/);
});

test("A system prompt of the user's own replaces the executor's and not the child's.", async () => {
  const own = { ".pi/SYSTEM.md": "PROJECT-SYSTEM" };
  await using pi = await startConsulting({ trusted: true, project: own });
  pi.server.script("adv", [step.say("Do this.")]);

  await pi.ask("Why?");

  const [request] = pi.server.requests("adv");
  expect(JSON.stringify(pi.faux.exec.requests[0])).toContain("PROJECT-SYSTEM");
  expect(request?.raw).not.toContain("PROJECT-SYSTEM");
  expect(request && systemPrompt(request)).toContain(prompt("advisor"));
});

const PROJECT = {
  "AGENTS.md": "AGENTS-WORD",
  ".pi/APPEND_SYSTEM.md": "PROJECT-APPENDED",
  ".pi/skills/deploy/SKILL.md": skill("deploy", "PROJECT-SKILL-WORD"),
};

const AGENT_FILES = {
  "AGENTS.md": "GLOBAL-AGENTS-WORD",
  "APPEND_SYSTEM.md": "GLOBAL-APPENDED",
  "skills/review/SKILL.md": skill("review", "GLOBAL-SKILL-WORD"),
};

function skill(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;
}

function prompt(name: string): string {
  return readFileSync(`${ANGEL_FOLDER}/prompts/${name}.md`, "utf8").trim();
}

function systemPrompt({ body }: LoggedRequest): string {
  const system = body.messages.filter(({ role }) => role === "system");
  expect(system).toHaveLength(1);
  return textOf(system[0]);
}
