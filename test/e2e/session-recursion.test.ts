/** Angel installed in every place that Pi knows, and a child that asks for it. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { textOf } from "../support/pi-event.ts";
import { runPi } from "../support/print.ts";
import * as step from "../support/steps.ts";

const BY_SETTINGS = { extensions: ["../project/elsewhere.ts"], angel: { model: "local/adv" } };

/** Angel under another name, which notes each time that Pi runs it. */
const INSTALLED = `import { appendFileSync } from "node:fs";
  import angel from ${JSON.stringify(join(ANGEL_FOLDER, "src/index.ts"))};
  export default (pi) => {
    appendFileSync("runs.log", "run\\n");
    angel(pi);
  };`;

test.each([
  ["globally", { agentFiles: { "extensions/angel/index.ts": INSTALLED } }],
  ["in the project", { project: { ".pi/extensions/renamed.ts": INSTALLED }, trusted: true }],
  ["by the settings", { project: { "elsewhere.ts": INSTALLED }, settings: BY_SETTINGS }],
])(
  "Angel installed %s is in the parent and not in its child, where a repeated failure starts nothing.",
  async (_, installed) => {
    await using server = await startModelServer();
    await using home = await makeHome({
      server,
      angel: false,
      settings: { angel: { model: "local/adv" } },
      ...installed,
    });
    server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Done.")]);
    const again = step.call("angel", { question: "Why me?" });
    server.script("adv", [again, again, step.say("Alone.")]);

    const run = await runPi(home, ["-p", "go on"]);

    const [first, ...others] = server.requests("adv");
    expect(run).toMatchObject({ code: 0, stdout: "Done.\n", stderr: "" });
    expect(server.requests("exec")[0]?.body.tools?.map((tool) => tool.function.name)).toContain("angel");
    expect(first?.body.tools?.map((tool) => tool.function.name)).not.toContain("angel");
    expect(others.map(({ body }) => textOf(body.messages.at(-1)))).toEqual([
      "Tool angel not found",
      "Tool angel not found",
    ]);
    expect(readFileSync(join(home.project, "runs.log"), "utf8")).toBe("run\n");
    expect(home.children()).toHaveLength(1);
    expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
  },
);
