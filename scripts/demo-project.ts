// The demo's small broken project, as files.

import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export function readDemoProject(): Record<string, string> {
  const folder = fileURLToPath(new URL("../fixtures/demo/project", import.meta.url));
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map((file) => {
      const path = join(file.parentPath, file.name);
      return [relative(folder, path), readFileSync(path, "utf8")];
    }),
  );
}
