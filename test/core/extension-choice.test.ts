import { describe, expect, test } from "vitest";
import type { ConfiguredExtension } from "../../src/core/extension-choice.ts";
import { chooseExtensions } from "../../src/core/extension-choice.ts";

function extension(path: string, names: ConfiguredExtension["names"], owner = path): ConfiguredExtension {
  return { path, names, owner, isAngel: false };
}

const web = extension("/e/web.ts", ["web", "web.ts"]);
const tools = [
  extension("/p/tools/a.ts", ["@me/tools", "tools", "a", "a.ts"], "/p/tools"),
  extension("/p/tools/b.ts", ["@me/tools", "tools", "b", "b.ts"], "/p/tools"),
];
const otherWeb = extension("/q/web/index.ts", ["web"], "/q/web");
const angel: ConfiguredExtension = { ...extension("/a/src/index.ts", ["pi-angel", "angel"]), isAngel: true };

describe("the extensions of a child", () => {
  test.for<[string, string[], ConfiguredExtension[], string[]]>([
    ["a file without its ending", ["web"], [web, ...tools], ["/e/web.ts"]],
    ["a file with its ending", ["web.ts"], [web, ...tools], ["/e/web.ts"]],
    ["a package, with all that it holds", ["@me/tools"], [web, ...tools], ["/p/tools/a.ts", "/p/tools/b.ts"]],
    ["one file of a package", ["b"], [web, ...tools], ["/p/tools/b.ts"]],
    ["the same one twice", ["a", "a.ts", "a"], [web, ...tools], ["/p/tools/a.ts"]],
    [
      "several, in the order in which Pi loads them",
      ["b", "web"],
      [web, ...tools],
      ["/e/web.ts", "/p/tools/b.ts"],
    ],
  ])("are named by %s", ([, asked, configured, paths]) => {
    const choice = chooseExtensions(asked, configured);

    expect(choice.extensions.map(({ path }) => path)).toEqual(paths);
    expect(choice.warnings).toEqual([]);
  });

  test("are all that are configured but Angel", () => {
    const choice = chooseExtensions("all", [web, angel, ...tools]);

    expect(choice).toEqual({
      extensions: [web, ...tools].map(({ names: [name], path }) => ({ name, path })),
      warnings: [],
    });
  });

  test.for<[string, string, ConfiguredExtension[], string]>([
    [
      "unknown",
      "wbe",
      [web, ...tools],
      '"wbe" in angel.subagentExtensions is no extension that is configured and enabled; there are web, @me/tools.',
    ],
    [
      "of a prototype",
      "__proto__",
      [],
      '"__proto__" in angel.subagentExtensions is no extension that is configured and enabled; there is none.',
    ],
    [
      "a path",
      "../../evil",
      [web],
      '"../../evil" in angel.subagentExtensions is no extension that is configured and enabled; there are web.',
    ],
    [
      "of two extensions",
      "web",
      [web, otherWeb],
      '"web" in angel.subagentExtensions is the name of several extensions (/e/web.ts, /q/web/index.ts), so none of them is loaded; use a name that only one has.',
    ],
    [
      "Angel's",
      "pi-angel",
      [web, angel],
      '"pi-angel" in angel.subagentExtensions is Angel itself, which is never loaded into its own advisor\'s session.',
    ],
  ])("leave out a name that is %s, and say so", ([, name, configured, warning]) => {
    expect(chooseExtensions([name], configured)).toEqual({ extensions: [], warnings: [warning] });
  });
});
