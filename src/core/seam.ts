// The seam that companions stand on: what the engine offers them and what they may be. Types only, and the one
// name of the channel: each extension entry has modules of its own, so nothing but plain objects crosses it.

import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@mariozechner/pi-coding-agent";
import type { Outcome } from "./outcome.ts";
import type { ConsultationRecord, PlainFacts } from "./record.ts";
import type { ThinkingLevel } from "./settings.ts";
import type { UsageReport } from "./usage.ts";

/** On `pi.events`: an EngineCall is emitted, and `receive` is called before `emit` returns. */
export const ENGINE_CHANNEL = "angel:engine";

export interface EngineCall {
  readonly version: 1;
  receive(engine: AngelEngine): void;
}

export interface AngelEngine {
  readonly version: 1;
  /** @returns what unmounts it. @throws Error when a companion of that name is mounted, or it has no proper form */
  mount(companion: Companion): () => void;
  /** Says why a companion that is switched on does not run; Angel is unusable meanwhile, with that sentence. */
  absent(name: string, reason: string): void;
  /** Never rejects: whatever goes wrong is an outcome. */
  consult(request: CompanionRequest): Promise<SettledConsultation>;
  /** @returns whether a consultation of that id ran or waited; the reason is its outcome's */
  cancel(consultationId: string, reason: string): boolean;
  /** Exactly what `/angel on` and `/angel off` do. */
  setControl(isOn: boolean, ctx: ExtensionContext): Promise<void>;
  /** Asks every companion anew whether Angel may be used. */
  refresh(ctx: ExtensionContext): Promise<void>;
  status(ctx: ExtensionContext): Promise<EngineStatus>;
}

/** All members but the name are optional. What one throws never lets through what it was to hold back. */
export interface Companion {
  /** Its key under `angel.companions`. */
  readonly name: string;
  /** Its line in `/angel status`. */
  describe?(): string;
  /** A sentence: Angel cannot be used now. Asked at session start, model changes, prompts, consultations and refresh. */
  unavailable?(): string | undefined;
  /** Before the pin, for every origin; refuses the consultation or adds to it. */
  before?(
    request: RequestView,
    ctx: ExtensionContext,
    signal: AbortSignal,
  ): Verdict | undefined | Promise<Verdict | undefined>;
  /** Rewrites a text of the parent session before it is searched, quoted or cut. */
  evidence?(text: string, where: EvidencePlace): string | Promise<string>;
  /** Why a file must not be shown to the advisor, for the tools of all companions; undefined when it may. */
  refusesPath?(path: string): string | undefined | Promise<string | undefined>;
  /** What it brings into the session of this consultation's advisor. */
  child?(request: RequestView, home: ChildView): ChildExtension | undefined;
  /** Frozen copies. A throw is reported and changes nothing. */
  on?(event: EngineEvent): void;
  /** Facts of its own for the consultation's record, such as counts; asked once, when it settles. */
  record?(consultationId: string): PlainFacts | undefined;
}

export type Verdict =
  | { readonly refuse: string }
  | {
      /** Goes to what the asker added. */
      readonly context?: string;
      /** Goes to the end of the advisor's instructions. */
      readonly instructions?: string;
      readonly advisor?: AdvisorWish;
    };

export interface AdvisorWish {
  /** `provider/id` */
  readonly model?: string;
  readonly thinking?: ThinkingLevel;
}

export interface EvidencePlace {
  readonly tool: "parent_session";
  readonly entryId: string;
  /** As parent_session calls it: "text", "command", "output", "summary", "argument path", "fault". */
  readonly part: string;
}

export interface ChildExtension {
  /** For messages about it. */
  readonly name: string;
  /** Offered to the advisor; one that bears the name of another takes its place. */
  // biome-ignore lint/suspicious/noExplicitAny: Pi's own tool lists are typed so; a tool's parameters are contravariant
  readonly tools?: readonly ToolDefinition<any, any>[];
  /** Loaded inline behind the user's extensions. An error of it ends the consultation. */
  readonly factory?: (pi: ExtensionAPI) => void | Promise<void>;
}

/** Where the advisor works, and what it must not be shown. */
export interface ChildView {
  readonly cwd: string;
  readonly isProjectTrusted: boolean;
  /** The folder that holds parent and child, absolute. */
  readonly sessionDir: string;
  /** Why a file must not be read, by Angel's own rules or a companion's; undefined when it may. */
  refusesPath(path: string): Promise<string | undefined>;
}

export interface RequestView {
  readonly consultationId: string;
  readonly origin: string;
  readonly question?: string;
  readonly context?: string;
  readonly toolCallIds: readonly string[];
  readonly advisor: { readonly model: string; readonly thinking: string };
  /** ISO 8601. */
  readonly asked: string;
}

export interface CompanionRequest {
  /** A word of its own, such as "review"; never executor, human or error. */
  readonly origin: string;
  readonly question: string;
  readonly context?: string;
  /** What this origin asks of the advisor, behind the instructions that every advisor has. */
  readonly instructions: string;
  readonly ctx: ExtensionContext;
  readonly signal?: AbortSignal;
  /** now: the caller stands at a safe boundary, and it goes ahead of what waits. background: it gives way to anything else. */
  readonly lane: "now" | "background";
  /** advice: also as an angel-advice message, which starts no turn; a failure as a report. */
  readonly deliver: "return" | "advice";
  /** Whether the user asked for it just now; otherwise `/angel off` forbids it. */
  readonly isAskedByUser?: boolean;
  /** For this consultation only. */
  readonly child?: readonly ChildExtension[];
}

export interface SettledConsultation {
  readonly outcome: Outcome;
  readonly record: ConsultationRecord;
}

export type EngineEvent =
  | { readonly type: "asked" | "waiting"; readonly consultationId: string; readonly origin: string }
  | { readonly type: "refused"; readonly request: RequestView; readonly by: string; readonly reason: string }
  | {
      readonly type: "started";
      readonly request: RequestView;
      readonly childSessionId: string;
      readonly childSessionFile?: string;
    }
  /** At the end of each message of the advisor. */
  | {
      readonly type: "progress";
      readonly consultationId: string;
      readonly toolCount: number;
      readonly usage: UsageReport;
    }
  | { readonly type: "settled"; readonly record: ConsultationRecord; readonly advice?: string };

export interface EngineStatus {
  readonly control: "on" | "off";
  /** Why Angel cannot be used; absent when it can. */
  readonly unusable?: string;
  /** Ids of consultations. */
  readonly running?: string;
  readonly waiting: readonly string[];
  readonly companions: readonly string[];
}
