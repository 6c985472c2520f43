// What of the project reaches a child: what the parent's trust decision lets through, and instruction files always.

import { afterEach, beforeEach, expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import type { ModelServer } from "../support/model-server.ts";
import { startModelServer } from "../support/model-server.ts";
import { runPi } from "../support/print.ts";
import * as step from "../support/steps.ts";

const WORDS = ["AGENTS-WORD", "GLOBAL-SKILL-WORD", "SKILL-WORD-A", "SKILL-WORD-B", "SKILL-WORD-C"];

const PROJECT = {
  "AGENTS.md": "AGENTS-WORD",
  ".pi/skills/one/SKILL.md": skill("one", "SKILL-WORD-A"),
  ".agents/skills/two/SKILL.md": skill("two", "SKILL-WORD-B"),
  // Project settings that name a further folder of skills.
  ".pi/settings.json": '{ "skills": ["../more-skills"] }',
  "more-skills/three/SKILL.md": skill("three", "SKILL-WORD-C"),
};

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});

afterEach(async () => {
  await server.close();
});

test("Skills of an untrusted project stay out of the child, and its instruction files load as Pi loads them.", async () => {
  const seen = await wordsSeen({ trusted: false });

  expect(seen.child).toEqual(["AGENTS-WORD", "GLOBAL-SKILL-WORD"]);
  expect(seen.child).toEqual(seen.executor);
});

test("Skills and settings of a trusted project reach the child as they reach the executor.", async () => {
  const seen = await wordsSeen({ trusted: true });

  expect(seen.child).toEqual(WORDS);
  expect(seen.child).toEqual(seen.executor);
});

/** Which words the executor and the child find in their first requests. */
async function wordsSeen({ trusted }: { readonly trusted: boolean }) {
  const agentFiles = { "skills/own/SKILL.md": skill("own", "GLOBAL-SKILL-WORD") };
  await using home = await makeHome({ server, trusted, project: PROJECT, agentFiles });
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Noted.")]);
  server.script("adv", [step.say("Do this.")]);

  const run = await runPi(home, ["-p", "go on"]);

  expect(run).toMatchObject({ code: 0, stdout: "Noted.\n", stderr: "" });
  const find = (model: string) => WORDS.filter((word) => server.requests(model)[0]?.raw.includes(word));
  return { executor: find("exec"), child: find("adv") };
}

function skill(name: string, description: string): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`;
}
