// Angel is not in its own child, however it is installed and whatever the settings select for the child.

import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notesOf } from "../support/child-notes.ts";
import { ANGEL_FOLDER, makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { textOf } from "../support/pi-event.ts";
import { runPi } from "../support/print.ts";
import * as step from "../support/steps.ts";

const SELECTIONS = [
  { folder: "pi-angel", selected: "all" },
  { folder: "pi-angel", selected: ["pi-angel", "angel"] },
  { folder: "helper", selected: ["helper"] },
  { folder: "helper", selected: [ANGEL_FOLDER, join(ANGEL_FOLDER, "src/index.ts")] },
];

test.for(SELECTIONS)(
  "Installed as $folder, a child with the extensions $selected has no angel",
  async (row) => {
    await using server = await startModelServer();
    const settings = { angel: { model: "local/adv", subagentExtensions: row.selected } };
    await using home = await makeHome({
      server,
      angel: false,
      trusted: true,
      settings,
      agentFiles: { "extensions/README": "" },
      project: { ".pi/extensions/README": "" },
    });
    for (const extensions of [join(home.agentDir, "extensions"), join(home.project, ".pi/extensions")]) {
      symlinkSync(ANGEL_FOLDER, join(extensions, row.folder));
    }
    server.script("exec", [step.call("angel", { question: "Why?" }), step.say("Noted.")]);
    server.script("adv", [
      step.call("angel", { question: "x" }),
      // A tool of the child that fails again, which an Angel that listens would answer with a consultation.
      step.call("parent_session", { action: "get", ids: ["nowhere"] }),
      step.call("parent_session", { action: "get", ids: ["nowhere"] }),
      step.say("done"),
    ]);

    const run = await runPi(home, ["-p", "go on"]);

    const [first, second, , last] = server.requests("adv");
    expect(run).toMatchObject({ code: 0, stdout: "Noted.\n" });
    expect(first?.body.tools?.map((tool) => tool.function.name)).not.toContain("angel");
    expect(textOf(second?.body.messages.at(-1))).toBe("Tool angel not found");
    expect(textOf(last?.body.messages.at(-1))).toContain("nowhere");
    expect(home.children()).toHaveLength(1);
    // Left out before it ran, not refused when it did.
    expect(notesOf(home.children()[0]).join("\n")).not.toContain("was not loaded");
    expect(server.requests("exec")).toHaveLength(2);
    expect([server.unexpected, server.violations, server.pending()]).toEqual([[], [], 0]);
  },
);
