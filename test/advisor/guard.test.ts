/** What the child's file tools may open, whatever spelling or link leads there. */

import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { refusal } from "../../src/advisor/guard.ts";
import { makePipes } from "../support/pipe.ts";

const IRREGULAR = /is neither a regular file nor a folder, so it is not read\.$/;
const PARENT = /is a session file; read the parent session through parent_session\.$/;
const CONSULTATION = /is the session file of a consultation; it is not evidence about the project\.$/;

let root: string;
let cwd: string;
let parent: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "angel-guard-")));
  cwd = join(root, "project");
  mkdirSync(join(cwd, "src"), { recursive: true });
  parent = join(root, "sessions", "2030_parent.jsonl");
  mkdirSync(join(root, "sessions"));
  writeFileSync(parent, '{"type":"session","version":3,"id":"parent"}\n');
  writeFileSync(join(cwd, "a.txt"), "text");
  vi.stubEnv("HOME", root);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

describe("what is no regular file", () => {
  test("A pipe is refused by its name, through a link and through a linked folder.", () => {
    makePipes(join(cwd, "pipe.txt"));
    symlinkSync("pipe.txt", join(cwd, "link.txt"));
    symlinkSync(cwd, join(root, "linked"));

    for (const path of ["pipe.txt", "./src/../pipe.txt", "link.txt", join(root, "linked", "pipe.txt")]) {
      expect(judge(path), path).toMatch(IRREGULAR);
    }
  });

  test("A device, a socket and whatever stands behind a file descriptor are refused.", async () => {
    const socket = createServer().listen(join(cwd, "socket"));
    await new Promise((listening) => socket.once("listening", listening));

    expect(judge("/dev/zero")).toMatch(IRREGULAR);
    expect(judge("socket")).toMatch(IRREGULAR);
    expect(judge("/dev/null")).toMatch(IRREGULAR);
    socket.close();
  });

  test("A spelling that Pi's own tools forgive does not lead around.", () => {
    makePipes(join(cwd, "my pipe"), join(cwd, "9.41\u202FAM.txt"), join(cwd, "d\u2019ete\u0301"));

    const spellings = [
      ...["@my pipe", "my\u00A0pipe", "my\u3000pipe", "~/project/my pipe"],
      pathToFileURL(join(cwd, "my pipe")).href,
      "9.41 AM.txt",
      "d'et\u00E9",
    ];
    for (const path of spellings) expect(judge(path), path).toMatch(IRREGULAR);
  });
});

describe("sessions", () => {
  test("The parent's session is refused under any name, by a link of either kind and by any path.", () => {
    symlinkSync(parent, join(cwd, "notes.md"));
    linkSync(parent, join(cwd, "hard.md"));

    const paths = [
      ...[parent, relative(cwd, parent), "notes.md", "hard.md", "~/sessions/2030_parent.jsonl"],
      ...[pathToFileURL(parent).href, `@${parent}`],
    ];
    for (const path of paths) expect(judge(path), path).toMatch(PARENT);
  });

  test("The session of any consultation is refused, a copy of it too, and so is any session beside the parent.", () => {
    const header = '{"type":"session","version":3,"id":"x","parentSession":"/p.jsonl"}\n';
    const child = join(root, "sessions", "child.jsonl");
    writeFileSync(child, `${header}{"type":"custom","customType":"angel-consultation","data":{}}\n`);
    copyFileSync(child, join(cwd, "copy.txt"));
    writeFileSync(join(root, "sessions", "other.jsonl"), `${header}{"type":"message"}\n`);
    writeFileSync(join(cwd, "elsewhere.jsonl"), `${header}{"type":"message"}\n`);
    writeFileSync(join(cwd, "data.jsonl"), '{"customType":"angel-consultation"}\n');

    expect(judge(child)).toMatch(CONSULTATION);
    expect(judge("copy.txt")).toMatch(CONSULTATION);
    expect(judge(join(root, "sessions", "other.jsonl"))).toContain(
      "another session file beside the parent's",
    );
    expect(judge("elsewhere.jsonl")).toBeUndefined();
    expect(judge("data.jsonl")).toBeUndefined();
  });

  test("A parent that is not on disk yet hides nothing.", () => {
    rmSync(parent);

    expect(judge("a.txt")).toBeUndefined();
    expect(judge(parent)).toBeUndefined();
  });
});

test("Regular files and folders may be opened wherever they are, and what is not there is left to the tool.", () => {
  symlinkSync("a.txt", join(cwd, "alias"));
  symlinkSync("nowhere", join(cwd, "dangling"));

  const paths = [".", "src", "a.txt", "alias", "/", "~", "..", "missing.txt", "a.txt/b", "dangling"];
  const oddities = ["", "\u0000", "file://", "file:///%00", "file://host/x", "x".repeat(5000)];
  for (const path of [...paths, ...oddities]) expect(judge(path), path).toBeUndefined();
});

function judge(path: string): string | undefined {
  return refusal(path, { cwd, sessionFiles: [parent] });
}
