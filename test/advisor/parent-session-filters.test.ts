// Filters are the same for list and search.

import { expect, test } from "vitest";
import { openParentSession, withoutTimes } from "../support/ask-parent.ts";
import { buildSession } from "../support/session-builder.ts";

const FILTERED = ["list", "search"] as const;

test("Filters narrow list and search by kind, tool, error mark and place.", async () => {
  const { ids, ask } = openStory();
  const cases: [filter: object, expected: readonly string[]][] = [
    [{}, [ids.asked, ids.read, ids.failed, ids.said, ids.shell, ids.passed, ids.left]],
    [{ kinds: ["user", "shell"] }, [ids.asked, ids.shell]],
    [{ kinds: ["operation"] }, [ids.read, ids.failed, ids.passed]],
    [{ kinds: "assistant" }, [ids.said, ids.left]],
    [{ tool: "bash" }, [ids.failed, ids.passed]],
    [{ tool: "bash", kinds: ["user"] }, []],
    [{ errorsOnly: true }, [ids.failed, ids.shell, ids.left]],
    [{ errorsOnly: true, tool: "bash" }, [ids.failed]],
    [{ after: ids.failed, before: ids.passed }, [ids.said, ids.shell]],
    [{ after: "call_2", before: "call_3" }, [ids.said, ids.shell]],
    [{ after: `${ids.failed}→${ids.failure}` }, [ids.said, ids.shell, ids.passed, ids.left]],
    [{ after: ids.failure }, [ids.said, ids.shell, ids.passed, ids.left]],
    [{ before: ids.read }, [ids.asked]],
  ];

  for (const action of FILTERED) {
    for (const [filter, expected] of cases) {
      const page = await ask({ action, query: "clue", ...filter });

      expect([action, filter, entryIds(page)]).toEqual([action, filter, expected]);
    }
  }
});

test("Bookkeeping is listed when it is asked for, each by what it is.", async () => {
  const session = buildSession();
  const target = session.user("one");
  const { manager } = session;
  manager.appendModelChange("local", "exec");
  manager.appendThinkingLevelChange("high");
  manager.appendSessionInfo("SECRET-NAME");
  manager.appendLabelChange(target, "SECRET-LABEL");
  manager.appendCustomEntry("notes", { secret: "SECRET-DATA" });
  manager.appendContextEdit(target, null);
  const { ask } = openParentSession(manager);

  const list = await ask({ action: "list", kinds: ["bookkeeping"] });

  const lines = withoutTimes(list).split("\n").slice(1);
  expect(lines.map((line) => line.replace(/^\[\w+\] /, ""))).toEqual([
    "model change to local/exec",
    "thinking level change to high",
    "session info",
    `label on ${target}`,
    "custom entry of notes",
    `context edit that omitted ${target}`,
  ]);
  expect(list).not.toContain("SECRET");
});

test("Limits that leave no room between them are told so.", async () => {
  const { ids, ask } = openStory();

  for (const [after, before] of [
    [ids.passed, ids.failed],
    [ids.failed, ids.failed],
  ]) {
    await expect(ask({ action: "list", after, before })).rejects.toThrow(
      '"after" names what does not come before "before", so nothing is between them; swap the two.',
    );
  }
});

test("An empty answer says where else to look.", async () => {
  const { ask } = openStory();

  const inContext = await ask({ action: "search", query: "nowhere" });
  const filtered = await ask({ action: "list", tool: "Bash", view: "branch" });
  const late = await ask({ action: "list", tool: "Bash" });
  const nowhere = await ask({ action: "search", query: "nowhere", view: "branch" });

  expect(inContext).toMatch(
    /none, 0 hits in all.*\n\[Nothing in this view; view "branch" looks through everything\.\]$/s,
  );
  expect(filtered).toMatch(/\n\[No operation of Bash in this session; its tools are read, bash\.\]$/);
  expect(late).toMatch(
    /^Lines: none, view context, oldest first, times in UTC\.\n\[No operation of Bash in this session; /,
  );
  expect(nowhere).toMatch(/\n\[Nothing on the whole branch\.\]$/);
});

/** A session in which everything says "clue". */
function openStory() {
  const session = buildSession();
  const asked = session.user("clue");
  const read = session.operate("read", { path: "clue" }, "text").call;
  const { call: failed, result: failure } = session.operate("bash", { command: "clue" }, "no", {
    isError: true,
  });
  const said = session.say("clue");
  const shell = session.shell("clue", "", { exitCode: 1 });
  const passed = session.operate("bash", { command: "clue" }, "yes").call;
  const left = session.say("clue", { stopReason: "length" });
  const ids = { asked, read, failed, failure, said, shell, passed, left };
  return { ids, ask: openParentSession(session.manager).ask };
}

/** The first entry id of each line that stands for an entry. */
function entryIds(page: string): string[] {
  return [...page.matchAll(/^\[(\w{8})(?:→\w{8})?\] /gm)].map(([, id = ""]) => id);
}

test("In the default view a page says how much compaction took from it.", async () => {
  const { ask } = openStory();

  const context = await ask({ action: "list" });
  const files = await ask({ action: "files" });
  const branch = await ask({ action: "list", view: "branch" });

  const note = /\[Not in this view: \d+ lines? that compaction took; view "branch" has all\.\]/;
  const lost = (await ask({ action: "list", view: "lost" })).match(/^Lines 1-(\d+) of/)?.[1];
  expect(context.match(note)?.[0]).toBe(
    lost === undefined
      ? undefined
      : `[Not in this view: ${lost} lines that compaction took; view "branch" has all.]`,
  );
  expect(note.test(files)).toBe(lost !== undefined);
  expect(branch).not.toMatch(note);
});
