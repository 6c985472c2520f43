// Runs before the tests: stops on a Node that Pi cannot run on, warns when a program that the tests start is missing.
// Plain JavaScript of old, so that an old Node gets the sentence and not a syntax error.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The oldest Node that Pi runs on. */
const OLDEST = [22, 19];

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(
    `Angel's scripts need Node ${OLDEST.join(".")} or newer and found ${process.version}: ` +
      "run `npm ci` without --ignore-scripts, which installs Node 24 for this project's scripts, then try again.",
  );
  process.exit(1);
}

warnUnless(["rg"], "ripgrep");
warnUnless(["fd", "fdfind"], "fd-find");

/** @param {string[]} names @param {string} debianPackage */
function warnUnless(names, debianPackage) {
  if (names.some(isOnPath)) return;
  console.error(
    `Warning: ${names.join(" or ")} is not on PATH, so tests of Pi's search tools may fail; ` +
      `on Debian: apt-get install ${debianPackage}`,
  );
}

/** @param {string} name */
function isOnPath(name) {
  const suffixes = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  return (process.env.PATH ?? "")
    .split(delimiter)
    .some((folder) => suffixes.some((suffix) => isExecutable(join(folder, name + suffix))));
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Absent or not executable: the same to a caller.
    return false;
  }
}
