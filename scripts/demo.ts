// The demo: a real Pi on a small broken project, with both models played by a script on this machine.
// It tells the story as it happens and succeeds only if all of it happened. `--asked` tells the one in which the
// executor asks Angel; `--tui` shows either in Pi itself.

import { spawn, spawnSync } from "node:child_process";
import type { Story } from "../fixtures/demo/story.ts";
import { PROMPT, scriptStory, TEST_COMMAND } from "../fixtures/demo/story.ts";
import { makeHome } from "../test/support/home.ts";
import type { ModelServer } from "../test/support/model-server.ts";
import { startModelServer } from "../test/support/model-server.ts";
import { piCommand } from "../test/support/pi-process.ts";
import { readDemoProject } from "./demo-project.ts";

type Home = Awaited<ReturnType<typeof makeHome>>;

const story: Story = process.argv.includes("--asked") ? "asked" : "stalled";
const isTui = process.argv.includes("--tui");
const tell = isTui ? () => {} : narrate;

const server = await startModelServer();
scriptStory(story, server, tell, isTui);
const home = await makeHome({ server, project: readDemoProject() });
if (!isTui) introduce(home);
const exitCode = await runPi(home);
await server.close();

const missing = whatIsMissing(home, server, exitCode);
conclude(home, missing);
process.exitCode = missing.length === 0 ? 0 : 1;

/** In the terminal Pi takes over the screen; otherwise its output is not needed, the story tells it. */
function runPi(home: Home): Promise<number | null> {
  const [node, ...args] = piCommand(home, isTui ? [PROMPT] : ["-p", PROMPT]);
  const env = { ...home.env, TERM: process.env.TERM ?? "xterm-256color" };
  const pi = spawn(node, args, {
    cwd: home.project,
    env,
    stdio: isTui ? "inherit" : ["ignore", "pipe", "inherit"],
  });
  pi.stdout?.setEncoding("utf8").on("data", (text: string) => narrate("executor", `says: ${text.trim()}`));
  return new Promise((resolve, reject) => {
    pi.on("error", reject);
    pi.on("close", resolve);
  });
}

function narrate(who: "executor" | "angel", words: string): void {
  console.log(`${who === "angel" ? "    Angel   " : "executor"}  ${words}`);
}

function introduce(home: Home): void {
  console.log(
    `A real Pi works in ${home.project}. Its two models are played by a script; nothing leaves this machine.`,
  );
  console.log(`The user says: ${PROMPT}\n`);
}

/** What the story promised and this run did not show, in words. */
function whatIsMissing(
  home: Home,
  { requests, unexpected, pending }: ModelServer,
  code: number | null,
): string[] {
  const [child] = home.children();
  const afterAdvice = requests("exec")[4]?.raw ?? "";
  const test = spawnSync(process.execPath, TEST_COMMAND.split(" ").slice(1), {
    cwd: home.project,
    env: home.env,
  });
  const claims: readonly (readonly [boolean, string])[] = [
    [code === 0, `Pi ended with exit code ${code}.`],
    [unexpected.length === 0, `A model was asked more than the story has: ${unexpected.join("; ")}`],
    [isTui || pending() === 0, `${pending()} steps of the story were never taken.`],
    [child !== undefined, "There is no child session."],
    [
      JSON.stringify(child?.entries[0]).includes(`"origin":"${story === "asked" ? "executor" : "error"}"`),
      "The child session does not say who asked.",
    ],
    [
      afterAdvice.split("The edit is right and has no effect").length === 2,
      "The advice did not reach the executor once.",
    ],
    [test.status === 0, `The project's own test still fails:\n${test.stdout}`],
  ];
  return claims.flatMap(([holds, words]) => (holds ? [] : [words]));
}

function conclude(home: Home, missing: readonly string[]): void {
  const [child] = home.children();
  if (missing.length > 0) {
    console.error(
      `\nThe demo did not happen as it should:\n- ${missing.join("\n- ")}\nAll of it is in ${home.root}.`,
    );
    return;
  }
  console.log(`
${story === "asked" ? "The executor asked" : "The same command failed twice and Angel stepped in by itself"}, and the project's own test, red before, is green now.

The investigation is a session of its own:
  ${child?.path}
Open it, for reading, with
  PI_CODING_AGENT_DIR=${home.agentDir} npm exec -- pi --session ${child?.path}
All of the demo is in ${home.root}; delete it when you have seen enough.`);
}
