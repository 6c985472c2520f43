// The companion `secrets`: what leaves for the advisor's provider is redacted, and files that hold credentials are
// not opened. The executor itself is not touched.

import { homedir } from "node:os";
import type { ExtensionContext } from "@mariozechner/pi-coding-agent";
import type { Companion } from "../../core/seam.ts";
import type { CompanionSettings } from "../settings.ts";
import { makeCleaner, secretsExtension } from "./child.ts";
import { loadCommonScanner } from "./common-scanner.ts";
import { compileOwnPatterns } from "./own-patterns.ts";
import type { PathRule } from "./path-rule.ts";
import type { Redactor } from "./redactor.ts";
import { createRedactor } from "./redactor.ts";
import type { SecretsSettings } from "./settings.ts";
import { readSecretsSettings } from "./settings.ts";
import type { Counts, Tally } from "./tally.ts";
import { addCounts, beginTally, describeCounts, NOTHING, totalOf } from "./tally.ts";

/** @throws Error with a sentence when it cannot protect anything: Angel is not usable then */
export async function start(
  layers: CompanionSettings,
  ctx: Pick<ExtensionContext, "ui">,
): Promise<Companion> {
  const read = readSecretsSettings(layers.user, layers.project);
  if ("wrong" in read) throw new Error(read.wrong);
  const { settings, warnings } = read;
  const redactor = await loadRedactor(settings);
  for (const warning of warnings) ctx.ui.notify(warning, "warning");
  return secretsCompanion(settings, redactor, warnings);
}

export async function loadRedactor({ patterns }: Pick<SecretsSettings, "patterns">): Promise<Redactor> {
  const [common, own] = await Promise.all([loadCommonScanner(), compileOwnPatterns(patterns)]);
  const redactor = createRedactor({ common, own, ownKinds: patterns.map(({ name }) => name) });
  // A scanner that finds nothing looks like one that has nothing to find.
  const { text } = await redactor.redact(PROBE);
  if (text.includes(PROBE_SECRET)) throw new Error("the search for secrets does not find one that is there.");
  return redactor;
}

const PROBE_SECRET = "a1b2c3d4e5f6";
const PROBE = `ANGEL_PROBE_TOKEN=${PROBE_SECRET}`;

export function secretsCompanion(
  settings: SecretsSettings,
  redactor: Redactor,
  warnings: readonly string[],
): Companion {
  const running = new Map<string, Tally>();
  let settled: Counts = NOTHING;
  /** Consultations run one at a time, and the parent's texts are read by the one that runs. */
  let current = beginTally();
  let rule: PathRule | undefined;
  const begin = (consultationId: string) => {
    current = running.get(consultationId) ?? beginTally();
    running.set(consultationId, current);
    return current;
  };
  return {
    name: "secrets",
    describe: () => {
      const counts = [...running.values()].reduce((sum, tally) => addCounts(sum, tally.counts()), settled);
      return [describeCounts(counts), ...warnings].join(" ");
    },
    evidence(text, { part }) {
      const cleaner = makeCleaner(redactor, current);
      // The value of an argument comes without the name that it stands behind.
      const name = /^argument (?:.*\.)?([^.]+)$/.exec(part)?.[1];
      return name === undefined ? cleaner.text(text) : cleaner.named(text, name);
    },
    refusesPath: (path) => rule?.fileRefusal(path),
    child: (request, { cwd }) => {
      const host = { isWindows: process.platform === "win32", home: homedir() };
      const tally = begin(request.consultationId);
      const { rule: ownRule, extension } = secretsExtension({ cwd, settings, redactor, host, tally });
      rule = ownRule;
      return extension;
    },
    record(consultationId) {
      const tally = running.get(consultationId);
      if (!tally) return undefined;
      running.delete(consultationId);
      const counts = tally.counts();
      settled = addCounts(settled, counts);
      return { redacted: totalOf(counts), refused: counts.refused, withheld: counts.withheld };
    },
  };
}
