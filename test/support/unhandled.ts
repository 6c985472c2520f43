/** An extension that counts what Pi's process would have died of. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "./home.ts";

/** Files of the project; `extensions: [UNHANDLED.path]` loads it. */
export const UNHANDLED = {
  path: "unhandled.ts",
  files: {
    "unhandled.ts": `import { appendFileSync } from "node:fs";
      export default () => {
        process.on("unhandledRejection", (reason) => appendFileSync("unhandled.log", String(reason) + "\\n"));
      };`,
  },
} as const;

export function unhandledIn(home: Home): string {
  const log = join(home.project, "unhandled.log");
  return existsSync(log) ? readFileSync(log, "utf8") : "";
}
