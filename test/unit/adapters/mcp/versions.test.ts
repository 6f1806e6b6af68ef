// Every version of the protocol that the SDK speaks, and the probe of the one that it does not: one server, asked again and again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { LATEST_PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject } from '../../../support/project.ts';

interface Answer {
  id: number | string | null;
  result?: {
    protocolVersion?: string;
    capabilities?: object;
    serverInfo?: { name: string };
    tools?: unknown[];
    isError?: boolean;
  };
  error?: { code: number };
}

test('the probe is answered, and each requested protocol version is used', { timeout: 120_000 }, async () => {
  const project = makeProject();
  const plugin = await builtPlugin();
  const child = spawn(process.execPath, [path.join(plugin, 'dist/server.mjs')], {
    cwd: project.root,
    env: project.env({ CLAUDE_PLUGIN_ROOT: plugin }),
  });
  const ended = once(child, 'exit');
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (id: number | string, method: string, params: object = {}): Promise<Answer> => {
    say({ id, method, params });
    const { value } = await lines.next();
    return JSON.parse(value as string) as Answer;
  };
  const clientInfo = { name: 'client', version: '1' };
  const begin = (id: number, protocolVersion: string) => ask(id, 'initialize', { protocolVersion, capabilities: {}, clientInfo });
  try {
    // A client of 2026-07-28 asks first so; without that method the server is one of before, and the client goes on as before.
    const probe = await ask('discover-1', 'server/discover', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': clientInfo },
    });
    expect(probe).toMatchObject({ id: 'discover-1', error: { code: -32601 } });
    expect(SUPPORTED_PROTOCOL_VERSIONS).toEqual(expect.arrayContaining(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']));
    for (const [at, version] of [...SUPPORTED_PROTOCOL_VERSIONS].reverse().entries()) {
      expect((await begin(10 * at, version)).result).toMatchObject({
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: { name: 'modes' },
      });
      say({ method: 'notifications/initialized' });
      const listed = (await ask(10 * at + 1, 'tools/list')).result?.tools ?? [];
      expect([version, listed.length > 5]).toEqual([version, true]);
      const called = await ask(10 * at + 2, 'tools/call', { name: 'status', arguments: {} });
      expect([version, called.result?.isError ?? false]).toEqual([version, false]);
    }
    // One that is not known: the newest that is.
    for (const version of ['2026-07-28', '1999-01-01', ''])
      expect((await begin(1000, version)).result?.protocolVersion).toBe(LATEST_PROTOCOL_VERSION);
    // What is no request of any version is answered as such, and the pipe stays.
    expect(await ask(1001, 'sampling/never')).toMatchObject({ id: 1001, error: { code: -32601 } });
    expect(await ask(1002, 'tools/call', { name: 'nothing' })).toMatchObject({ id: 1002, error: { code: -32602 } });
    expect(await ask(1003, 'ping')).toMatchObject({ id: 1003, result: {} });
  } finally {
    child.stdin.end();
    await ended;
  }
});
