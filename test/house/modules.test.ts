// What a module of src may hold. Pi caches modules across sessions, so state at the top of one would leak from session
// to session; the other rules keep modules small and their names searchable.
import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../..", import.meta.url));
const modules = globSync("src/**/*.ts", { cwd: root })
  .map((path) => path.split(sep).join("/"))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

test("No module of src is longer than 250 lines.", () => {
  const lengths = modules.map(({ path, text }) => ({ path, lines: text.trimEnd().split("\n").length }));

  expect(lengths).not.toEqual([]);
  expect(lengths.filter(({ lines }) => lines > 250)).toEqual([]);
});

test("No module of src holds state, an enum, a namespace or a default export but the door's.", () => {
  expect(modules.flatMap(({ path, text }) => faultsOf(text).map((fault) => `${path}: ${fault}`))).toEqual(
    doors(),
  );
});

test.for([
  ["let calls = 0;", "let calls"],
  ["export var calls = 0;", "var calls"],
  ["const seen = new Map<string, number>();", "new Map in seen"],
  ["export const seen = new Set(['a']);", "new Set in seen"],
  ["const seen: WeakMap<object, 1> = new WeakMap();", "new WeakMap in seen"],
  ["const seen: string[] = [];", "mutable array in seen"],
  ["const kinds = ['a', 'b'];", "mutable array in kinds"],
  ["class Desk { static open = 0; }", "static open"],
  ["enum Kind { A }", "enum Kind"],
  ["namespace Kinds { export type A = 1 }", "namespace Kinds"],
  ["export default function angel() {}", "default export"],
  ["const angel = 1; export default angel;", "default export"],
  ["const angel = 1; export { angel as default };", "default export"],
] as const)("The rules for modules find the fault in: %s", ([text, fault]) => {
  expect(faultsOf(text)).toEqual([fault]);
});

test.for([
  "const kinds = ['a', 'b'] as const;",
  "const kinds: readonly string[] = ['a', 'b'];",
  "const kinds = ['a'] as const satisfies readonly string[];",
  "const kinds: ReadonlySet<string> = new Set(['a']);",
  "export function open() { let calls = 0; const seen = new Map(); return () => [calls++, seen]; }",
  "class Desk { static open() {} readonly seen = new Map(); }",
  "declare module 'pi' { interface Events { angel: 1 } }",
  "export { default as pick } from 'picomatch';",
])("The rules for modules let pass: %s", (text) => {
  expect(faultsOf(text)).toEqual([]);
});

/** The default exports that Pi asks for: one in each file that package.json names as an extension. */
function doors(): readonly string[] {
  return manifest.pi.extensions.map((path) => `${path.replace("./", "")}: default export`);
}

/** Cheap and strict: it reads the statements of a module and the members of its classes, and knows no types. */
function faultsOf(text: string): readonly string[] {
  const { statements } = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest, true);
  return statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return [...faultsOfVariables(statement), ...defaultExport(statement)];
    if (ts.isClassDeclaration(statement)) return [...staticFields(statement), ...defaultExport(statement)];
    if (ts.isEnumDeclaration(statement)) return [`enum ${statement.name.text}`];
    if (ts.isModuleDeclaration(statement) && ts.isIdentifier(statement.name)) {
      return statement.name.text === "global" ? [] : [`namespace ${statement.name.text}`];
    }
    return defaultExport(statement);
  });
}

function faultsOfVariables({ declarationList }: ts.VariableStatement): readonly string[] {
  const isConst = (declarationList.flags & ts.NodeFlags.BlockScoped) === ts.NodeFlags.Const;
  const keyword = declarationList.flags & ts.NodeFlags.Let ? "let" : "var";
  return declarationList.declarations.flatMap((declaration) => {
    const name = declaration.name.getText();
    if (!isConst) return [`${keyword} ${name}`];
    const type = declaration.type?.getText() ?? "";
    const value = declaration.initializer;
    if (value === undefined || /^(readonly |Readonly(Array|Set|Map)<)/.test(type)) return [];
    if (ts.isArrayLiteralExpression(value)) return [`mutable array in ${name}`];
    const made = ts.isNewExpression(value) ? value.expression.getText() : "";
    return /^(Weak)?(Map|Set)$/.test(made) ? [`new ${made} in ${name}`] : [];
  });
}

function staticFields(declaration: ts.ClassDeclaration): readonly string[] {
  return declaration.members
    .filter(ts.isPropertyDeclaration)
    .filter((field) => field.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
    .map((field) => `static ${field.name.getText()}`);
}

function defaultExport(statement: ts.Statement): readonly string[] {
  const isDefault =
    ts.isExportAssignment(statement) ||
    (ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) ||
    (ts.isExportDeclaration(statement) &&
      statement.exportClause !== undefined &&
      ts.isNamedExports(statement.exportClause) &&
      statement.exportClause.elements.some(({ name }) => name.text === "default"));
  return isDefault ? ["default export"] : [];
}
