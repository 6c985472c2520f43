/** What the oldest Pi that Angel runs on does otherwise than today's, as far as tests of the real program meet it. */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VERSION } from "@mariozechner/pi-coding-agent";

/** Which Pi the real program is; `PI_UNDER_TEST` names the `cli.js` of another. */
function versionUnderTest(): string {
  const cli = process.env.PI_UNDER_TEST;
  if (cli === undefined) return VERSION;
  // It lies two folders below its package.
  const { version } = JSON.parse(readFileSync(join(dirname(cli), "../../package.json"), "utf8"));
  return version;
}

const isOldest = versionUnderTest() === "1.5.0";

/** A Pi that ends in the middle of a call writes the call's result; otherwise `pi -c` makes one up for it. */
export const writesResultsAtItsEnd = !isOldest;

/** `read` takes a part of a file without reading the whole; otherwise it refuses what is longer than two gigabytes. */
export const readsInParts = !isOldest;

/** It draws Markdown as the pictures of README show it. */
export const drawsAsToday = !isOldest;

/** Today's words for the end of a run that was stopped, whichever Pi wrote them. */
export function inWordsOfToday(screen: string): string {
  return screen.replace("Error: This operation was aborted", "Operation aborted");
}
