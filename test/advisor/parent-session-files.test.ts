// Which files the executor touched, and so which it never opened.

import { homedir } from "node:os";
import { expect, test } from "vitest";
import { openParentSession } from "../support/ask-parent.ts";
import { buildSession, PROJECT } from "../support/session-builder.ts";

test("The files view counts reads, edits and writes per path, one path in all its spellings.", async () => {
  const session = buildSession();
  const edit = (path: string, isError = false) =>
    session.operate("edit", { path, edits: [{ oldText: "a", newText: "b" }] }, "done", { isError });
  const reads = ["src/a.ts", "./src/a.ts", `${PROJECT}/src/a.ts`, "src/../src/a.ts", "@src/a.ts"].map(
    (path) => session.operate("read", { path }, "text").call,
  );
  const edits = [edit("src/a.ts").call, edit("src//a.ts", true).call];
  const written = session.operate("write", { path: "new.txt", content: "text" }, "done").call;
  const outside = session.operate("read", { path: "/etc/hosts" }, "text").call;
  const home = session.operate("read", { file_path: "~/notes" }, "text").call;
  const dotted = session.operate("read", { path: "..cache" }, "text").call;
  session.operate("bash", { command: "cat src/unseen.ts" }, "text");
  session.operate("read", {}, "no path", { isError: true });
  const { ask } = openParentSession(session.manager);

  const [heading, ...lines] = (await ask({ action: "files" })).split("\n");

  expect(heading).toMatch(/^Files 1-5 of 5, view context, in order of first use/);
  expect(lines.map((line) => line.replace(/, 20\d\d-[\d: -]+(to [\d: -]+)?$/, ""))).toEqual([
    `src/a.ts: read 5× [${reads.join(" ")}], edited 2× (1 error) [${edits.join(" ")}]`,
    `new.txt: written 1× [${written}]`,
    `/etc/hosts: read 1× [${outside}]`,
    `${homedir()}/notes: read 1× [${home}]`,
    `..cache: read 1× [${dotted}]`,
  ]);
});

test("Files are of the view, of the filters and of pages, and a busy file names its first entries only.", async () => {
  const session = buildSession();
  session.operate("read", { path: "lost.ts" }, "text");
  const kept = session.user("go on");
  session.manager.appendCompaction("sum", kept, 1);
  for (let n = 0; n < 12; n += 1) session.operate("read", { path: "busy.ts" }, "text");
  const last = session.operate("read", { path: "last.ts" }, "text");
  const { ask } = openParentSession(session.manager);

  const lost = await ask({ action: "files", view: "lost" });
  const paged = await ask({ action: "files", limit: 1 });
  const late = await ask({ action: "files", view: "branch", after: last.call, tool: "read" });
  const rest = await ask({ action: "files", offset: 1 });

  expect(lost).toMatch(/^Files 1-1 of 1, view lost.*\nlost\.ts: read 1×/);
  expect(paged).toMatch(/\nbusy\.ts: read 12× \[(\w{8} ){7}\w{8} and 4 more\]/);
  expect(paged).toContain("[1 more: the same call with offset 1.]");
  expect(rest).toMatch(/^Files 2-2 of 2.*\nlast\.ts: read 1×/);
  expect(late).toContain("[Nothing on the whole branch.]");
});

test("Two calls of one message on one file name their entry once, and first and last stand at the end.", async () => {
  const session = buildSession();
  const both = session.call([
    { tool: "read", args: { path: "a.ts" } },
    { tool: "read", args: { path: "a.ts", offset: 9 } },
  ]);
  const { ask } = openParentSession(session.manager);

  const files = await ask({ action: "files" });

  expect(files).toMatch(
    new RegExp(`\\na\\.ts: read 2× \\[${both}\\], \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$`),
  );
});
