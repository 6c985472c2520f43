/** What of a screen stays the same from run to run: what stands above Pi's editor, without times, ids and frames. */

import { stripTerminalSequences } from "@mariozechner/pi-tui";

const EDITOR = /^──/;

/** Everything above the editor, from the line that begins with `from` if one does; blank lines at both ends are left out. */
export function aboveEditor(lines: readonly string[], from = ""): string {
  const end = lines.findIndex((line) => EDITOR.test(stripTerminalSequences(line)));
  const above = lines.slice(0, end < 0 ? lines.length : end).map(withoutWhatVaries);
  const start = from === "" ? 0 : above.findLastIndex((line) => line.trimStart().startsWith(from));
  return `\n${above.slice(Math.max(0, start)).join("\n").replace(/^\n+/, "").trimEnd()}\n`;
}

function withoutWhatVaries(line: string): string {
  return line
    .replace(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, "⠿")
    .replace(/\b\d+(\.\d)? s\b/g, "N s")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}(-[0-9a-f]{4}){2}-[0-9a-f]{12}\b/g, "ID")
    .replace(/session [0-9a-f]{8}-[0-9a-f]{4}/g, "session SHORT-ID")
    .trimEnd();
}
