// A folder with a socket, fixed answers, and requests to it.

import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { type Answers, SocketKeeper, socketName } from '../../src/adapters/socket/socket.ts';
import { afterTest } from './cleanup.ts';
import { temporaryFolder } from './files.ts';

export interface Got {
  code: number;
  text: string;
  headers: http.IncomingHttpHeaders;
  /** True when the server asked for the body of a request that expects to be asked. */
  continued: boolean;
}

export interface Asked {
  event: string;
  explain: boolean;
  entrypoint: string | null;
}

export { afterTest };

export function makeFolder(name = 'project/.claude'): string {
  const top = temporaryFolder('modes-socket-');
  afterTest(() => fs.rmSync(top, { recursive: true, force: true }));
  fs.mkdirSync(path.join(top, name), { recursive: true });
  return path.join(top, name);
}

/** Connects as the hook client does: relative to the folder, since long paths are cut. */
export function within<T>(folder: string, act: () => T): T {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return act();
  } finally {
    process.chdir(before);
  }
}

/** Answers of a server that has `name`; what it was asked is kept in `asked`. */
export function answers(name = 'first', changes: Partial<Answers> = {}): Answers & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    build: 'build-1',
    ready: async () => undefined,
    checkTool(event, { explain, entrypoint }) {
      asked.push({ event, explain, entrypoint });
      try {
        JSON.parse(event);
      } catch {
        return null;
      }
      return `{"by":"${name}"}`;
    },
    tooLarge: () => '{"too":"large"}',
    context: (event) => `{"context":"${event}"}`,
    status: () => '{"status":true}',
    health: () => `{"health":"${name}"}`,
    ...changes,
  };
}

export async function keep(folder: string, given: Answers = answers()): Promise<{ keeper: SocketKeeper; troubles: string[] }> {
  const troubles: string[] = [];
  const keeper = new SocketKeeper(folder, given, (message) => void troubles.push(message));
  afterTest(() => keeper.stop());
  await keeper.start();
  return { keeper, troubles };
}

export function ask(
  folder: string,
  method: string,
  url: string,
  options: { headers?: http.OutgoingHttpHeaders; body?: string | Buffer; agent?: http.Agent } = {},
): Promise<Got> {
  const { headers = {}, body = '', agent } = options;
  return new Promise((resolve, reject) => {
    let continued = false;
    const request = within(folder, () =>
      http.request({ socketPath: socketName, method, path: url, headers, agent: agent ?? false }),
    );
    request.on('continue', () => {
      continued = true;
      request.end(body);
    });
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        resolve({ code: response.statusCode as number, text, headers: response.headers, continued });
        request.destroy();
      });
    });
    request.on('error', reject);
    if (headers.expect === undefined) request.end(body);
    else request.flushHeaders();
  });
}

/** Sends bytes as they are and gives everything that comes back until the server closes or answers. */
export function raw(folder: string, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = within(folder, () => net.connect(socketName));
    let got = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => {
      got += chunk;
      socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(got));
    socket.on('connect', () => socket.write(text));
  });
}
