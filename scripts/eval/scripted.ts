// The proof of the harness: models that behave in a known-good or a known-bad way, and the scores that must come out.

import type { ModelServer } from "../../test/support/model-server.ts";
import { startModelServer } from "../../test/support/model-server.ts";
import type { Answer } from "../../test/support/steps.ts";
import { call, calls, say } from "../../test/support/steps.ts";
import type { Model } from "./arguments.ts";
import type { Arm } from "./arms.ts";
import type { NamedEpisode } from "./episode.ts";
import type { Line } from "./journal.ts";

export type Conduct = "good" | "bad";

export const CONDUCTS: readonly Conduct[] = ["good", "bad"];

export const SCRIPTED: { readonly executor: Model; readonly advisor: Model } = {
  executor: { name: "local/exec", thinking: "off" },
  advisor: { name: "local/adv", thinking: "max" },
};

export interface Play extends AsyncDisposable {
  readonly url: string;
  /** What did not go by the script, in words. */
  surprises(): string[];
}

export async function playScript(episode: NamedEpisode, arm: Arm, conduct: Conduct): Promise<Play> {
  const server = await startModelServer();
  scriptExecutor(server, episode, arm, conduct);
  if (arm.kind !== "alone") server.script("adv", advisorSteps(episode, arm, conduct));
  return {
    url: server.url,
    surprises: () => [
      ...server.unexpected,
      ...server.violations,
      ...(server.pending() > 0 ? [`${server.pending()} steps of the script were not taken`] : []),
    ],
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** What is wrong with the line that came of it, in words; none when the harness told good from bad. */
export function wrongScores(
  episode: NamedEpisode,
  arm: Arm,
  conduct: Conduct,
  result: Line["result"],
): string[] {
  if (result.kind === "failed") return [result.because];
  const { score, usage, reported } = result;
  const isGood = conduct === "good";
  const isAdvised = arm.kind !== "alone";
  const hasAny = (found: readonly unknown[] | number) =>
    (typeof found === "number" ? found : found.length) > 0;
  const claims: readonly (readonly [boolean, string])[] = [
    [score.hasRecovered === isGood, `recovery is ${score.hasRecovered} (${result.because ?? "no reason"})`],
    [hasAny(score.repeatedCalls) === !isGood, `${score.repeatedCalls} repeated failed approaches`],
    [
      hasAny(score.wrongAdvice.given) === (isAdvised && !isGood),
      `wrong advice: ${score.wrongAdvice.given.join() || "none"}`,
    ],
    [
      hasAny(score.wrongAdvice.followed) === (isAdvised && !isGood),
      `followed: ${score.wrongAdvice.followed.join() || "none"}`,
    ],
    [
      hasAny(score.claims.unsupported) === (isAdvised && !isGood),
      `unsupported claims: ${score.claims.unsupported.join() || "none"}`,
    ],
    [
      score.hasAbstained === (episode.right === "repair" ? undefined : isGood),
      `abstention is ${score.hasAbstained}`,
    ],
    [hasAny(score.wrongClaims) === !isGood, `wrong claims: ${score.wrongClaims.join() || "none"}`],
    [reported.consultations === (isAdvised ? 1 : 0), `${reported.consultations} consultations`],
    [
      usage.executor.state === "known" && usage.executor.totalTokens > 0,
      "the executor's tokens are not known",
    ],
    [
      // Somebody else's package need not report what it consumes; then it is unknown, which is right.
      (arm.kind === "npm" && usage.advisor.state === "unavailable") ||
        (usage.advisor.state === "known" && usage.advisor.totalTokens > 0 === isAdvised),
      `the advisor's tokens are ${JSON.stringify(usage.advisor)}`,
    ],
  ];
  return claims.flatMap(([holds, words]) => (holds ? [] : [words]));
}

function scriptExecutor(server: ModelServer, episode: NamedEpisode, arm: Arm, conduct: Conduct): void {
  const { moves, says } = episode[conduct];
  // A package that plays in a script has to call its tool "advisor", as the transcript-only one does.
  const ask = call(arm.kind === "angel" ? "angel" : "advisor", { question: "What do I overlook?" });
  server.script("exec", [
    ...(arm.kind === "alone" ? [] : [ask]),
    ...moves.map(({ tool, args }) => call(tool, args)),
    say(says),
  ]);
}

/** The known-bad advisor looks at nothing; one without tools can only say what the session shows. */
function advisorSteps({ good, bad, evidence }: NamedEpisode, arm: Arm, conduct: Conduct): Answer[] {
  if (conduct === "bad") return [say(bad.advice)];
  if (arm.kind !== "angel") return [say(good.hint)];
  return [
    call("parent_session", { action: "overview" }),
    calls(evidence.files.map((path) => call("read", { path }))),
    say(good.advice),
  ];
}
