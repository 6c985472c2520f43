/**
 * What a scripted model can do with one request: answer, call tools, dawdle, fail. A step is a value, so that
 * a script reads as the list of what the model says. `call` without an id gets `<model>_<request>_<index>`.
 */

/** Tokens as Pi counts them; the wire's `prompt_tokens` is `in` plus `cached`. */
export interface Tokens {
  readonly in: number;
  readonly out: number;
  readonly cached: number;
}

export type Act =
  | { readonly kind: "text" | "thinking"; readonly text: string }
  | { readonly kind: "call"; readonly index: number; readonly name: string; readonly id: string | undefined }
  | { readonly kind: "arguments"; readonly index: number; readonly json: string }
  | { readonly kind: "finish"; readonly reason: string }
  | { readonly kind: "status"; readonly code: number; readonly headers: Headers; readonly body: unknown }
  | { readonly kind: "raw"; readonly text: string }
  | { readonly kind: "pause"; readonly ms: number }
  | { readonly kind: "hold"; readonly until: Promise<void> }
  | { readonly kind: "silence" }
  | { readonly kind: "cut" };

type Headers = Readonly<Record<string, string>>;

const PIECES: ReadonlySet<Act["kind"]> = new Set(["text", "thinking", "call", "arguments"]);

const USUAL_TOKENS: Tokens = { in: 1000, out: 50, cached: 200 };

/** One answer of the model, with the usage that it reports at its end. */
export class Answer {
  readonly acts: readonly Act[];
  /** Undefined when the provider reports no usage. */
  readonly tokens: Tokens | undefined;

  constructor(acts: readonly Act[], like: Pick<Answer, "tokens"> = { tokens: USUAL_TOKENS }) {
    this.acts = acts;
    this.tokens = like.tokens;
  }

  usage(tokens: Partial<Tokens>): Answer {
    return new Answer(this.acts, { tokens: { in: 0, out: 0, cached: 0, ...tokens } });
  }

  noUsage(): Answer {
    return new Answer(this.acts, { tokens: undefined });
  }
}

export function say(text: string): Answer {
  return new Answer([...saying(text), finish("stop")]);
}

export interface CallOptions {
  readonly id?: string;
  /** In how many pieces the arguments are streamed. */
  readonly pieces?: number;
}

export function call(name: string, args: object, options: CallOptions = {}): Answer {
  const json = cutIntoPieces(JSON.stringify(args), options.pieces ?? 1);
  return new Answer([...calling(name, json, options.id), finish("tool_calls")]);
}

/** Several calls in one message. */
export function calls(singleCalls: readonly Answer[]): Answer {
  const acts = singleCalls.flatMap((answer, index) =>
    answer.acts.flatMap((act) =>
      act.kind === "call" || act.kind === "arguments" ? [{ ...act, index }] : [],
    ),
  );
  return new Answer([...acts, finish("tool_calls")]);
}

export function sayThenCall(text: string, name: string, args: object, options: CallOptions = {}): Answer {
  return new Answer([...saying(text), ...call(name, args, options).acts]);
}

/** Reasoning, then the answer; without an answer the model stops after having only thought. */
export function think(text: string, then: Answer = empty()): Answer {
  return new Answer([{ kind: "thinking", text }, ...then.acts], then);
}

/** A slow answer: pauses before each piece. */
export function drip(
  text: string | readonly string[],
  options: { readonly pauseMs?: number; readonly pieces?: number } = {},
): Answer {
  const pieces = typeof text === "string" ? cutIntoPieces(text, options.pieces ?? 5) : text;
  const pause: Act = { kind: "pause", ms: options.pauseMs ?? 20 };
  return new Answer([...pieces.flatMap((piece) => [pause, ...saying(piece)]), finish("stop")]);
}

/** Headers, perhaps half a sentence, then nothing until the client goes away. */
export function stall(options: { readonly after?: string } = {}): Answer {
  return new Answer([...saying(options.after ?? ""), { kind: "silence" }]);
}

/**
 * Holds an answer until the test opens it: before anything is sent, or `after` so many streamed pieces (the
 * name of a call is one). If the client goes away meanwhile, the held step is over.
 */
export function gate(answer: Answer, options: { readonly after?: number } = {}): Answer & { open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const pieces = answer.acts.flatMap((act, index) => (PIECES.has(act.kind) ? [index + 1] : []));
  const place = [0, ...pieces][options.after ?? 0] ?? answer.acts.length;
  const acts = answer.acts.toSpliced(place, 0, { kind: "hold", until: promise });
  return Object.assign(new Answer(acts, answer), { open: () => resolve() });
}

export function status(
  code: number,
  options: { readonly body?: unknown; readonly headers?: Headers } = {},
): Answer {
  const body = options.body ?? { error: { message: `scripted status ${code}`, type: "scripted", code } };
  return new Answer([{ kind: "status", code, headers: options.headers ?? {}, body }]);
}

/** The connection breaks in the middle of the answer. */
export function cut(text: string): Answer {
  return new Answer([...saying(text), { kind: "cut" }]);
}

/** The output limit ends the answer. */
export function limit(text: string): Answer {
  return new Answer([...saying(text), finish("length")]);
}

/** The output limit ends the answer inside the arguments of a call. */
export function limitCall(name: string, partialJsonArgs: string): Answer {
  return new Answer([...calling(name, [partialJsonArgs], undefined), finish("length")]);
}

export function filtered(text: string): Answer {
  return new Answer([...saying(text), finish("content_filter")]);
}

export function garbage(): Answer {
  return new Answer([{ kind: "raw", text: "data: {this is not JSON\n\n" }]);
}

/** Stops without a word. */
export function empty(): Answer {
  return new Answer([finish("stop")]);
}

function saying(text: string): Act[] {
  return [{ kind: "text", text }];
}

function calling(name: string, json: readonly string[], id: string | undefined): Act[] {
  const pieces = json.map((piece): Act => ({ kind: "arguments", index: 0, json: piece }));
  return [{ kind: "call", index: 0, name, id }, ...pieces];
}

function finish(reason: string): Act {
  return { kind: "finish", reason };
}

function cutIntoPieces(text: string, count: number): string[] {
  const length = Math.max(1, Math.ceil(text.length / count));
  return Array.from({ length: Math.ceil(text.length / length) }, (_, i) =>
    text.slice(i * length, (i + 1) * length),
  );
}
