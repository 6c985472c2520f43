/** Opens a session of fixtures/sessions, on a copy: Pi may repair or extend the files that it opens. */

import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { SessionManager } from "@mariozechner/pi-coding-agent";
import { onTestFinished } from "vitest";

export function openFixture(name: string): SessionManager {
  const folder = mkdtempSync(join(tmpdir(), "angel-fixture-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, name);
  copyFileSync(fileURLToPath(new URL(`../../fixtures/sessions/${name}`, import.meta.url)), path);
  return SessionManager.open(path);
}
