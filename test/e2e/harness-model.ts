// Scripted models on loopback for other coding agents: the Responses API, Gemini's API and chat completions.
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** One tool call that the model makes. `freeform`: its whole input is a text. `namespace`: of its name, in the Responses API. */
export interface ModelCall {
  name: string;
  args: Record<string, unknown>;
  freeform?: string;
  namespace?: string;
}

export type Protocol = 'responses' | 'gemini' | 'chat';

export interface HarnessModel {
  url: string;
  /** Bodies of all requests. */
  requests: string[];
  close(): Promise<void>;
}

const json = (value: unknown): string => JSON.stringify(value);
const event = (value: unknown): string => `data: ${json(value)}\n\n`;

/** The reply to a request: the call with this number, or the end of the turn. */
const replies: Readonly<Record<Protocol, (call: ModelCall | undefined, at: number, body: string) => string>> = {
  responses(call, at) {
    const id = { id: `item_${at}`, call_id: `call_${at}` };
    const item =
      call === undefined
        ? { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }
        : call.freeform === undefined
          ? { type: 'function_call', name: call.name, namespace: call.namespace, arguments: json(call.args), ...id }
          : { type: 'custom_tool_call', name: call.name, input: call.freeform, ...id };
    const usage = { input_tokens: 1, input_tokens_details: null, output_tokens: 1, output_tokens_details: null, total_tokens: 2 };
    return [
      { type: 'response.created', response: { id: `r${at}` } },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { id: `r${at}`, usage } },
    ]
      .map((one) => `event: ${one.type}\n${event(one)}`)
      .join('');
  },
  gemini(call) {
    const parts = call === undefined ? [{ text: 'done' }] : [{ functionCall: { name: call.name, args: call.args } }];
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    return event({ candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }], usageMetadata });
  },
  chat(call, at, body) {
    const id = { index: 0, id: `c${at}`, type: 'function' };
    const calls = call === undefined ? [] : [{ ...id, function: { name: call.name, arguments: json(call.args) } }];
    const said = call === undefined ? { role: 'assistant', content: 'done' } : { role: 'assistant', tool_calls: calls };
    const end = call === undefined ? 'stop' : 'tool_calls';
    const base = { id: 'x', created: 1, model: 'm', usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
    if (!/"stream":\s*true/.test(body))
      return json({
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message: { content: null, ...said }, finish_reason: end }],
      });
    const chunk = { ...base, object: 'chat.completion.chunk' };
    return `${event({ ...chunk, choices: [{ index: 0, delta: said, finish_reason: null }] })}${event({
      ...chunk,
      choices: [{ index: 0, delta: {}, finish_reason: end }],
    })}data: [DONE]\n\n`;
  },
};

/** A request for the next step of the agent. Others ask for a title, a list of models or the number of tokens. */
const asksForStep: Readonly<Record<Protocol, (url: string, body: string) => boolean>> = {
  responses: (url) => url.includes('/responses'),
  gemini: (url, body) => url.includes('streamGenerateContent') && body.includes('functionDeclarations'),
  chat: (url, body) => url.includes('/chat/completions') && (JSON.parse(body) as { tools?: unknown[] }).tools !== undefined,
};

export async function startHarnessModel(protocol: Protocol, script: readonly ModelCall[]): Promise<HarnessModel> {
  const requests: string[] = [];
  let at = 0;
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      requests.push(body);
      const isStep = asksForStep[protocol](request.url ?? '', body);
      const call = isStep ? script[at] : undefined;
      if (isStep) at++;
      const isOther = request.method !== 'POST' || /countTokens/.test(request.url ?? '');
      const reply = isOther ? '{"object":"list","data":[],"totalTokens":1}' : replies[protocol](call, at, body);
      response.writeHead(200, { 'content-type': reply.startsWith('{') ? 'application/json' : 'text/event-stream' });
      response.end(reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
