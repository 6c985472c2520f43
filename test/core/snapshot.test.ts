// A snapshot is an entry's id and a way to read from there.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { expect, onTestFinished, test } from "vitest";
import { pinSnapshot } from "../../src/core/snapshot.ts";
import { buildSession, PROJECT } from "../support/session-builder.ts";

test("A snapshot names the session, its folder and its leaf, and a file only when there is one.", () => {
  const folder = mkdtempSync(join(tmpdir(), "angel-snapshot-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const inMemory = buildSession();
  const saved = buildSession(SessionManager.create(PROJECT, folder));
  const leafId = saved.user("hello");

  const [first, second] = [pinSnapshot(inMemory.manager), pinSnapshot(saved.manager)];

  expect(first).toMatchObject({ sessionId: inMemory.manager.getSessionId(), cwd: PROJECT, leafId: null });
  expect(first).not.toHaveProperty("sessionFile");
  expect(first.branch().entries).toEqual([]);
  expect(second).toMatchObject({ leafId, sessionFile: saved.manager.getSessionFile() });
});

test("A snapshot reads its branch once, and that branch stays as it was.", () => {
  const session = buildSession();
  const root = session.user("one");
  const leaf = session.user("two");
  const snapshot = pinSnapshot(session.manager);
  session.user("three");
  session.manager.branch(root);
  session.user("elsewhere");

  const branch = snapshot.branch();

  expect(branch.entries.map(({ id }) => id)).toEqual([root, leaf]);
  expect(snapshot.branch()).toBe(branch);
});
