// What npm would publish: the files it holds, what they need at run time, and that a plain Pi loads them.
import { execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../..", import.meta.url));
const pi = join(root, "node_modules/.bin/pi");
const run = promisify(execFile);

/** A real process on a busy machine: far more than the half second it takes. */
const processTimeoutMs = 60_000;

/** Outside the repository, so that nothing resolves from its node_modules. */
let temp: string;
let published: string;
let files: readonly string[];

beforeAll(async () => {
  temp = await realpath(await mkdtemp(join(tmpdir(), "angel-package-")));
  const packed = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", temp], {
    cwd: root,
  });
  const [{ filename }]: [{ filename: string }] = JSON.parse(packed.stdout);
  await run("tar", ["-xzf", join(temp, filename), "-C", temp]);
  published = join(temp, "package");
  files = filesBelow(published);
}, processTimeoutMs);

afterAll(() => rm(temp, { recursive: true }));

test("The package holds every module and every prompt, its papers, and nothing else.", () => {
  const papers = ["CHANGELOG.md", "LICENSE", "README.md", "SPEC.md", "package.json"];
  const pages = filesBelow(join(root, "docs")).map((path) => `docs/${path}`);
  const modules = filesBelow(join(root, "src")).map((path) => `src/${path}`);
  const prompts = filesBelow(join(root, "prompts")).map((path) => `prompts/${path}`);

  expect(files).toEqual(
    [...papers, ...pages, ...modules.filter((path) => path.endsWith(".ts")), ...prompts].toSorted(),
  );
});

test("Every extension that package.json names is in the package.", () => {
  expect(manifest.pi.extensions.filter((path) => !files.includes(path.replace("./", "")))).toEqual([]);
});

test("Pi's own packages are optional peers of any version and never dependencies.", () => {
  const peers = Object.entries(manifest.peerDependencies);
  const optional = Object.entries(manifest.peerDependenciesMeta);

  expect(Object.keys(manifest.dependencies).filter(isSuppliedByPi)).toEqual([]);
  expect(peers.filter(([name, range]) => !isSuppliedByPi(name) || range !== "*")).toEqual([]);
  expect(optional).toEqual(peers.map(([name]) => [name, { optional: true }]));
});

test("Every npm package that the published modules import is a dependency or an optional peer.", () => {
  const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)];
  const modules = files.filter((path) => path.endsWith(".ts")).map((path) => join(published, path));

  const imported = modules.flatMap(importedPackages);

  expect(imported).not.toEqual([]);
  expect(imported.filter((name) => !declared.includes(name))).toEqual([]);
});

test("A plain Pi loads the package from its folder.", { timeout: processTimeoutMs }, async () => {
  const home = await makeHome("folder");
  await copyRuntimeDependencies();

  const answer = await askForCommands(home, ["-e", published]);

  expect(answer).toEqual({ commands: expectedCommands(), complaints: [], exitCode: 0 });
});

test("A plain Pi loads the package after `pi install`.", { timeout: processTimeoutMs }, async () => {
  const home = await makeHome("installed");
  await copyRuntimeDependencies();
  await run(process.execPath, [pi, "install", published], { cwd: home, env: isolated(home) });

  const answer = await askForCommands(home, []);

  expect(answer).toEqual({ commands: expectedCommands(), complaints: [], exitCode: 0 });
});

/** All that the package may add to Pi's commands: its own, once, and no prompt under prompts/ among them. */
function expectedCommands(): readonly string[] {
  const isRegistered = files.some((path) =>
    readFileSync(join(published, path), "utf8").includes("registerCommand("),
  );
  return isRegistered ? ["extension angel"] : [];
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .toSorted();
}

function isSuppliedByPi(name: string): boolean {
  return /^(@mariozechner\/|@earendil-works\/|@sinclair\/typebox$|typebox$)/.test(name);
}

/** The packages that a module imports once its types are gone. */
function importedPackages(path: string): readonly string[] {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ESNext,
    verbatimModuleSyntax: true,
  };
  const { outputText } = ts.transpileModule(readFileSync(path, "utf8"), { compilerOptions });
  return ts
    .preProcessFile(outputText)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => !name.startsWith(".") && !isBuiltin(name))
    .map((name) => name.split("/", name.startsWith("@") ? 2 : 1).join("/"));
}

/** What `npm install --omit=dev` would put beside the package, taken from the versions of the lock file. */
async function copyRuntimeDependencies(names = Object.keys(manifest.dependencies)): Promise<void> {
  for (const name of names) {
    const source = join(root, "node_modules", name);
    await cp(source, join(published, "node_modules", name), { recursive: true });
    const { dependencies = {} } = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
    await copyRuntimeDependencies(Object.keys(dependencies));
  }
}

async function makeHome(name: string): Promise<string> {
  const home = join(temp, name);
  await mkdir(home);
  return home;
}

function isolated(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, PI_CODING_AGENT_DIR: join(home, "agent"), PI_OFFLINE: "1" };
}

interface Answer {
  /** Source and name of each command that comes from the package. */
  readonly commands: readonly string[];
  /** The lines of stderr that speak of an extension or an error. */
  readonly complaints: readonly string[];
  readonly exitCode: number | null;
}

/** Starts Pi in RPC mode, asks for its commands, closes its input and waits for its end. */
async function askForCommands(home: string, args: readonly string[]): Promise<Answer> {
  const child = spawn(process.execPath, [pi, ...args, "--mode", "rpc"], {
    cwd: home,
    env: isolated(home),
    timeout: processTimeoutMs,
  });
  const exit = new Promise<number | null>((settle) => child.once("close", settle));
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.write('{"id":"1","type":"get_commands"}\n');

  const commands: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    const answer = JSON.parse(line);
    if (answer.id !== "1") continue;
    for (const { name, source, sourceInfo } of answer.data.commands) {
      if (sourceInfo.path.startsWith(published)) commands.push(`${source} ${name}`);
    }
    child.stdin.end();
  }
  const exitCode = await exit;
  // Pi names its own files in its hints, and a checkout may stand in a folder of any name.
  const lines = stderr.replaceAll(root, "").split("\n");
  return { commands, complaints: lines.filter((line) => /extension|error|failed/i.test(line)), exitCode };
}
