// Whether Pi knows the models and has credentials for them: asked once before anything is run, not in every run.

import { ModelRuntime } from "@mariozechner/pi-coding-agent";
import type { Model, Plan } from "./arguments.ts";

/** In sentences; none when both can be used, or when scripted models are. */
export async function modelProblems({ models }: Pick<Plan, "models">): Promise<string[]> {
  if (models === undefined) return [];
  const runtime = await ModelRuntime.create();
  const problems = [
    await modelProblem("executor", models.executor, runtime),
    await modelProblem("advisor", models.advisor, runtime),
  ];
  return problems.flatMap((problem) => problem ?? []);
}

async function modelProblem(
  role: string,
  { name }: Model,
  runtime: Pick<ModelRuntime, "getModel" | "checkAuth">,
): Promise<string | undefined> {
  const slash = name.indexOf("/");
  const provider = name.slice(0, slash);
  if (runtime.getModel(provider, name.slice(slash + 1)) === undefined) {
    return `--${role} names "${name}", which Pi does not know without extensions; \`pi --no-extensions --list-models\` lists what it knows.`;
  }
  const auth = await runtime.checkAuth(provider);
  if (auth !== undefined) return undefined;
  return `There are no credentials for --${role} "${name}"; sign in with /login in Pi or set the key of ${provider}.`;
}
