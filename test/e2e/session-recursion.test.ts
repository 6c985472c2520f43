/** Angel installed in every place that Pi knows, and a child that asks for it. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { textOf } from "../support/pi-event.ts";
import { runPi } from "../support/print.ts";
import * as step from "../support/steps.ts";

const INSTALLED = `export { default } from ${JSON.stringify(join(ANGEL_FOLDER, "src/index.ts"))};`;

test.each([
  ["globally", { agentFiles: { "extensions/angel/index.ts": INSTALLED } }],
  ["in the project", { project: { ".pi/extensions/renamed.ts": INSTALLED }, trusted: true }],
  ["by the settings", { settings: { extensions: [ANGEL_FOLDER], angel: { model: "local/adv" } } }],
])("Angel installed %s is in the parent and not in its child.", async (_, installed) => {
  await using server = await startModelServer();
  await using home = await makeHome({
    server,
    angel: false,
    settings: { angel: { model: "local/adv" } },
    ...installed,
  });
  server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Done.")]);
  server.script("adv", [step.call("angel", { question: "Why me?" }), step.say("Alone.")]);

  const run = await runPi(home, ["-p", "go on"]);

  const [first, second] = server.requests("adv");
  expect(run).toMatchObject({ code: 0, stdout: "Done.\n", stderr: "" });
  expect(server.requests("exec")[0]?.body.tools?.map((tool) => tool.function.name)).toContain("angel");
  expect(first?.body.tools?.map((tool) => tool.function.name)).not.toContain("angel");
  expect(textOf(second?.body.messages.at(-1))).toBe("Tool angel not found");
  expect(home.children()).toHaveLength(1);
  expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
});
