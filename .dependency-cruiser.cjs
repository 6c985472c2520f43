// The rooms of src/ and the directions in which they may import. test/house/rooms.test.ts proves that every rule bites.

/** Packages that Pi maps to its own copies. */
const HOST = "node_modules/(@mariozechner|@earendil-works|@sinclair|typebox)/";

/** Modules of src that are not in one of the given rooms. */
const outside = (...rooms) => ({ path: "^src/", pathNot: `^src/(${rooms.join("|")})/` });

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "core-imports-core",
      comment: "src/core is the pure domain: of src it imports only itself.",
      severity: "error",
      from: { path: "^src/core/" },
      to: outside("core"),
    },
    {
      name: "core-has-no-io",
      comment: "src/core does no I/O: of Node it uses node:crypto only.",
      severity: "error",
      from: { path: "^src/core/" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "core-has-no-pi-values",
      comment: "src/core knows Pi by its types only: import type.",
      severity: "error",
      from: { path: "^src/core/" },
      to: { path: HOST, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "advisor-imports-core",
      comment: "Of src, src/advisor imports core and itself.",
      severity: "error",
      from: { path: "^src/advisor/" },
      to: outside("core", "advisor"),
    },
    {
      name: "view-imports-core",
      comment: "Of src, src/view imports core and itself.",
      severity: "error",
      from: { path: "^src/view/" },
      to: outside("core", "view"),
    },
    {
      name: "host-imports-rooms",
      comment: "Of src, src/host imports core, advisor, view and itself; never the door.",
      severity: "error",
      from: { path: "^src/host/" },
      to: outside("core", "advisor", "view", "host"),
    },
    {
      name: "door-imports-host",
      comment: "src/index.ts wires src/host; besides that it may name Pi's types.",
      severity: "error",
      from: { path: "^src/index\\.ts$" },
      to: { pathNot: ["^src/host/", HOST] },
    },
    {
      name: "door-has-no-pi-values",
      comment: "src/index.ts names Pi's types only: import type.",
      severity: "error",
      from: { path: "^src/index\\.ts$" },
      to: { path: HOST, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "companions-import-core-types",
      comment:
        "A companion runs beside the core with instances of its own: it may share core's types, never its values.",
      severity: "error",
      from: { path: "^src/companions/" },
      to: { path: "^src/core/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "companions-import-no-other-room",
      comment: "Of src, src/companions imports the types of core and itself.",
      severity: "error",
      from: { path: "^src/companions/" },
      to: outside("core", "companions"),
    },
    {
      name: "nobody-imports-companions",
      comment: "Companions stand on the seam: no room names one.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/companions/" },
      to: { path: "^src/companions/" },
    },
    {
      name: "rooms-are-known",
      comment: "A module of src is the door or lives in a room named here.",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(index\\.ts$|(core|advisor|view|host|companions)/)" },
      to: {},
    },
    {
      name: "src-stands-alone",
      comment: "src never imports tests, scripts, fixtures or anything else of this repository.",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["local"], pathNot: "^(src|prompts)/" },
    },
    {
      name: "src-ships-what-it-runs",
      comment: "What src imports at run time is a dependency or a package that Pi supplies.",
      severity: "error",
      from: { path: "^src/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown", "npm-optional"],
        dependencyTypesNot: ["type-only", "npm-peer"],
      },
    },
    {
      name: "names-say-something",
      comment: "A module is named for its idea; these names have none.",
      severity: "error",
      from: {},
      to: { path: "^src/(|.*/)(utils?|shared|types?|helpers?|common)[./]" },
    },
    {
      name: "no-cycles",
      comment: "A cycle hides an idea that wants a file of its own. Types count.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "imports-resolve",
      comment: "An import that is not found cannot be judged by the other rules.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ["node_modules", "^fixtures/"] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["types", "import", "node", "default"],
      extensions: [".ts", ".mjs", ".cjs", ".js", ".json", ".d.ts"],
    },
  },
};
