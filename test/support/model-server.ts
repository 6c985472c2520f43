/**
 * A scripted chat-completions server on 127.0.0.1. Every model id has its own script; each request of that
 * model takes the next step. It is as strict as real providers about calls and their results, and it
 * remembers whatever a test did not foresee: `unexpected` and `violations` are asserted to be empty.
 */

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { ChatRequest } from "./chat-request.ts";
import { adjacencyViolation } from "./chat-request.ts";
import { play } from "./play.ts";
import type { Answer } from "./steps.ts";
import { status } from "./steps.ts";
import { createWatch } from "./watch.ts";

type Step = Answer | ((request: LoggedRequest) => Answer | Promise<Answer>);

export interface LoggedRequest {
  /** Counts the requests of this model from 1. */
  readonly n: number;
  readonly model: string;
  readonly body: ChatRequest;
  /** The body as it came: what a model was never to see can be searched for here. */
  readonly raw: string;
  readonly rawBytes: number;
  readonly headers: IncomingHttpHeaders;
  readonly receivedAt: number;
  /** The client went away before the answer was complete. */
  readonly closedEarly: boolean;
  /** The answer is finished or the connection closed. */
  readonly done: Promise<void>;
}

export interface ModelServer extends AsyncDisposable {
  /** What models.json calls `baseUrl`. */
  readonly url: string;
  /** Requests that no step was left for, in words. */
  readonly unexpected: readonly string[];
  /** Requests whose calls and results did not match, in words. */
  readonly violations: readonly string[];
  /** Adds steps to the model's script. */
  script(model: string, steps: readonly Step[]): void;
  requests(model: string): readonly LoggedRequest[];
  /** The n-th request of the model, when it has arrived; without `n` the first that was not yet asked for. */
  nextRequest(model: string, n?: number, limitMs?: number): Promise<LoggedRequest>;
  /** How many steps of all scripts no request has taken yet. */
  pending(): number;
  close(): Promise<void>;
}

export async function startModelServer(): Promise<ModelServer> {
  const scripts = new Map<string, Step[]>();
  const logs = new Map<string, LoggedRequest[]>();
  const askedFor = new Map<string, number>();
  const unexpected: string[] = [];
  const violations: string[] = [];
  const watch = createWatch();
  let isClosing = false;

  const requests = (model: string) => logs.get(model) ?? [];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const raw = await text(incoming);
    const body: ChatRequest = JSON.parse(raw);
    const { model } = body;
    const log = requests(model);
    const n = log.length + 1;
    const ending = observeEnd(response, () => isClosing);
    const request: LoggedRequest = {
      n,
      model,
      body,
      raw,
      rawBytes: Buffer.byteLength(raw),
      headers: incoming.headers,
      receivedAt: Date.now(),
      get closedEarly() {
        return ending.closedByClient;
      },
      done: ending.closed,
    };
    logs.set(model, [...log, request]);
    watch.changed();
    await play(await nextAnswer(request), { response, closed: ending.closed, cut: ending.cut, model, n });
  }

  async function nextAnswer(request: LoggedRequest): Promise<Answer> {
    const { model, n } = request;
    const violation = adjacencyViolation(request.body.messages);
    if (violation !== undefined) return refuse(violations, `request ${n} of model ${model}: ${violation}`);
    const step = scripts.get(model)?.shift();
    if (step === undefined) return refuse(unexpected, `script of model ${model} is used up at request ${n}`);
    if (typeof step !== "function") return step;
    try {
      return await step(request);
    } catch (error) {
      return refuse(unexpected, `the step for request ${n} of model ${model} failed: ${error}`);
    }
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      unexpected.push(`${incoming.method} ${incoming.url}: ${error}`);
      response.destroy();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    isClosing = true;
    watch.ended("the model server is closed");
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  return {
    url: `http://127.0.0.1:${port}/v1`,
    unexpected,
    violations,
    script(model, steps) {
      scripts.set(model, [...(scripts.get(model) ?? []), ...steps]);
    },
    requests,
    nextRequest(model, n = (askedFor.get(model) ?? 0) + 1, limitMs) {
      askedFor.set(model, Math.max(n, askedFor.get(model) ?? 0));
      const missing = () => `request ${n} of model ${model} did not arrive; what arrived: ${arrived(logs)}`;
      return watch.until(() => requests(model)[n - 1], missing, limitMs);
    },
    pending: () => [...scripts.values()].reduce((sum, steps) => sum + steps.length, 0),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Pi does not retry a 400, so the mistake ends the run instead of hiding in it. */
function refuse(book: string[], message: string): Answer {
  book.push(message);
  return status(400, { body: { error: { message, type: "invalid_request_error" } } });
}

/** A response that closes before it is finished was closed by the client, unless this side broke it off. */
function observeEnd(response: ServerResponse, isServerClosing: () => boolean) {
  let isCut = false;
  const ending = {
    closedByClient: false,
    cut() {
      isCut = true;
      response.destroy();
    },
    closed: new Promise<void>((resolve) => {
      response.once("close", () => {
        ending.closedByClient = !response.writableFinished && !isCut && !isServerClosing();
        resolve();
      });
    }),
  };
  return ending;
}

function arrived(logs: ReadonlyMap<string, readonly LoggedRequest[]>): string {
  const counts = [...logs].map(([model, log]) => `${model} ${log.length}`);
  return counts.join(", ") || "nothing";
}
