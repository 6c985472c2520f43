// The rules of secretlint's recommended preset, without the one by which a text could switch the others off.

import type { Finding } from "./finding.ts";

export type Scanner = (text: string) => Promise<readonly Finding[]>;

/** Obeys "secretlint-disable" in the text itself; whoever wrote the text does not decide what is withheld. */
const OBEDIENT_RULE = "@secretlint/secretlint-rule-filter-comments";
const RULE_PREFIX = "@secretlint/secretlint-rule-";

export interface CommonScanner {
  readonly scan: Scanner;
  readonly kinds: readonly string[];
}

/** Takes about 0.2 s: the rules are one large module. */
export async function loadCommonScanner(): Promise<CommonScanner> {
  const [{ lintSource }, { rules: all }, { secretLintProfiler }] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
    import("@secretlint/profiler"),
  ]);
  // It keeps marks of every text for ever, and Node warns of them on the user's screen.
  secretLintProfiler.setEnabled(false);
  const rules = all
    .filter(({ meta }) => meta.id !== OBEDIENT_RULE)
    .map((rule) => ({ id: rule.meta.id, rule }));
  return {
    kinds: rules.map(({ id }) => kindOf(id)),
    async scan(text) {
      const { messages } = await lintSource({
        source: { content: text, filePath: "text", ext: "", contentType: "text" },
        options: { noPhysicFilePath: true, config: { rules } },
      });
      return messages.map(({ range: [start, end], ruleId }) => ({
        start,
        end: tokenEnd(text, end),
        kind: kindOf(ruleId),
      }));
    },
  };
}

/** Some rules report a range that ends within the secret: the length of the value, counted from the name. */
function tokenEnd(text: string, end: number): number {
  const rest = /[\w+/=~%-]*/y;
  rest.lastIndex = end;
  return end + (rest.exec(text)?.[0].length ?? 0);
}

function kindOf(ruleId: string): string {
  return ruleId
    .replace(RULE_PREFIX, "")
    .replace(/[^a-z0-9-]/g, "-")
    .slice(0, 40);
}
