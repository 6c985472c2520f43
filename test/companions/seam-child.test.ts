/** What companions bring into the advisor's session. */

import { dirname } from "node:path";
import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import type { ChildExtension, Companion } from "../../src/core/seam.ts";
import { mountCompanion, switchedOn } from "../support/companion.ts";
import type { Consulting } from "../support/consulting.ts";
import { startConsulting } from "../support/consulting.ts";
import { textOf } from "../support/pi-event.ts";
import * as step from "../support/steps.ts";

type Tool = NonNullable<ChildExtension["tools"]>[number];

function tool(name: string, answer: string): Tool {
  return {
    name,
    label: name,
    description: `The ${name} of a companion.`,
    promptSnippet: `Ask ${name}`,
    promptGuidelines: [`${name}: use it well`],
    parameters: Type.Object({ path: Type.Optional(Type.String()) }),
    execute: async () => ({ content: [{ type: "text", text: answer }], details: undefined }),
  };
}

function consultingWith(companion: Omit<Companion, "name">): Promise<Consulting> {
  const { extension } = mountCompanion({ name: "probe", ...companion });
  return startConsulting({
    settings: switchedOn(),
    factories: [extension],
    project: { "notes.txt": "the project's own words" },
  });
}

test("A companion's tool is offered to the advisor with its words, runs, and stands in the child's record.", async () => {
  await using pi = await consultingWith({
    child: () => ({ name: "probe", tools: [tool("weather", "It rains.")] }),
  });
  pi.server.script("adv", [step.call("weather", {}), step.say("Take an umbrella.")]);

  const { details } = await pi.ask("Why?");

  const [first, second] = pi.server.requests("adv");
  expect(first?.body.tools?.map((one) => one.function.name).toSorted()).toEqual(
    ["find", "grep", "ls", "parent_session", "read", "weather"].toSorted(),
  );
  expect(textOf(first?.body.messages[0])).toContain("- weather: Ask weather");
  expect(textOf(first?.body.messages[0])).toContain("- weather: use it well");
  expect(JSON.stringify(second?.body.messages)).toContain("It rains.");
  expect(details.outcome).toBe("advised");
  expect(pi.home.children()[0]?.entries[0]).toMatchObject({ data: { companions: ["probe"] } });
});

test("A companion's read stands in place of Pi's.", async () => {
  await using pi = await consultingWith({
    child: () => ({ name: "probe", tools: [tool("read", "filtered words")] }),
  });
  pi.server.script("adv", [step.call("read", { path: "notes.txt" }), step.say("Read.")]);

  await pi.ask("Why?");

  const sent = JSON.stringify(pi.server.requests("adv").map(({ body }) => body));
  expect(sent).toContain("filtered words");
  expect(sent).not.toContain("the project's own words");
});

test("A companion's extension starts and ends with the child, and sees results last.", async () => {
  const heard: string[] = [];
  await using pi = await consultingWith({
    child: ({ question }, { cwd, sessionDir }) => ({
      name: "probe",
      factory: (api) => {
        heard.push(`load for ${question}`);
        api.on("session_start", () => void heard.push("start"));
        api.on("session_shutdown", () => void heard.push("shutdown"));
        api.on("tool_result", ({ content }) => {
          heard.push(
            `result in ${cwd === pi.home.project}, sessions in ${sessionDir === dirname(pi.sessionManager.getSessionFile() ?? "")}`,
          );
          return {
            content: content.map((block) =>
              block.type === "text" ? { ...block, text: block.text.replace("own", "OWN") } : block,
            ),
          };
        });
      },
    }),
  });
  pi.server.script("adv", [step.call("read", { path: "notes.txt" }), step.say("Read.")]);

  await pi.ask("Why?");

  expect(heard).toEqual(["load for Why?", "start", "result in true, sessions in true", "shutdown"]);
  expect(JSON.stringify(pi.server.requests("adv")[1]?.body.messages)).toContain("the project's OWN words");
});

const FAULTS: readonly { at: string; requests: number; extension: Omit<ChildExtension, "name"> }[] = [
  {
    at: "load",
    requests: 0,
    extension: {
      factory: () => {
        throw new Error("no rules");
      },
    },
  },
  ...(["session_start", "before_agent_start", "context", "before_provider_request"] as const).map((at) => ({
    at,
    requests: 0,
    extension: {
      factory: (api: Parameters<NonNullable<ChildExtension["factory"]>>[0]) => {
        const fail = () => {
          throw new Error("no rules");
        };
        Reflect.apply(api.on, api, [at, fail]);
      },
    },
  })),
  {
    at: "tool_result",
    requests: 1,
    extension: {
      factory: (api) => {
        api.on("tool_result", () => {
          throw new Error("no rules");
        });
      },
    },
  },
];

test("An error of a companion's extension ends the consultation as a failure, and nothing more is sent.", async () => {
  for (const { at, requests, extension } of FAULTS) {
    await using pi = await consultingWith({ child: () => ({ name: "probe", ...extension }) });
    pi.server.script("adv", [step.call("read", { path: "notes.txt" })].slice(0, requests));

    const result = await pi.ask("Why?");

    expect(result).toMatchObject({ isError: true, details: { outcome: "failed" } });
    expect(textOf(result)).toContain(`the companion "probe" failed at ${at}: no rules.`);
    expect(pi.server.requests("adv"), at).toHaveLength(requests);
    expect(JSON.stringify(pi.server.requests("adv").map(({ body }) => body))).not.toContain("own words");
  }
});

test("A companion's extension that never ends loses no advice.", async () => {
  const shutdown = Promise.withResolvers<void>();
  await using pi = await consultingWith({
    child: () => ({
      name: "probe",
      factory: (api) => {
        api.on("session_shutdown", () => {
          shutdown.resolve();
          return new Promise(() => {});
        });
      },
    }),
  });
  pi.server.script("adv", [step.say("Because.")]);

  const result = await pi.ask("Why?");

  await shutdown.promise;
  expect(textOf(result)).toBe("Because.");
});

test("A companion that fails when it is asked what it brings ends the consultation before there is a child.", async () => {
  await using pi = await consultingWith({
    child: () => {
      throw new Error("no rules");
    },
  });

  const result = await pi.ask("Why?");

  expect(textOf(result)).toContain('the companion "probe" failed: no rules.');
  expect(pi.home.children()).toEqual([]);
});

test.each(["bash", "edit", "write", "angel", "parent_session"])(
  "a companion brings no tool named %s",
  async (name) => {
    await using pi = await consultingWith({ child: () => ({ name: "probe", tools: [tool(name, "Done.")] }) });

    const result = await pi.ask("Why?");

    expect(textOf(result)).toContain(`a companion brings a tool "${name}", which no advisor may have.`);
    expect(pi.server.requests("adv")).toEqual([]);
  },
);

test("A companion is told which paths the advisor must not read, by Angel's rules and another companion's.", async () => {
  const asked = Promise.withResolvers<(string | undefined)[]>();
  const { extension } = mountCompanion(
    {
      name: "probe",
      child: (_request, { refusesPath, isProjectTrusted }) => {
        expect(isProjectTrusted).toBe(true);
        const paths = [pi.sessionManager.getSessionFile() ?? "", "notes.txt", "key.pem", "odd.txt"];
        asked.resolve(Promise.all(paths.map(refusesPath)));
        return undefined;
      },
    },
    {
      name: "keeper",
      refusesPath: (path) => {
        if (path === "odd.txt") throw new Error("no rules");
        return path.endsWith(".pem") ? "it is a key." : undefined;
      },
    },
  );
  await using pi = await startConsulting({ settings: switchedOn(), factories: [extension] });
  pi.server.script("adv", [step.say("Fine.")]);

  await pi.ask("Why?");

  expect(await asked.promise).toEqual([
    expect.stringContaining("is a session file"),
    undefined,
    "it is a key.",
    'the companion "keeper" failed: no rules.',
  ]);
});
