// Angel's own entries in a child: the first says which consultation this session is the record of, the notes
// what became of the user's extensions in it.

import type { Consultation } from "../core/consultation.ts";
import type { ChosenExtension } from "../core/extension-choice.ts";
import type { Thinking } from "../core/record.ts";
import type { ChildExtension } from "../core/seam.ts";
import type { Snapshot } from "../core/snapshot.ts";

export const CONSULTATION_ENTRY = "angel-consultation";
export const NOTE_ENTRY = "angel-note";

export interface ChildNote {
  readonly version: 1;
  /** A full sentence. */
  readonly note: string;
}

export interface ChildEntry {
  readonly version: 1;
  readonly consultationId: string;
  readonly origin: string;
  readonly question?: string;
  readonly toolCallIds: readonly string[];
  readonly parentSessionId: string;
  /** Absent when the parent is not saved. */
  readonly parentSessionFile?: string;
  readonly parentLeafId: string | null;
  /** `provider/id` */
  readonly model: string;
  readonly thinking: Thinking;
  /** Names of the user's extensions that this child loads. */
  readonly extensions: readonly string[];
  /** Names of the companions that brought something; absent when none did. */
  readonly companions?: readonly string[];
}

export function childEntry(
  consultation: Consultation,
  snapshot: Snapshot,
  advisor: { readonly name: string; readonly thinking: Thinking },
  extensions: readonly ChosenExtension[],
  companions: readonly ChildExtension[],
): ChildEntry {
  return {
    version: 1,
    consultationId: consultation.id,
    origin: consultation.origin,
    ...(consultation.question === undefined ? {} : { question: consultation.question }),
    toolCallIds: consultation.toolCallIds,
    parentSessionId: snapshot.sessionId,
    ...(snapshot.sessionFile === undefined ? {} : { parentSessionFile: snapshot.sessionFile }),
    parentLeafId: snapshot.leafId,
    model: advisor.name,
    thinking: advisor.thinking,
    extensions: extensions.map(({ name }) => name),
    ...(companions.length > 0 ? { companions: companions.map(({ name }) => name) } : {}),
  };
}
