// modes servers, with real MCP servers as child processes and over HTTP.
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { makeProject, type Project } from '../../../support/project.ts';

const tools = [
  { name: 'get_ticket', annotations: { readOnlyHint: true }, inputSchema: { type: 'object', properties: { id: {} } } },
  {
    name: 'export_ticket',
    annotations: { readOnlyHint: true },
    inputSchema: { type: 'object', properties: { output_path: {} } },
  },
  { name: 'close_ticket', annotations: { readOnlyHint: false }, inputSchema: { type: 'object' } },
  { name: 'search', inputSchema: { type: 'object' } },
];

/** The answer of a server to a request; null for a notification. */
const answerTo = ({ id, method, params }: { id?: number; method: string; params?: { protocolVersion: string } }) => {
  if (id === undefined) return null;
  const result =
    method === 'initialize'
      ? { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'tickets', version: '1' } }
      : { tools };
  return { jsonrpc: '2.0', id, result };
};

/** A server on stdio. It answers only if its variable TOKEN has the value that the entry gives it. */
const program = `
const tools = ${JSON.stringify(tools)};
const answerTo = ${answerTo.toString()};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const answer = answerTo(JSON.parse(line));
  if (answer !== null && process.env.TOKEN === 'secret' && process.argv[2] === 'one') console.log(JSON.stringify(answer));
});`;

function withServers(mcpServers: Record<string, unknown>): Project {
  const project = makeProject({});
  project.put('server.cjs', program);
  project.put('.mcp.json', JSON.stringify({ mcpServers }));
  return project;
}

const tickets = { command: process.execPath, args: ['server.cjs', '${ARGUMENT:-one}'], env: { TOKEN: '${TICKETS}' } };
const modes = (project: Project, words: string[], types?: string) =>
  modesHere(['servers', ...words], { cwd: project.root, env: project.env({ TICKETS: 'secret' }), types });
const proposal = [
  { name: 'get_ticket', kind: 'reads', why: null },
  { name: 'export_ticket', kind: 'left-out', why: 'output_path' },
  { name: 'close_ticket', kind: 'may-change', why: null },
  { name: 'search', kind: 'may-change', why: null },
];

describe('modes servers NAME', () => {
  test('proposes the tools that are declared read-only, and the lines are valid', async () => {
    const project = withServers({ tickets });
    const { code, out } = await modes(project, ['tickets', '--yes', '--json']);
    expect(code).toBe(0);
    const { server } = JSON.parse(out);
    expect(server).toEqual({ name: 'tickets', tools: proposal, lines: 'servers:\n  tickets:\n    reads:\n      - get_ticket' });
    project.put('.claude/modes.yaml', `${project.get('.claude/modes.yaml')}\n${server.lines}\n`);
    project.trust();
    const listed = JSON.parse((await modes(project, ['--json'])).out);
    expect(listed.servers).toEqual([expect.objectContaining({ name: 'tickets', listed: 1 })]);
    const checked = await modesHere(['check', 'mcp__tickets__get_ticket({"id": 1})', '--json'], {
      cwd: project.root,
      env: project.env({}),
    });
    expect(JSON.parse(checked.out).facts.writes).toEqual([]);
  });

  test('connects to an address', async () => {
    const server = http.createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        const answer = request.method === 'POST' && request.headers['x-token'] === 'secret' ? answerTo(JSON.parse(body)) : null;
        response.writeHead(answer === null ? (request.method === 'POST' ? 202 : 405) : 200, {
          'content-type': 'application/json',
        });
        response.end(answer === null ? '' : JSON.stringify(answer));
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const project = withServers({
      tickets: { type: 'http', url: `http://127.0.0.1:${port}/mcp`, headers: { 'X-Token': '${TICKETS}' } },
    });
    const { out } = await modes(project, ['tickets', '--yes', '--json']);
    expect(JSON.parse(out).server.tools).toEqual(proposal);
  });

  test('shows the command of the server, and starts nothing without an approval', async () => {
    const project = withServers({ tickets: { command: 'touch', args: ['started', '$' + '{TICKETS}'] } });
    const refused = await modes(project, ['tickets', '--json'], 'n\n');
    expect(JSON.parse(refused.out).error.code).toBe('E_DECLINED');
    const nobody = await modes(project, ['tickets', '--json']);
    expect(JSON.parse(nobody.out).error.code).toBe('E_NOBODY');
    expect(fs.existsSync(path.join(project.root, 'started'))).toBe(false);
  });

  test.each(['{', '[]', '{"mcpServers": 1}'])('names the file that cannot be read: %s', async (text) => {
    const project = withServers({});
    project.put('.mcp.json', text);
    const { error } = JSON.parse((await modes(project, ['--json'])).out);
    expect(error).toMatchObject({ code: 'E_IN_THE_WAY', message: expect.stringContaining('.mcp.json cannot be read') });
  });

  test('names the nearest server instead of an unknown one', async () => {
    const { code, err } = await modes(withServers({ tickets }), ['ticket', '--yes']);
    expect({ code, err }).toEqual({ code: 64, err: expect.stringContaining('did you mean tickets?') });
  });
});

test('modes servers lists the servers of the project and of the user, and shows no value of a variable', async () => {
  const project = withServers({ tickets });
  const user = path.join(project.home, '.claude.json');
  const lists = {
    mcpServers: { shared: { type: 'http', url: 'https://example.com/mcp' }, broken: { nothing: true } },
    projects: { [project.root]: { mcpServers: { own: { command: 'own-server' } } } },
  };
  fs.writeFileSync(user, JSON.stringify(lists));
  const { out } = await modes(project, ['--json']);
  expect(JSON.parse(out).servers).toEqual([
    { name: 'own', file: user, start: 'own-server', listed: 0 },
    { name: 'tickets', file: path.join(project.root, '.mcp.json'), start: expect.stringContaining('server.cjs'), listed: 0 },
    { name: 'shared', file: user, start: 'https://example.com/mcp', listed: 0 },
  ]);
  expect(out).not.toContain('secret');
});
