// Reads the two sides of the acceptance list: the numbered sentences of SPEC.md and the titles of runnable tests.
import ts from "typescript";

export interface AcceptanceLine {
  readonly number: number;
  readonly isBuilt: boolean;
  readonly sentence: string;
}

/**
 * The lines of `## Acceptance`: `- A12. The sentence.` or `- A13 (not built). The sentence.`, a long one going on in
 * indented lines. Any other list item there is an error: a mistyped line must not drop out of the contract in silence.
 */
export function readAcceptance(markdown: string): readonly AcceptanceLine[] {
  const [, ...rest] = markdown.split(/^## Acceptance$/m);
  if (rest.length !== 1) throw new Error(`SPEC.md needs one section "## Acceptance" and has ${rest.length}.`);
  const [section = ""] = rest.join().split(/^##? /m);
  const items = section.replace(/\n +(?=\S)/g, " ").match(/^ *[-*] .*$/gm) ?? [];
  return items.map((item) => {
    const { number, mark, sentence } =
      /^- A(?<number>\d+)(?<mark> \(not built\))?\. (?<sentence>\S.*)$/.exec(item)?.groups ?? {};
    if (number === undefined || sentence === undefined) {
      throw new Error(
        `Not a line of the acceptance list ("- A12. Sentence." or "- A12 (not built). Sentence."): ${item}`,
      );
    }
    return { number: Number(number), isBuilt: mark === undefined, sentence: sentence.trimEnd() };
  });
}

/**
 * The titles of tests that run: plain calls of `test` or `it` with a literal title and a body. Not counted: `.skip`,
 * `.todo`, `.fails`, `.skipIf` and their like, such options, a test without a body, and what stands in a skipped group.
 */
export function readTestTitles(text: string): readonly string[] {
  const titles: string[] = [];
  visit(ts.createSourceFile("example.test.ts", text, ts.ScriptTarget.Latest, true));
  return titles;

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node)) {
      if (isUncertainGroup(node)) return;
      const title = titleOf(node);
      if (title !== undefined) titles.push(title);
    }
    ts.forEachChild(node, visit);
  }
}

function titleOf({ expression, arguments: args }: ts.CallExpression): string | undefined {
  if (!/^(test|it)(\.concurrent)?$/.test(expression.getText())) return undefined;
  const [title, ...rest] = args;
  if (title === undefined || !ts.isStringLiteralLike(title)) return undefined;
  const hasBody = rest.some((arg) => ts.isArrowFunction(arg) || ts.isFunctionExpression(arg));
  return hasBody && !rest.some(switchesOff) ? title.text : undefined;
}

/** A group under a condition or a modifier may not run: `describe.skip(…)`, `describe.skipIf(…)(…)`, `describe(…, { skip })`. */
function isUncertainGroup({ expression, arguments: args }: ts.CallExpression): boolean {
  const callee = expression.getText();
  if (!/^(describe|suite)\b/.test(callee)) return false;
  return !/^(describe|suite)(\.concurrent|\.sequential)?$/.test(callee) || args.some(switchesOff);
}

function switchesOff(options: ts.Expression): boolean {
  return (
    ts.isObjectLiteralExpression(options) &&
    options.properties.some(({ name }) => name !== undefined && /^(skip|todo|fails)$/.test(name.getText()))
  );
}
