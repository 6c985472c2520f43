// A model that thinks for zero time, and writes down when each request arrived and how large it was.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Arrival {
  /** Milliseconds by `performance.now()`, when the head of the request was there. */
  readonly atMs: number;
  /** When the last byte of the answer was handed over. */
  readonly answeredMs: number;
  readonly bytes: number;
  readonly body: string;
}

export type Reply =
  | { readonly text: string; readonly tokens?: number }
  | { readonly call: string; readonly args: object }
  /** Pieces of text at an even pace. */
  | { readonly pieces: readonly string[]; readonly everyMs: number };

export interface BenchServer extends AsyncDisposable {
  readonly url: string;
  /** Answers the next requests in this order, whoever sends them; resolves when all have been answered. */
  play(replies: readonly Reply[]): Promise<readonly Arrival[]>;
}

export async function startBenchServer(): Promise<BenchServer> {
  let replies: Reply[] = [];
  let arrivals: Arrival[] = [];
  let done = Promise.withResolvers<readonly Arrival[]>();
  let calls = 0;

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const atMs = performance.now();
    const reply = replies.shift();
    if (reply === undefined) {
      response.writeHead(400).end();
      done.reject(new Error(`The bench did not expect a request to ${incoming.url}.`));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    response.writeHead(200, { "content-type": "text/event-stream" });
    calls += 1;
    for await (const line of linesOf(reply, `call_${calls}`)) response.write(line);
    response.end("data: [DONE]\n\n");
    arrivals.push({ atMs, answeredMs: performance.now(), bytes: body.length, body: body.toString("utf8") });
    if (replies.length === 0) done.resolve(arrivals);
  };
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => done.reject(error));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    play(next) {
      replies = [...next];
      arrivals = [];
      done = Promise.withResolvers();
      return done.promise;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function* linesOf(reply: Reply, id: string): AsyncGenerator<string> {
  if ("call" in reply) {
    const call = {
      index: 0,
      id,
      type: "function",
      function: { name: reply.call, arguments: JSON.stringify(reply.args) },
    };
    yield chunk({ delta: { role: "assistant", tool_calls: [call] } });
    yield chunk({ delta: {}, finish_reason: "tool_calls" }, true);
    return;
  }
  const pieces = "text" in reply ? [reply.text] : reply.pieces;
  const startedMs = performance.now();
  for (const [n, text] of pieces.entries()) {
    if ("everyMs" in reply) {
      // By the clock, so that a late timer does not slow the stream down.
      const waitMs = startedMs + n * reply.everyMs - performance.now();
      if (waitMs > 0) await new Promise((later) => setTimeout(later, waitMs));
    }
    yield chunk({ delta: { role: "assistant", content: text } });
  }
  yield chunk({ delta: {}, finish_reason: "stop" }, true);
}

function chunk(choice: object, isLast = false): string {
  const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
  const body = {
    id: "bench",
    object: "chat.completion.chunk",
    created: 0,
    model: "bench",
    choices: [{ index: 0, finish_reason: null, ...choice }],
    ...(isLast ? { usage } : {}),
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}
