// A scripted model server on loopback. It drives the client without an account.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ToolUse {
  name: string;
  input: Record<string, unknown>;
}

export interface Script {
  /** Returns the next call, or null to end the session. May take time. Called only after the previous call was answered. */
  next(): Promise<ToolUse | null>;
  /** Receives the result of the previous call. */
  receive(text: string): void;
}

export interface Model {
  url: string;
  close(): Promise<void>;
}

interface Request {
  model?: unknown;
  tools?: unknown[];
  messages?: { content?: unknown }[];
}

/** The client never sends larger requests. */
const maxBytes = 32 * 1024 * 1024;

/** Starts the server on a free port. */
export async function startModel(script: Script): Promise<Model> {
  let count = 0;
  /** Id of the previous call. */
  let callId = '';
  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => refuse(response, 500, String((error as Error).message ?? error)));
  });
  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const text = await readBody(request);
    if (!request.url?.startsWith('/v1/messages')) return refuse(response, 404, 'not scripted');
    if (request.url.includes('count_tokens')) return void response.writeHead(200, json).end('{"input_tokens":1}');
    const body = JSON.parse(text) as Request;
    // Requests for titles and summaries have no tools.
    const isTurn = Array.isArray(body.tools) && body.tools.length > 0;
    const result = isTurn ? resultOf(body, callId) : null;
    if (result !== null) script.receive(result);
    const use = isTurn ? await script.next() : null;
    if (isTurn) callId = `toolu_doctor_${++count}`;
    stream(response, String(body.model ?? ''), use, callId);
  }
  await new Promise<void>((ready, failed) => {
    server.once('error', failed);
    server.listen(0, '127.0.0.1', ready);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

const json = { 'content-type': 'application/json' };

function refuse(response: http.ServerResponse, status: number, message: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, json).end(JSON.stringify({ type: 'error', error: { type: 'not_found_error', message } }));
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) throw new Error('the request is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The client's result of a call; null if there is none yet. */
function resultOf({ messages = [] }: Request, id: string): string | null {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const result = blocks.findLast((block) => block?.type === 'tool_result' && block.tool_use_id === id);
  if (result === undefined) return null;
  return typeof result.content === 'string' ? result.content : JSON.stringify(result.content ?? '');
}

/** One answer as the Messages API streams it. */
function stream(response: http.ServerResponse, model: string, use: ToolUse | null, id: string): void {
  const event = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const block = use === null ? { type: 'text', text: '' } : { type: 'tool_use', id, name: use.name, input: {} };
  const delta =
    use === null ? { type: 'text_delta', text: 'done' } : { type: 'input_json_delta', partial_json: JSON.stringify(use.input) };
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  event('message_start', { message: { ...message, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } } });
  event('content_block_start', { index: 0, content_block: block });
  event('content_block_delta', { index: 0, delta });
  event('content_block_stop', { index: 0 });
  event('message_delta', {
    delta: { stop_reason: use === null ? 'end_turn' : 'tool_use', stop_sequence: null },
    usage: { output_tokens: 1 },
  });
  event('message_stop', {});
  response.end();
}
