// The hook client and the session's server: one table for each form that asks the socket.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { clients, contextOf, decision, Fixture, fallback, folderNames, hangs, hasPerl, late } from './fixture.ts';

const byOneShot = { code: 0, out: `${fallback}\n` };
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const http = (status: string, body: string, length = Buffer.byteLength(body)) =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${length}\r\n\r\n${body}`;
const queryOf = (url: string) => Object.fromEntries(new URL(url.replace(/^GET /, ''), 'http://modes').searchParams);

/** BusyBox has no ps that knows one process; macOS has no /proc. */
function stateOf(pid: number): string {
  const stat = `/proc/${pid}/stat`;
  if (fs.existsSync(stat)) return fs.readFileSync(stat, 'utf8').replace(/^.*\) /s, '');
  return spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
}

/** Waits until a process is seen to be stopped. */
async function stoppedOf(pid: number): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    if (stateOf(pid).startsWith('T')) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${pid} does not stop`);
}

describe.each(clients)('by %s in %s', (form, _name, shell) => {
  describe('with the server of this session', () => {
    test('its answer is printed and nothing else runs', async () => {
      const fixture = new Fixture().govern().record();
      const asked = await fixture.serve(decision('deny', 'by the server'));
      const stdin = '{"tool_name":"Write"}';
      expect(await fixture.run({ shell, form, stdin })).toEqual({
        code: 0,
        out: `${decision('deny', 'by the server')}\n`,
        err: '',
        ran: [],
      });
      expect(asked).toMatchObject([
        { url: 'POST /check-tool', sha: sha(stdin), headers: { 'x-modes-build': 'build-1', 'x-modes-entrypoint': 'cli' } },
      ]);
    });

    test('the request names the data folder: a server with another one has the mode of another user', async () => {
      const fixture = new Fixture().govern().record();
      fs.writeFileSync(path.join(fixture.data, 'mark'), '0123456789abcdef\n');
      const asked = await fixture.serve('{}');
      await fixture.run({ shell, form });
      expect(asked).toMatchObject([{ headers: { 'x-modes-build': 'build-1-0123456789abcdef' } }]);
    });

    test.each([
      '{}',
      decision('ask', 'x'),
      decision('allow', 'x'),
      decision('deny', ''),
      decision('deny', 'say \\u0022no\\u0022 \\u005c \\u000a ü 𝒳 $HOME `id`'),
    ])('%s is printed unchanged', async (answer) => {
      const fixture = new Fixture().govern().record();
      await fixture.serve(answer);
      expect(await fixture.run({ shell, form })).toMatchObject({ code: 0, out: `${answer}\n`, ran: [] });
    });

    test.each([1_000, 300_000, 3_000_000])('an event of %d bytes arrives completely', async (size) => {
      const fixture = new Fixture().govern().record();
      const asked = await fixture.serve('{}');
      const stdin = JSON.stringify({ text: 'é\n"'.repeat(size).slice(0, size) });
      expect(await fixture.run({ shell, form, stdin })).toMatchObject({ code: 0, out: '{}\n', ran: [] });
      expect(asked).toMatchObject([{ bytes: Buffer.byteLength(stdin), sha: sha(stdin) }]);
    });

    test.each(['SessionStart', 'SubagentStart'])('context on %s comes from it, without reading the event', async (event) => {
      const fixture = new Fixture().govern().record();
      const asked = await fixture.serve(contextOf(event, 'MODE: idle\\u000a'));
      expect(await fixture.run({ shell, form, event, hold: true })).toMatchObject({
        code: 0,
        out: `${contextOf(event, 'MODE: idle\\u000a')}\n`,
        ran: [],
      });
      expect(asked.map(({ url }) => queryOf(url))).toEqual([{ event, session: '', cwd: fixture.project }]);
    });

    test('a prompt is left to its private pipe, and no other process starts [w:context.server-ended]', async () => {
      const fixture = new Fixture().govern().record();
      const asked = await fixture.serve(contextOf('UserPromptSubmit', 'MODE: idle\\u000a'));
      expect(await fixture.run({ shell, form, event: 'UserPromptSubmit', hold: true })).toMatchObject({
        code: 0,
        out: '',
        ran: [],
      });
      expect(asked).toEqual([]);
    });

    test('context is requested for the session and its folder, with any name', async () => {
      const fixture = new Fixture().govern().record();
      const asked = await fixture.serve('{}');
      const names = ['a b', 'new\nline', "it's &cwd=x", 'ü @é#?%41', '"=;'];
      for (const name of names) {
        fs.mkdirSync(path.join(fixture.project, name));
        const env = { CLAUDE_CODE_SESSION_ID: 'session 1&x=2' };
        await fixture.run({ shell, form, event: 'SessionStart', cwd: path.join(fixture.project, name), env });
      }
      expect(asked.map(({ url }) => queryOf(url))).toEqual(
        names.map((name) => ({ event: 'SessionStart', session: 'session 1&x=2', cwd: path.join(fixture.project, name) })),
      );
    });

    test('the entry point that it sends is its own, and may be absent [s:headless.sender]', async () => {
      const fixture = new Fixture().govern().record();
      const asked = await fixture.serve('{}');
      await fixture.run({ shell, form, env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } });
      await fixture.run({ shell, form, env: { CLAUDE_CODE_ENTRYPOINT: undefined } });
      expect(asked.map(({ headers }) => headers['x-modes-entrypoint'])).toEqual(['sdk-cli', undefined]);
    });

    test('no proxy and no settings of curl are used', async () => {
      const fixture = new Fixture().govern().record();
      await fixture.serve(decision('deny', 'by the server'));
      fs.writeFileSync(path.join(fixture.home, '.curlrc'), 'output=/dev/null\nwrite-out={}\n');
      const env = {
        http_proxy: 'http://127.0.0.1:9',
        HTTP_PROXY: 'http://127.0.0.1:9',
        ALL_PROXY: 'http://127.0.0.1:9',
        CURL_HOME: fixture.home,
        XDG_CONFIG_HOME: fixture.home,
      };
      expect(await fixture.run({ shell, form, env })).toMatchObject({
        code: 0,
        out: `${decision('deny', 'by the server')}\n`,
        ran: [],
      });
    });

    test('its record is found by the session’s id if the client has no process id', async () => {
      const fixture = new Fixture().govern().record('session-1');
      await fixture.serve('{}');
      expect(
        await fixture.run({ shell, form, env: { CLAUDE_PID: undefined, CLAUDE_CODE_SESSION_ID: 'session-1' } }),
      ).toMatchObject({
        out: '{}\n',
        ran: [],
      });
    });
  });

  describe('the one-shot decides, with the whole event, when', () => {
    const stdin = JSON.stringify({ tool_name: 'Write', text: 'x'.repeat(200_000) });
    const faults: [string, (fixture: Fixture) => Promise<void> | void][] = [
      ['there is no socket', () => undefined],
      ['nobody listens on it', async (fixture) => stale(fixture)],
      ['a file is in its place', (fixture) => fs.writeFileSync(fixture.socket, '')],
      ['a folder is in its place', (fixture) => fs.mkdirSync(fixture.socket)],
      ['the server closes at once', (fixture) => fixture.answer((socket) => socket.destroy(), 'connection')],
      ['the server greets with garbage', (fixture) => fixture.answer((socket) => socket.end('hello\r\n\r\n'), 'connection')],
      [
        'the server is of another build',
        (fixture) => fixture.answer((socket) => socket.end(http('409 Conflict', '{"error":"another build"}'))),
      ],
      ['the server fails before it takes the event', (fixture) => fixture.answer((socket) => socket.end(http('500 Oops', '{}')))],
      ['the server dies before it takes the event', (fixture) => fixture.answer((socket) => socket.destroy())],
    ];
    test.each(faults)('%s', async (_, arrange) => {
      const fixture = new Fixture().govern().record();
      await arrange(fixture);
      const result = await fixture.run({ shell, form, stdin });
      expect(result).toMatchObject(byOneShot);
      expect(result.ran).toMatchObject([{ args: ['PreToolUse', fixture.project], bytes: stdin.length, sha: sha(stdin) }]);
    });

    async function stale(fixture: Fixture): Promise<void> {
      const child = spawn(
        process.execPath,
        ['-e', "require('node:net').createServer().listen('mode.sock', () => process.kill(process.pid, 'SIGKILL'))"],
        { cwd: path.dirname(fixture.socket) },
      );
      await new Promise((ended) => child.on('close', ended));
      expect(fs.lstatSync(fixture.socket).isSocket()).toBe(true);
    }

    test('the server hangs', async () => {
      const fixture = new Fixture().govern().record();
      fixture.edit('\npatience=4\n', '\npatience=1\n');
      await fixture.answer(() => undefined);
      expect(await fixture.run({ shell, form, stdin })).toMatchObject({ ...byOneShot, ran: [{ bytes: stdin.length }] });
    });

    test.each(['SessionStart', 'SubagentStart'])('the server gives no context on %s', async (event) => {
      const fixture = new Fixture().govern().record();
      await fixture.serve('{"error":"x"}', 500);
      fixture.oneShot({ answer: contextOf(event, 'by the one-shot') });
      expect(await fixture.run({ shell, form, event })).toMatchObject({
        code: 0,
        out: `${contextOf(event, 'by the one-shot')}\n`,
        ran: [{ args: [event, fixture.project] }],
      });
    });
  });

  test('the one-shot decides while the server is stopped, even if another process answers in its place', async () => {
    const server = spawn('sleep', ['60'], { stdio: 'ignore' });
    const fixture = new Fixture().govern().record('pid-4242', server.pid);
    const asked = await fixture.serve('{}');
    try {
      expect(await fixture.run({ shell, form })).toMatchObject({ out: '{}\n', ran: [] });
      asked.length = 0;
      server.kill('SIGSTOP');
      await stoppedOf(server.pid as number);
      expect(await fixture.run({ shell, form })).toMatchObject(byOneShot);
      expect(asked).toEqual([]);
    } finally {
      server.kill('SIGKILL');
    }
  });

  describe('after the server accepted the event', () => {
    const stdin = '{"tool_name":"Write"}';
    const afterwards: [string, (socket: net.Socket) => void][] = [
      ['it dies', (socket) => socket.destroy()],
      ['it answers with half a body', (socket) => socket.end(http('200 OK', '{"hookSpecific', 200))],
      ['it answers with an error', (socket) => socket.end(http('500 Oops', '{}'))],
      ['it answers with nothing', (socket) => socket.end(http('200 OK', ''))],
      ['it answers with garbage', (socket) => socket.end(http('200 OK', 'hello'))],
      ['it answers with more than it should', (socket) => socket.end(http('200 OK', '{}'.repeat(2_000_000)))],
      ['it answers with another status', (socket) => socket.end(http('404 Not Found', '{}'))],
      ['it answers with text in place of a number', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: two\r\n\r\n{}')],
      ['it answers what is no decision', (socket) => socket.end(http('200 OK', '{"error":"x"}'))],
    ];
    // curl has given the event away; perl has kept it.
    const left = form === 'perl' ? stdin.length : 0;
    test.each(afterwards)('and %s, its output is not printed and the one-shot decides', async (_, act) => {
      const fixture = await new Fixture().govern().afterTheEvent(act);
      const result = await fixture.run({ shell, form, stdin });
      expect(result).toMatchObject({ ...byOneShot, ran: [{ bytes: left }] });
    });

    test('and it answers without end, the client stops at its limit', async () => {
      const fixture = new Fixture().govern();
      fixture.edit('\npatience=4\n', '\npatience=1\n');
      await fixture.afterTheEvent((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000000\r\n\r\n');
        const more = setInterval(() => socket.write('a'.repeat(10_000)), 20);
        socket.on('close', () => clearInterval(more));
      });
      expect(await fixture.run({ shell, form, stdin })).toMatchObject({ ...byOneShot, ran: [{ bytes: left }] });
    });

    test('and it answers byte by byte, the answer is printed', async () => {
      const answer = decision('deny', 'said slowly');
      const fixture = await new Fixture().govern().afterTheEvent((socket) => {
        const bytes = [...http('200 OK', answer)];
        const more = setInterval(() => {
          const byte = bytes.shift();
          if (byte !== undefined) socket.write(byte);
          if (bytes.length > 0) return;
          clearInterval(more);
          socket.end();
        }, 1);
      });
      expect(await fixture.run({ shell, form, stdin })).toMatchObject({ code: 0, out: `${answer}\n`, ran: [] });
    });
  });

  describe('an answer is not printed', () => {
    const whole = decision('deny', 'a reason with \\u0022quotes\\u0022');
    const torn = [1, 10, 40, 60, 90, whole.length - 3, whole.length - 2, whole.length - 1].map((length) =>
      whole.slice(0, length),
    );
    const wrong = [
      '{"a":1}',
      'null',
      '[]',
      '{}{}',
      '{} ',
      ' {}',
      '{"error":"another build"}',
      decision('defer', 'x'),
      decision('DENY', 'x'),
      decision('deny', 'a "bare" quote'),
      decision('deny', 'a"}},{"x'),
      decision('deny', 'x"},"continue":false,"y":{"z":"'),
      decision('deny', 'an \\n escape'),
      decision('deny', 'an \\" escape'),
      decision('deny', 'a backslash \\'),
      decision('deny', '\\u12'),
      decision('deny', '\\u12g4'),
      decision('deny', '\\uABCD'),
      decision('deny', '\\u'),
      decision('deny', 'a\nline'),
      decision('deny', 'a\ttab'),
      decision('deny', 'a\x01control'),
      decision('deny', 'a\x7fdelete'),
      decision('deny', 'a\x1b[31mcolour'),
      `${decision('deny', 'x')}${decision('allow', 'y')}`,
      `${decision('deny', 'x')}\n${decision('allow', 'y')}`,
      contextOf('SessionStart', 'x'),
      '{"hookSpecificOutput":{"permissionDecision":"deny","hookEventName":"PreToolUse","permissionDecisionReason":"x"}}',
    ];
    const answers = [...torn, ...wrong];
    const handfuls = Array.from({ length: Math.ceil(answers.length / 6) }, (_, at) => answers.slice(at * 6, at * 6 + 6));
    test.each(handfuls.map((some) => ({ some })))('by a server: $some', async ({ some }) => {
      await Promise.all(
        some.map(async (answer) => {
          const fixture = new Fixture().govern().record();
          await fixture.serve(answer);
          const result = await fixture.run({ shell, form });
          expect(result, answer).toMatchObject(byOneShot);
          expect(result.ran, answer).toHaveLength(1);
        }),
      );
    });
  });

  describe('if the server hangs up and the one-shot fails too', () => {
    const whole = decision('deny', 'a reason with \\u0022quotes\\u0022');
    const finish = /^Modes: E_HOOK_CHECK the check did not finish \(exit (\d+)\)\. Run "modes validate" in a terminal\.\n$/m;
    const wholly = /^Modes: E_HOOK_CHECK the answer of the check is incomplete\. Run "modes validate" in a terminal\.\n$/m;
    test.each<[string, Parameters<Fixture['oneShot']>[0], RegExp, string?]>([
      ['fails', { code: 1, answer: '' }, finish, '1'],
      ['fails after a whole answer', { code: 3, answer: '{}' }, finish, '3'],
      ['is killed', { signal: 'SIGKILL', answer: '' }, finish, '137'],
      ['is killed after a whole answer', { signal: 'SIGSEGV', answer: '{}' }, finish, '139'],
      ['says nothing', { answer: '' }, wholly],
      ['says something else', { answer: 'garbage' }, wholly],
      ['says another object', { answer: '{"a":1}' }, wholly],
      ['says half', { answer: whole.slice(0, -1) }, wholly],
      ['says two lines', { answer: decision('deny', 'a\nline') }, wholly],
      ['says what belongs to another event', { answer: contextOf('SessionStart', 'x') }, wholly],
    ])('because it %s, a call is refused with a reason, and context is missing', async (_, behaviour, reason, code) => {
      const fixture = await new Fixture().govern().forsake();
      fixture.oneShot(behaviour);
      const result = await fixture.run({ shell, form });
      expect(result).toMatchObject({ code: 2, out: '' });
      expect(result.err).toMatch(reason);
      if (code !== undefined) expect(reason.exec(result.err)?.[1]).toBe(code);
      expect(await fixture.run({ shell, form, event: 'SubagentStart' })).toMatchObject({ code: 0, out: '' });
    });

    test('because Node cannot be started, the same', async () => {
      const fixture = await new Fixture().govern().forsake();
      fs.writeFileSync(path.join(fixture.data, 'node'), `${fixture.plugin}\n`);
      const result = await fixture.run({ shell, form });
      expect(result).toMatchObject({ code: 2, out: '' });
      expect(finish.exec(result.err.split('\n').slice(-2).join('\n'))?.[1]).toBe('126');
    });

    test('but not because it ends with a line break, or has a large event', async () => {
      const fixture = await new Fixture().govern().forsake();
      fixture.oneShot({ answer: `${whole}\n` });
      const stdin = 'x'.repeat(5_000_000);
      expect(await fixture.run({ shell, form, stdin })).toMatchObject({
        code: 0,
        out: `${whole}\n`,
        ran: [{ bytes: 5_000_000 }],
      });
    });
  });

  describe('programs', () => {
    test('are searched in fixed folders', async () => {
      const fixture = new Fixture().govern().record();
      await fixture.serve(decision('deny', 'by the server'));
      const evil = path.join(fixture.top, 'evil');
      fs.mkdirSync(evil);
      for (const name of ['perl', 'curl', 'node', 'kill', 'ps', 'sh'])
        fs.writeFileSync(path.join(evil, name), '#!/bin/sh\nprintf {}\n', { mode: 0o755 });
      const env = { PATH: `${evil}:/usr/bin` };
      expect(await fixture.run({ shell, form, env })).toMatchObject({
        code: 0,
        out: `${decision('deny', 'by the server')}\n`,
        ran: [],
      });
    });

    test('do not load code that a project’s settings name', async () => {
      const fixture = new Fixture().govern().record();
      fs.writeFileSync(path.join(fixture.top, 'Evil.pm'), "print '{}'; exit 0;");
      fs.writeFileSync(path.join(fixture.top, 'strict.pm'), "print '{}'; exit 0;");
      const env = {
        PERL5OPT: `-I${fixture.top} -MEvil`,
        PERL5LIB: fixture.top,
        PERLLIB: fixture.top,
        PERL5DB: "BEGIN { print '{}'; exit 0 }",
        PERL_UNICODE: 'SDA',
        PERLIO: ':stdio:crlf:utf8',
      };
      const asked = await fixture.serve(decision('deny', 'ü by the server'));
      const stdin = '{"é":"\r\n\u20ac"}';
      expect(await fixture.run({ shell, form, env, stdin })).toEqual({
        code: 0,
        out: `${decision('deny', 'ü by the server')}\n`,
        err: '',
        ran: [],
      });
      expect(asked).toMatchObject([{ sha: sha(stdin) }]);
    });

    test('an empty PATH and an empty environment deny no allowed call', async () => {
      const fixture = new Fixture().govern().record();
      await fixture.serve('{}');
      expect(await fixture.run({ shell, form, env: { PATH: '' } })).toMatchObject({ code: 0, out: '{}\n' });
      const bare = await fixture.run({
        shell,
        env: { PATH: undefined, HOME: undefined, CLAUDE_PID: undefined, CLAUDE_CODE_ENTRYPOINT: undefined },
      });
      expect(bare.code === 0 || bare.code === 2).toBe(true);
      expect(bare.out).not.toBe('{}\n');
    });
  });

  test.each(folderNames)('the project may be called %j', async (name) => {
    const fixture = new Fixture({ project: name }).govern().record();
    const asked = await fixture.serve(decision('deny', 'by the server'));
    expect(await fixture.run({ shell, form })).toMatchObject({ code: 0, out: `${decision('deny', 'by the server')}\n`, ran: [] });
    expect(asked).toHaveLength(1);
    fs.rmSync(path.join(fixture.data, 'sessions'), { recursive: true });
    expect(await fixture.run({ shell, form })).toMatchObject({ ...byOneShot, ran: [{ args: ['PreToolUse', fixture.project] }] });
  });
});

test('without perl, curl sends the request; without both, the one-shot decides', async () => {
  for (const [missing, asks] of [
    [[], 1],
    [['curl'], hasPerl ? 1 : 0],
    [['perl'], 1],
    [['perl', 'curl'], 0],
  ] as [('perl' | 'curl')[], number][]) {
    const fixture = new Fixture().govern().record();
    const asked = await fixture.serve('{}');
    const result = await fixture.without(...missing).run();
    expect(asked, missing.join()).toHaveLength(asks);
    expect(result, missing.join()).toMatchObject(asks === 1 ? { code: 0, out: '{}\n', ran: [] } : byOneShot);
  }
});

describe.runIf(hasPerl)('perl alone', () => {
  test('is not started without its script: curl sends the request', async () => {
    const fixture = new Fixture().govern().record();
    fs.rmSync(path.join(fixture.plugin, 'hooks/client.pl'));
    const asked = await fixture.serve('{}');
    expect(await fixture.run()).toMatchObject({ code: 0, out: '{}\n', ran: [] });
    expect(asked).toMatchObject([{ headers: { expect: '100-continue' } }]);
  });

  test.each([
    ['fails', 'exit 1'],
    ['is killed', 'kill -9 $$'],
  ])('that %s at its start leaves the call to curl', async (_, script) => {
    const fixture = new Fixture().govern().record();
    const asked = await fixture.serve('{}');
    const broken = path.join(fixture.top, 'perl');
    fs.writeFileSync(broken, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    fixture.edit(/^perl=\S+$/m, `perl='${broken}'`);
    expect(await fixture.run()).toMatchObject({ code: 0, out: '{}\n', ran: [] });
    expect(asked).toMatchObject([{ headers: { expect: '100-continue' } }]);
  });

  test('asks ps for the state of the server without /proc', async () => {
    const server = spawn('sleep', ['60'], { stdio: 'ignore' });
    const fixture = new Fixture().govern().record('pid-4242', server.pid);
    const script = path.join(fixture.plugin, 'hooks/client.pl');
    fs.writeFileSync(script, fs.readFileSync(script, 'utf8').replace('"/proc/', '"/nonexistent/proc/'));
    const asked = await fixture.serve('{}');
    try {
      expect(await fixture.run()).toMatchObject({ out: '{}\n', ran: [] });
      server.kill('SIGSTOP');
      await stoppedOf(server.pid as number);
      expect(await fixture.run()).toMatchObject(byOneShot);
      expect(asked).toHaveLength(1);
    } finally {
      server.kill('SIGKILL');
    }
  });

  test('loads no module', () => {
    const text = fs.readFileSync(path.join(import.meta.dirname, '../../../hooks/client.pl'), 'utf8');
    const code = text.replace(/^\s*#.*$/gm, '');
    expect(code).toContain('use v5.12;');
    expect(code.replace('use v5.12;', '')).not.toMatch(/^\s*(?:use|require|no|do)\s+['"\w]|`|\bsystem\b|\bexec\b|\bqx\b|\$!\{/m);
  });

  const strict: [string, string][] = [
    ['more after its length', `${http('200 OK', '{}')}{}`],
    ['a second answer', http('200 OK', '{}').repeat(2)],
    ['something else first', `HTTP/1.1 100 Continue\r\n\r\n${http('200 OK', '{}')}`],
    ['another good status', http('206 Partial Content', '{}')],
    ['a redirection', http('307 Elsewhere', '{}')],
    ['another version', http('200 OK', '{}').replace('1.1', '2')],
    ['no length', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{}'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n{}'],
    ['a length below nothing', 'HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\n{}'],
    ['a length too small', http('200 OK', '{}', 1)],
    ['chunks', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n{}'],
    ['a NUL after it', http('200 OK', '{}\0')],
    ['no end of its headers', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(300_000)}content-length: 2\r\n\r\n{}`],
    ['a megabyte', http('200 OK', decision('deny', 'x'.repeat(1_048_576)))],
  ];
  test.each(strict)('rejects an answer with %s', async (_, text) => {
    const fixture = await new Fixture().govern().afterTheEvent((socket) => socket.end(text));
    const stdin = '{"tool_name":"Write"}';
    expect(await fixture.run({ stdin })).toMatchObject({ ...byOneShot, ran: [{ bytes: stdin.length, sha: sha(stdin) }] });
  });

  test('rejects an incomplete answer', async () => {
    const fixture = await new Fixture().govern().afterTheEvent((socket) => socket.write(http('200 OK', '{}')));
    fixture.edit('\npatience=4\n', '\npatience=1\n');
    expect(await fixture.run()).toMatchObject(byOneShot);
  });

  test.each(hangs)('ends a one-shot that never ends, and denies: it %s', async (_, how) => {
    const fixture = (await new Fixture().govern().forsake()).hang(how);
    const { code, out, err } = await fixture.run();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(late);
    expect(await fixture.run({ event: 'SessionStart' })).toMatchObject({ code: 0, out: '' });
    for (const pid of fixture.hung) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('accepts an answer that came before the whole event was sent', async () => {
    const fixture = new Fixture().govern().record();
    const answer = decision('deny', 'it is larger than 32 MB');
    await fixture.answer((socket) => socket.pause().end(http('200 OK', answer), () => socket.destroy()), 'connection');
    expect(await fixture.run({ stdin: 'x'.repeat(5_000_000) })).toMatchObject({ code: 0, out: `${answer}\n`, ran: [] });
  });

  test('keeps one byte more than an event may have, and reads the rest', async () => {
    const fixture = await new Fixture().govern().forsake();
    expect(await fixture.run({ stdin: 'x'.repeat(40_000_000) })).toMatchObject({ ...byOneShot, ran: [{ bytes: 33_554_433 }] });
  });

  test.each(['cli\r\nX-Other: 1', 'cli\nx', 'é', 'a b'])(
    'sends no request with the entry point %j, which is not a valid header',
    async (entrypoint) => {
      const fixture = new Fixture().govern().record();
      const asked = await fixture.serve('{}');
      expect(await fixture.run({ env: { CLAUDE_CODE_ENTRYPOINT: entrypoint } })).toMatchObject(byOneShot);
      expect(asked).toEqual([]);
    },
  );
});
