/**
 * Plays one step on one HTTP response, act by act, as server-sent events. Every wait inside it ends when the
 * client goes away, so a held or stalled step never outlives its request.
 */

import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Act, Answer, Tokens } from "./steps.ts";

export interface Stage {
  readonly response: ServerResponse;
  /** Resolves when the response is over, whoever ended it. */
  readonly closed: Promise<void>;
  /** Breaks the connection off. */
  cut(): void;
  readonly model: string;
  /** The number of the request among those of its model; call ids are made from it. */
  readonly n: number;
}

export async function play(answer: Answer, stage: Stage): Promise<void> {
  for (const act of answer.acts) {
    if (stage.response.destroyed) return;
    await perform(act, answer.tokens, stage);
  }
  if (!stage.response.destroyed) stage.response.end();
}

async function perform(act: Act, tokens: Tokens | undefined, stage: Stage): Promise<void> {
  const { response, closed } = stage;
  switch (act.kind) {
    case "text":
      return sendDelta(stage, { content: act.text });
    case "thinking":
      return sendDelta(stage, { reasoning_content: act.text });
    case "call": {
      const id = act.id ?? `${stage.model}_${stage.n}_${act.index}`;
      const opened = { index: act.index, id, type: "function", function: { name: act.name, arguments: "" } };
      return sendDelta(stage, { tool_calls: [opened] });
    }
    case "arguments":
      return sendDelta(stage, { tool_calls: [{ index: act.index, function: { arguments: act.json } }] });
    case "finish":
      sendChunk(stage, { choices: [{ index: 0, delta: {}, finish_reason: act.reason }] });
      if (tokens !== undefined) sendChunk(stage, { choices: [], usage: onTheWire(tokens) });
      return send(response, "data: [DONE]\n\n");
    case "status": {
      const isText = typeof act.body === "string";
      response.writeHead(act.code, {
        "content-type": isText ? "text/plain" : "application/json",
        ...act.headers,
      });
      response.end(isText ? act.body : JSON.stringify(act.body));
      return;
    }
    case "raw":
      return send(response, act.text);
    case "pause":
      await Promise.race([sleep(act.ms), closed]);
      return;
    case "hold":
      await Promise.race([act.until, closed]);
      return;
    case "silence":
      startStream(response);
      response.flushHeaders();
      return closed;
    case "cut":
      return cutOff(stage);
    default:
      act satisfies never;
  }
}

function sendDelta(stage: Stage, delta: object): void {
  sendChunk(stage, { choices: [{ index: 0, delta, finish_reason: null }] });
}

function sendChunk({ response, model, n }: Stage, chunk: object): void {
  const head = { id: `chatcmpl-${model}-${n}`, object: "chat.completion.chunk", created: 0, model };
  send(response, `data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
}

function send(response: ServerResponse, text: string): void {
  startStream(response);
  response.write(text);
}

function startStream(response: ServerResponse): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
}

/** Lets what was written reach the client first: a socket that is destroyed at once takes it along. */
async function cutOff({ response, closed, cut }: Stage): Promise<void> {
  await Promise.race([new Promise<void>((flushed) => response.write(":\n\n", () => flushed())), closed]);
  cut();
  return closed;
}

function onTheWire(tokens: Tokens) {
  return {
    prompt_tokens: tokens.in + tokens.cached,
    completion_tokens: tokens.out,
    total_tokens: tokens.in + tokens.cached + tokens.out,
    prompt_tokens_details: { cached_tokens: tokens.cached },
  };
}
