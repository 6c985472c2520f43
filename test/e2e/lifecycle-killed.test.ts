/** A Pi in a terminal that is killed or told to leave while a question only waits. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startModelServer } from "../support/model-server.ts";
import { entriesOf, ordinaryEntries } from "../support/origins.ts";
import { runPi } from "../support/print.ts";
import { say } from "../support/steps.ts";
import { bringAbout, QUESTION, startTerminal } from "../support/terminal-origins.ts";

/** The terminal's shell outlives Pi, so Pi itself says which process it is. */
const NOTE_ID = `import { writeFileSync } from "node:fs";
  export default () => writeFileSync("process-id", String(process.pid));`;

test("A terminal's Pi that is killed while a question only waits leaves nothing of it, and pi -c reopens the parent.", {
  timeout: 180_000,
}, async () => {
  for (const signal of ["SIGKILL", "SIGTERM", "SIGHUP"] as const) {
    await using server = await startModelServer();
    const noting = { project: { "note-id.ts": NOTE_ID }, extensions: ["note-id.ts"] };
    await using terminal = await startTerminal(server, noting);
    const { home, pi, parentFile } = terminal;
    const held = await bringAbout("waiting", terminal, server);

    process.kill(Number(readFileSync(join(home.project, "process-id"), "utf8")), signal);
    const left = await pi.untilExit();
    await held.done;
    server.script("exec", [say("continued")]);
    const again = await runPi(home, ["-c", "-p", "go on"]);

    if (signal === "SIGKILL") expect(left).toBe(128 + 9);
    expect(again, signal).toMatchObject({ code: 0, stdout: "continued\n", stderr: "" });
    expect(entriesOf(home, parentFile)).toContain("continued");
    expect(ordinaryEntries(home)).not.toContain("angel-advice");
    expect(home.sessions()).toHaveLength(1);
    expect(server.requests("adv")).toEqual([]);
    expect(server.requests("exec").at(-1)?.raw).toContain("hello there");
    expect(server.requests("exec").at(-1)?.raw).not.toContain(QUESTION);
    expect([server.unexpected, server.violations]).toEqual([[], []]);
  }
});
