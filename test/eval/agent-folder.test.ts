import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { environmentFor, fillAgentFolder } from "../../scripts/eval/agent-folder.ts";

function folders() {
  const root = mkdtempSync(join(tmpdir(), "angel-agent-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [theirs, ours, overlay] = ["theirs", "ours", "overlay"].map((name) => join(root, name));
  if (!theirs || !ours || !overlay) throw new Error("No folders.");
  for (const path of [theirs, ours, overlay]) mkdirSync(path);
  return { theirs, ours, overlay };
}

const ADVISOR = { name: "a/adv", thinking: "max" } as const;
const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), "utf8"));

test("The user's models and credentials serve the runs, and none of the user's extensions, skills or prompts.", () => {
  const { theirs, ours } = folders();
  const settings = {
    retry: { maxRetries: 9 },
    transport: "sse",
    packages: ["npm:something"],
    extensions: ["x.ts"],
    angel: { model: "other/model" },
    defaultModel: "m",
  };
  writeFileSync(join(theirs, "settings.json"), JSON.stringify(settings));
  writeFileSync(join(theirs, "models.json"), '{"providers":{}}');
  writeFileSync(join(theirs, "auth.json"), "{}");
  writeFileSync(join(theirs, "AGENTS.md"), "Always say hello.");
  mkdirSync(join(theirs, "skills"));

  fillAgentFolder(ours, { source: { kind: "user", agentDir: theirs }, advisor: ADVISOR, overlay: undefined });

  expect(readdirSync(ours).sort()).toEqual(["auth.json", "models.json", "settings.json"]);
  expect(readJson(ours, "settings.json")).toEqual({
    quietStartup: true,
    retry: { maxRetries: 9 },
    transport: "sse",
    angel: { model: "a/adv", thinking: "max" },
    transcriptAdvisor: { model: "a/adv", thinking: "max" },
  });
  // A copy would go stale with the user when a token is refreshed in it.
  expect(lstatSync(join(ours, "auth.json")).isSymbolicLink()).toBe(true);
  expect(lstatSync(join(ours, "models.json")).isSymbolicLink()).toBe(false);
});

test("A user without any files is served by the environment alone.", () => {
  const { theirs, ours } = folders();

  fillAgentFolder(ours, { source: { kind: "user", agentDir: theirs }, advisor: ADVISOR, overlay: undefined });

  expect(readdirSync(ours)).toEqual(["settings.json"]);
});

test("Files for npm arms are laid over the agent folder, settings key by key.", () => {
  const { theirs, ours, overlay } = folders();
  writeFileSync(join(overlay, "settings.json"), '{"peer":{"model":"a/b"}}');
  mkdirSync(join(overlay, "config/peer"), { recursive: true });
  writeFileSync(join(overlay, "config/peer/rules.md"), "Be short.");
  const source = { kind: "user", agentDir: theirs } as const;
  const before = environmentFor(source, ours);

  fillAgentFolder(ours, { source, advisor: ADVISOR, overlay });

  expect(readJson(ours, "settings.json")).toMatchObject({ quietStartup: true, peer: { model: "a/b" } });
  expect(readFileSync(join(ours, "config/peer/rules.md"), "utf8")).toBe("Be short.");
  // Packages that keep their settings outside of Pi's folder find them there.
  expect(before.XDG_CONFIG_HOME).toBe(process.env.XDG_CONFIG_HOME);
  expect(environmentFor(source, ours).XDG_CONFIG_HOME).toBe(join(ours, "config"));
});

test("Settings that cannot be read are told by their path.", () => {
  const { theirs, ours } = folders();
  writeFileSync(join(theirs, "settings.json"), "{ not JSON");

  const fill = () =>
    fillAgentFolder(ours, {
      source: { kind: "user", agentDir: theirs },
      advisor: ADVISOR,
      overlay: undefined,
    });

  expect(fill).toThrow(/settings\.json cannot be read as a JSON object of settings; put that right first\.$/);
});

test("Keys in the environment reach the runs, and what belongs to another Pi does not.", () => {
  vi.stubEnv("SOME_API_KEY", "secret");
  vi.stubEnv("PI_SESSION_FILE", "other.jsonl");
  vi.stubEnv("NODE_TEST_CONTEXT", "child");
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });

  const real = environmentFor({ kind: "user", agentDir: "theirs" }, "ours");
  const scripted = environmentFor({ kind: "scripted", url: "http://127.0.0.1:1" }, "ours");

  expect(real).toMatchObject({ SOME_API_KEY: "secret", PI_CODING_AGENT_DIR: "ours" });
  expect(Object.keys(real)).not.toContain("PI_SESSION_FILE");
  expect(Object.keys(real)).not.toContain("NODE_TEST_CONTEXT");
  expect(Object.keys(scripted)).not.toContain("SOME_API_KEY");
  expect(scripted).toMatchObject({ PI_OFFLINE: "1", PI_CODING_AGENT_DIR: "ours" });
});
