// A test's own HTTP entry: sessions of Streamable HTTP, and behind them the built server on its pipe, message by message.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import readline from 'node:readline';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/sdk/types.js';

export interface Entry {
  url: string;
  close(): Promise<void>;
}

/** Serves the plugin of this folder, in this project, on a port of the loopback. All sessions are one client's to the server. */
export async function serveOverHttp(plugin: string, project: string, env: NodeJS.ProcessEnv): Promise<Entry> {
  const child = spawn(process.execPath, [path.join(plugin, 'dist/server.mjs')], {
    cwd: project,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  /** By the number that the server knows a request by. */
  const asked = new Map<number, { transport: StreamableHTTPServerTransport; id: RequestId }>();
  let last = 0;
  let hosts: string[] = [];

  const say = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  readline.createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as JSONRPCMessage;
    const by = 'id' in message && !('method' in message) ? asked.get(Number(message.id)) : undefined;
    if (by !== undefined) void by.transport.send({ ...message, id: by.id } as JSONRPCMessage);
  });

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableDnsRebindingProtection: true,
      allowedHosts: hosts,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    transport.onmessage = (message) => {
      if (!('id' in message) || !('method' in message)) return say(message);
      last += 1;
      asked.set(last, { transport, id: message.id });
      say({ ...message, id: last });
    };
    await transport.start();
    return transport;
  }

  async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString('utf8');
    const body = text === '' ? undefined : (JSON.parse(text) as unknown);
    const known = sessions.get(String(request.headers['mcp-session-id']));
    const transport = known ?? (isInitializeRequest(body) ? await begin() : null);
    if (transport === null) response.writeHead(404).end();
    else await transport.handleRequest(request, response, body);
  }

  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
