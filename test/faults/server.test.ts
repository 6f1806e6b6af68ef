// The server against its pipe, its socket's place and other servers.
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { viewedMode } from '../e2e/mode.ts';
import type { Place } from '../e2e/place.ts';
import { signal, until } from '../e2e/processes.ts';
import { tddProject } from '../e2e/project.ts';
import { closedCall, openCall, runHook } from './hook.ts';
import { openPipe, type Pipe } from './pipe.ts';

let place: Place;
const pipes: Pipe[] = [];
const open = async (env?: Record<string, string>) => {
  const pipe = await openPipe(place, env);
  pipes.push(pipe);
  return pipe;
};
const leave = async () => {
  for (const pipe of pipes.splice(0)) {
    if (pipe.process.exitCode === null && pipe.process.signalCode === null) await pipe.stop();
  }
  place.remove();
};

/** A project of its own for each scenario of a block. */
function ownProject(): void {
  beforeEach(() => {
    place = tddProject();
  });
  afterEach(leave);
}

/** One project, and one server on its socket, for the scenarios of a block that leave it as it is. */
function shareServer(): void {
  beforeAll(async () => {
    place = tddProject();
    await open();
    await served();
  });
  afterAll(leave);
}

const socket = () => path.join(place.project, '.claude/mode.sock');

interface Answered {
  status: number;
  body: string;
}
function request(method: string, url: string, body?: string | Buffer, headers: Record<string, string> = {}): Promise<Answered> {
  return new Promise((done, failed) => {
    const sent = http.request({ socketPath: socket(), method, path: url, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done({ status: response.statusCode ?? 0, body: text }));
    });
    sent.on('error', failed);
    // The server may answer and close before the body is sent; what is written then is nobody's.
    sent.on('socket', (connection) => connection.on('error', failed));
    sent.end(body);
  });
}
const served = () => until('the socket', async () => (await request('GET', '/health').catch(() => undefined))?.status === 200);

describe('the pipe', () => {
  ownProject();

  test('the server survives noise, wrong requests and huge messages', async () => {
    const pipe = await open();
    pipe.raw('this is no JSON\n\n{"jsonrpc":"2.0"}\n{"id":1}\nnull\n[]\n');
    pipe.raw(`${'x'.repeat(70_000_000)}\n`);
    expect((await pipe.ask('no/such/method')).error).toBeDefined();
    expect((await pipe.ask('tools/call', { name: 'no-such-tool', arguments: {} })).error).toBeDefined();
    expect(await pipe.hook(closedCall(place))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });

  test('the hook tool is not listed and not available to the model', async () => {
    const pipe = await open();
    const { result } = await pipe.ask('tools/list');
    expect(result?.tools?.map(({ name }) => name)).not.toContain('hook');
    const called = await pipe.ask('tools/call', { name: 'hook', arguments: {}, _meta: { 'claudecode/toolUseId': 'toolu_1' } });
    expect(called.error ?? called.result?.isError).toBeTruthy();
  });

  test.each([
    ['was not announced', undefined],
    ['was announced as another tool', { tool_name: 'Read' }],
    ['was announced twice, differently', { tool_name: 'mcp__plugin_modes_modes__transition', cwd: '/' }],
    ['was announced by a subagent', { agent_id: 'a1' }],
  ])('a transition that %s does not happen [s:threat.authority]', async (name, announced) => {
    const pipe = await open();
    const id = 'toolu_t';
    const event = { ...closedCall(place), tool_use_id: id, tool_name: 'mcp__plugin_modes_modes__transition', tool_input: {} };
    if (name.includes('twice')) await pipe.hook(event);
    if (announced) await pipe.hook({ ...event, ...announced });
    const input = { target: 'test-dev', explanation: 'because' };
    const answer = await pipe.ask('tools/call', { name: 'transition', arguments: input, _meta: { 'claudecode/toolUseId': id } });
    expect(answer.result?.content?.[0]?.text).toContain('"success": false');
    const status = await pipe.ask('tools/call', { name: 'status', arguments: {} });
    expect(status.result?.content?.[0]?.text).toContain('"current_mode": "idle"');
  });

  test('one announcement permits one call', async () => {
    const pipe = await open();
    expect(
      (await pipe.call('transition', { target: 'test-dev', explanation: 'because' }, place.project)).result?.isError,
    ).toBeFalsy();
    const again = await pipe.ask('tools/call', {
      name: 'transition',
      arguments: { target: 'feature-dev', explanation: 'because' },
      _meta: { 'claudecode/toolUseId': 'toolu_pipe_0' },
    });
    expect(again.result?.content?.[0]?.text).toContain('"success": false');
  });

  test('a typed command that adds permissions is refused in a client without dialogs', async () => {
    const pipe = await open();
    const answer = await pipe.hook({
      hook_event_name: 'UserPromptExpansion',
      session_id: 's',
      cwd: place.project,
      expansion_type: 'slash_command',
      command_name: 'modes:mode',
      command_args: 'feature-dev',
      command_source: 'plugin',
    });
    expect(answer).toMatchObject({ decision: 'block' });
    const status = await pipe.ask('tools/call', { name: 'status', arguments: {} });
    expect(status.result?.content?.[0]?.text).toContain('"current_mode": "idle"');
  });
});

describe('a request to the socket', () => {
  shareServer();

  test('cannot change anything [s:threat.socket]', async () => {
    const before = (await request('GET', '/status')).body;
    expect(before).toContain('idle');
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      for (const url of ['/transition', '/force_transition', '/mode', '/trust', '/status', '/health', '/context', '/hook', '/']) {
        const { status } = await request(
          method,
          url,
          method === 'GET' ? undefined : '{"target":"feature-dev","explanation":"x"}',
        );
        expect([200, 400, 404, 405], `${method} ${url}`).toContain(status);
      }
    }
    expect((await request('GET', '/status')).body).toBe(before);
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });

  test.each([
    ['POST', '/check-tool', 'no JSON', 400],
    ['POST', '/check-tool', '', 400],
    ['GET', '/check-tool', undefined, 405],
    ['POST', '/status', '{}', 405],
    ['GET', '/nothing', undefined, 404],
    ['GET', '/context?event=Teleport', undefined, 400],
  ])('%s %s with %j gives JSON with status %i', async (method, url, body, status) => {
    const answer = await request(method as string, url as string, body as string | undefined);
    expect(answer.status).toBe(status);
    expect(() => JSON.parse(answer.body)).not.toThrow();
  });

  test('of another build gets that reason', async () => {
    const event = JSON.stringify(openCall(place));
    expect((await request('POST', '/check-tool', event, { 'x-modes-build': 'older' })).status).toBe(409);
  });

  test('is accepted only from its owner', async () => {
    expect(fs.statSync(socket()).mode & 0o777).toBe(0o600);
  });
});

describe('the socket', () => {
  ownProject();

  test('denies a body over the limit without storing it', async () => {
    const pipe = await open();
    await served();
    const { body } = await request('POST', '/check-tool', Buffer.alloc(40_000_000, 'x')).catch(() => ({ body: '"deny"' }));
    expect(body).toContain('deny');
    expect(pipe.process.exitCode).toBeNull();
    await served();
  });

  test('replaces a stale socket', async () => {
    const first = await open();
    await served();
    signal(first.process.pid!, 'SIGKILL');
    await until('the first to be gone', () => first.process.signalCode);
    expect(fs.existsSync(socket())).toBe(true);
    await open();
    await served();
  });

  test('does not remove or exhaust a live socket of another owner', async () => {
    const other = net.createServer((client) => {
      // A client that has seen enough goes away.
      client.on('error', () => client.destroy());
      client.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
    await new Promise<void>((ready) => other.listen(socket(), ready));
    try {
      const { ino } = fs.statSync(socket());
      const pipe = await open();
      await pipe.hook(openCall(place));
      expect(fs.statSync(socket()).ino).toBe(ino);
      await pipe.stop();
      expect(fs.statSync(socket()).ino).toBe(ino);
    } finally {
      other.close();
    }
  });

  test.each([
    ['a file', () => fs.writeFileSync(socket(), 'x')],
    ['a folder', () => void fs.mkdirSync(socket())],
    ['a dangling link', () => fs.symlinkSync('/nonexistent/x.sock', socket())],
  ])('%s in its place: decisions are still made', async (_, arrange) => {
    arrange();
    const pipe = await open();
    expect(await pipe.hook(closedCall(place))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
    expect((await runHook(place, closedCall(place), { client: process.pid })).effect).toBe('deny');
    expect((await runHook(place, openCall(place), { client: process.pid })).effect).toBe('pass');
  });

  test('comes back if it is removed under a live server', async () => {
    await open();
    await served();
    fs.rmSync(socket());
    expect((await runHook(place, closedCall(place), { client: process.pid })).effect).toBe('deny');
    await served();
  });

  test('is taken over by the waiting server when the first is killed', async () => {
    const first = await open();
    await served();
    await open({ CLAUDE_CODE_SESSION_ID: '11111111-0000-4000-8000-000000000000' });
    signal(first.process.pid!, 'SIGKILL');
    await until('the first to be gone', () => first.process.signalCode);
    await served();
  });

  test('is gone after the last server ended', async () => {
    const pipe = await open();
    await served();
    await pipe.stop();
    expect(fs.existsSync(socket())).toBe(false);
    expect(fs.readdirSync(path.join(place.project, '.claude')).filter((name) => name.startsWith('mode.sock'))).toEqual([]);
  });
});

describe('two at once', () => {
  ownProject();

  test('exactly one of many simultaneous requests wins each transition, and the journal stays intact', async () => {
    const [one, two] = [await open(), await open({ CLAUDE_CODE_SESSION_ID: '11111111-0000-4000-8000-000000000000' })];
    for (const target of ['test-dev', 'feature-dev', 'idle']) {
      const answers = await Promise.all(
        [one!, two!].map((pipe) => pipe.call('transition', { target, explanation: 'because' }, place.project)),
      );
      const won = answers.filter(({ result }) => result?.content?.[0]?.text.includes('"success": true'));
      expect(won, target).toHaveLength(1);
    }
    const status = await two!.ask('tools/call', { name: 'status', arguments: {} });
    const { history } = JSON.parse(status.result?.content?.[0]?.text ?? '{}') as { history: { from: string; to: string }[] };
    expect(
      history.filter(({ from, to }) => from !== to && ['test-dev', 'feature-dev', 'idle'].includes(to)).length,
    ).toBeGreaterThanOrEqual(3);
    expect(await one!.hook(closedCall(place))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });
});
