/** The advisor's provider asks somewhere for its key, and that place never answers. */

import { expect, test } from "vitest";
import type { EngineEvent } from "../../src/core/seam.ts";
import { mountCompanion } from "../support/companion.ts";
import { fauxCall, fauxSay } from "../support/faux-models.ts";
import { flakyTool } from "../support/flaky.ts";
import type { InProcess } from "../support/in-process.ts";
import { startSession } from "../support/in-process.ts";
import { hangNoticeBoard } from "../support/notice-board.ts";
import type { Origin } from "../support/origins.ts";
import { ORIGINS } from "../support/origins.ts";
import { silentVault } from "../support/silent-vault.ts";
import { createWatch } from "../support/watch.ts";

const PLACES = ["check", "key"] as const;

test("A credential check or a key that never comes is cancelled as anything else, whoever asked, and the next consultation works.", async () => {
  for (const place of PLACES) {
    for (const origin of ORIGINS) {
      const vault = silentVault();
      vault.fallSilent(place);
      let waitingBefore = 0;
      const heard = listen(() => {
        waitingBefore = vault.waiting();
      });
      await using pi = await startSession({
        factories: [vault.extension, flakyTool().extension, heard.extension],
        bindings: hangNoticeBoard().bindings,
        settings: { angel: { model: "vault/adv", companions: { probe: {} } } },
      });

      const run = ask(pi, origin);
      await heard.ofType("asked", 1);
      await vault.isAskedAfter(waitingBefore);
      await (origin === "human" ? pi.session.prompt("/angel cancel") : pi.session.abort());
      await run;
      const [stopped] = await heard.ofType("settled", 1);
      vault.speakAgain();
      vault.say([fauxSay("Because.")]);
      await ask(pi, origin, 2);
      const [, answered] = await heard.ofType("settled", 2);

      expect(stopped, `${place}, ${origin}`).toMatchObject({ record: { outcome: "cancelled" } });
      expect(answered, `${place}, ${origin}`).toMatchObject({ advice: "Because." });
      expect(pi.extensionErrors).toEqual([]);
    }
  }
});

async function ask(pi: InProcess, origin: Origin, n = 1): Promise<void> {
  const { exec } = pi.faux;
  exec.handle.setResponses([]);
  if (origin === "executor") exec.script([fauxCall("angel", { question: `Is it so, ${n}?` })]);
  if (origin === "error") exec.script([fauxCall("flaky", { n }), fauxCall("flaky", { n })]);
  if (origin !== "human") exec.script([fauxSay("Noted.")]);
  await pi.session.prompt(origin === "human" ? `/angel Is it so, ${n}?` : `work ${n}`);
}

/** What a companion is told, as it comes. */
function listen(onAsked: () => void) {
  const events: EngineEvent[] = [];
  const watch = createWatch();
  const { extension } = mountCompanion({
    name: "probe",
    on: (event) => {
      events.push(event);
      if (event.type === "asked") onAsked();
      watch.changed();
    },
  });
  return {
    extension,
    ofType: (type: EngineEvent["type"], count: number) =>
      watch.until(
        () => {
          const found = events.filter((event) => event.type === type);
          return found.length >= count ? found : undefined;
        },
        () => `${count} times ${type} was not heard; heard: ${events.map((event) => event.type)}`,
      ),
  };
}
