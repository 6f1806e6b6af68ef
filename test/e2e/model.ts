// A scripted model on loopback: it speaks the streaming Messages API and answers each request with the next turn of a script.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One block of an answer. A tool call without an `id` gets one. */
export type Block = { type: 'text'; text: string } | { type: 'tool_use'; name: string; input: unknown; id?: string };

/** What the client sent; only the parts that tests look at are typed. */
export interface ModelRequest {
  model: string;
  system?: unknown;
  messages: { role: string; content: unknown }[];
  tools?: { name: string; description?: string; input_schema?: { properties?: Record<string, unknown> } }[];
  stream?: boolean;
}

/** A scripted answer: the blocks, or a function that makes them from the request (it may wait, e.g. to kill a process first). */
export type Turn = Block[] | ((request: ModelRequest) => Block[] | Promise<Block[]>);

export interface Model {
  url: string;
  /** Every Messages request so far, in order, those without tools (titles, summaries) included. */
  requests: ModelRequest[];
  /** Errors thrown by turn functions; a test that ignores them would pass for the wrong reason, so `session` rethrows the first. */
  errors: unknown[];
  close(): Promise<void>;
}

/** A tool call as the only block of a turn. */
export const use = (name: string, input: unknown): Block[] => [{ type: 'tool_use', name, input }];
/** A text as the only block of a turn; it ends the model's turn. */
export const say = (text: string): Block[] => [{ type: 'text', text }];
export const bash = (command: string, more: Record<string, unknown> = {}): Block[] =>
  use('Bash', { command, description: 'scripted', ...more });
/** A call of one of the plugin's own MCP tools. */
export const mcp = (tool: string, input: Record<string, unknown> = {}): Block[] => use(`mcp__plugin_modes_modes__${tool}`, input);

/** All the text of a request (system prompt and messages), for looking up what the model was told. */
export const textOf = (request: ModelRequest): string => JSON.stringify([request.system ?? '', request.messages]);

const ERROR_BODY = JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'not scripted' } });

async function readBody(request: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

const messageOf = (model: string, content: Block[], id: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  model,
  content,
  stop_reason: stopOf(content),
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
});

const stopOf = (content: Block[]) => (content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn');

function stream(response: http.ServerResponse, model: string, content: Block[], id: string): void {
  const event = (type: string, data: object) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  event('message_start', {
    message: { ...messageOf(model, [], id), stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } },
  });
  content.forEach((block, index) => {
    if (block.type === 'text') {
      event('content_block_start', { index, content_block: { type: 'text', text: '' } });
      event('content_block_delta', { index, delta: { type: 'text_delta', text: block.text } });
    } else {
      event('content_block_start', { index, content_block: { type: 'tool_use', id: block.id, name: block.name, input: {} } });
      event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } });
    }
    event('content_block_stop', { index });
  });
  event('message_delta', { delta: { stop_reason: stopOf(content), stop_sequence: null }, usage: { output_tokens: 5 } });
  event('message_stop', {});
  response.end();
}

/**
 * Starts the model on a free loopback port.
 * @param turns answers for the requests that carry tools, in order; when they run out the model says "done".
 * @param agent answers for requests of subagents; told apart by their header-free first message, so a script names its agents' prompts.
 * @param aside answer to requests without tools, in one piece if the request asks for no stream.
 */
export async function startModel(turns: Turn[], agents: { prompt: string; turns: Turn[] }[] = [], aside = 'ok'): Promise<Model> {
  const requests: ModelRequest[] = [];
  const errors: unknown[] = [];
  const queues = [{ prompt: '', turns: [...turns] }, ...agents.map((agent) => ({ ...agent, turns: [...agent.turns] }))];
  let served = 0;

  async function answer(request: ModelRequest): Promise<Block[]> {
    if (!request.tools?.length) return say(aside);
    const first = JSON.stringify(request.messages[0] ?? '');
    const queue = queues.find(({ prompt }) => prompt !== '' && first.includes(prompt)) ?? queues[0]!;
    const turn = queue.turns.shift();
    if (turn === undefined) return say('done');
    return typeof turn === 'function' ? await turn(request) : turn;
  }

  const server = http.createServer((request, response) => {
    void (async () => {
      const text = await readBody(request);
      const json = { 'content-type': 'application/json' };
      if (!request.url?.startsWith('/v1/messages')) return response.writeHead(404, json).end(ERROR_BODY);
      if (request.url.includes('count_tokens')) return response.writeHead(200, json).end('{"input_tokens":10}');
      const body = JSON.parse(text) as ModelRequest;
      requests.push(body);
      const number = ++served;
      const content = (await answer(body)).map((block, index) =>
        block.type === 'tool_use' ? { id: `toolu_${number}_${index}`, ...block } : block,
      );
      if (body.stream) stream(response, body.model, content, `msg_${number}`);
      else response.writeHead(200, json).end(JSON.stringify(messageOf(body.model, content, `msg_${number}`)));
    })().catch((error: unknown) => {
      errors.push(error);
      response.writeHead(400, { 'content-type': 'application/json' }).end(ERROR_BODY);
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    errors,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
