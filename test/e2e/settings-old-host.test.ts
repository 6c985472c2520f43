/** Angel in a Pi that says it is too old. */

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Home } from "../support/home.ts";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { ofType } from "../support/pi-event.ts";
import { startRpc } from "../support/rpc.ts";
import * as step from "../support/steps.ts";

const PI = fileURLToPath(new URL("../../node_modules/@mariozechner/pi-coding-agent", import.meta.url));

test("In an older Pi there is one notice and nothing else of Angel.", async () => {
  await using server = await startModelServer();
  await using made = await makeHome({ server });
  const home = asOldPi(made, "1.4.0");
  server.script("exec", [step.say("Hello."), step.say("Hello again.")]);
  await using pi = await startRpc(home);

  await pi.prompt("hello");
  await pi.prompt("hello again");
  const commands = await pi.send({ type: "get_commands" });

  expect(pi.notices()).toEqual(["Angel needs Pi 1.5.0 or newer; this is Pi 1.4.0."]);
  expect(server.requests("exec")[1]?.body.tools?.map((tool) => tool.function.name)).not.toContain("angel");
  expect(commands.data.commands.map(({ name }) => name)).not.toContain("angel");
  expect(home.parent().entries.filter((entry) => entry.type === "custom")).toEqual([]);
  expect(ofType(pi.events, "extension_error")).toEqual([]);
});

/** Pi reads its version from its package folder, and takes another folder for it when told so. */
function asOldPi(home: Home, version: string): Home {
  const folder = join(home.root, "old-pi");
  mkdirSync(folder);
  symlinkSync(join(PI, "dist"), join(folder, "dist"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "@earendil-works/pi-coding-agent", version }),
  );
  return { ...home, env: { ...home.env, PI_PACKAGE_DIR: folder } };
}
