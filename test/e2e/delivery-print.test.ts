/** What a shell is told does not hang on whether the session can keep it. */

import { mkdirSync, unlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { makeHome } from "../support/home.ts";
import { startModelServer } from "../support/model-server.ts";
import { runPi } from "../support/print.ts";
import { gate, say, status } from "../support/steps.ts";

test.for([
  { answer: status(403), code: 1, stdout: "", stderr: "403" },
  { answer: say("ADVICE-7f3"), code: 0, stdout: "ADVICE-7f3", stderr: "The advice is kept in" },
])("a question in print mode whose session can no longer be written ends with $code", async (row) => {
  await using server = await startModelServer();
  await using home = await makeHome({ server });
  server.script("exec", [say("hello")]);
  await runPi(home, ["-p", "hi"]);
  const held = gate(row.answer);
  server.script("adv", [held]);

  const run = runPi(home, ["-c", "-p", "/angel Why?"]);
  await server.nextRequest("adv");
  const file = home.parent().path;
  unlinkSync(file);
  mkdirSync(file);
  held.open();
  const { code, stdout, stderr } = await run;

  expect(code).toBe(row.code);
  expect(stdout).toContain(row.stdout);
  expect(stderr).toContain(row.stderr);
});
