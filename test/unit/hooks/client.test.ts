// The shell client of the hooks: who decides, what is printed, and what closes when something fails.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { clientText, contextOf, decision, fallback, Ground, type Result, shells } from './ground.ts';

const nothing: Partial<Result> = { code: 0, out: '', err: '', ran: [] };
const byOneShot = { code: 0, out: `${fallback}\n` };
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const http = (status: string, body: string, length = Buffer.byteLength(body)) =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${length}\r\n\r\n${body}`;
const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';

const queryOf = (url: string) => Object.fromEntries(new URL(url.replace(/^GET /, ''), 'http://modes').searchParams);

/** Waits until a process is seen to be stopped. */
async function stoppedOf(pid: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const state = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout;
    if (state.startsWith('T')) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${pid} does not stop`);
}

describe.each(shells)('in %s', (...shell) => {
  describe('a project that is not governed', () => {
    test('costs this shell and nothing more', async () => {
      expect(await new Ground().run({ shell })).toEqual(nothing);
    });

    test('is let alone with a large event that nobody reads', async () => {
      expect(await new Ground().run({ shell, stdin: 'x'.repeat(3_000_000), hold: true })).toEqual(nothing);
    });

    test.each(['SessionStart', 'SubagentStart'])('gets no context on %s', async (event) => {
      expect(await new Ground().run({ shell, event })).toEqual(nothing);
    });

    test('is the home folder and / whatever lies there [s:project.home]', async () => {
      const ground = new Ground();
      fs.writeFileSync(path.join(ground.home, '.claude/modes.yaml'), '');
      fs.rmSync(path.join(ground.home, '.claude/modes.yaml'));
      fs.mkdirSync(path.join(ground.data, 'governed', ground.home), { recursive: true });
      fs.writeFileSync(path.join(ground.data, 'governed', ground.home, '.modes'), '');
      fs.writeFileSync(path.join(ground.data, 'governed/.modes'), '');
      expect(await ground.run({ shell })).toEqual(nothing);
      expect(await ground.run({ shell, env: { CLAUDE_PROJECT_DIR: ground.home } })).toEqual(nothing);
      expect(await ground.run({ shell, env: { CLAUDE_PROJECT_DIR: '/' } })).toEqual(nothing);
    });

    test('may be gone', async () => {
      const ground = new Ground();
      expect(await ground.run({ shell, env: { CLAUDE_PROJECT_DIR: `${ground.top}/gone/deep` }, cwd: ground.home })).toEqual(
        nothing,
      );
    });
  });

  describe('a project is governed', () => {
    const roots: [string, (ground: Ground) => string | undefined][] = [
      ['by its own modes.yaml', () => undefined],
      ['by one in a folder above', (ground) => folder(`${ground.project}/packages/a`)],
      ['through a repository of its own in between', (ground) => path.dirname(folder(`${ground.project}/packages/a/.git`))],
      ['through a link to it', (ground) => link(ground.project, `${ground.home}/alias`)],
      ['with a start folder that ends with a slash', (ground) => `${ground.project}/`],
      ['with a start folder below it that is gone', (ground) => `${ground.project}/gone`],
    ];
    const folder = (name: string) => {
      fs.mkdirSync(name, { recursive: true });
      return name;
    };
    const link = (target: string, name: string) => {
      fs.symlinkSync(target, name);
      return name;
    };
    test.each(roots)('%s', async (_, start) => {
      const ground = new Ground().govern();
      const result = await ground.run({ shell, env: { CLAUDE_PROJECT_DIR: start(ground) ?? ground.project } });
      expect(result).toMatchObject(byOneShot);
      expect(result.ran).toMatchObject([{ args: ['PreToolUse', ground.project] }]);
    });

    test('because it was once, though nothing is there any more', async () => {
      const ground = new Ground();
      fs.rmSync(ground.project, { recursive: true });
      fs.mkdirSync(path.join(ground.data, 'governed', ground.project), { recursive: true });
      fs.writeFileSync(path.join(ground.data, 'governed', ground.project, '.modes'), '');
      expect(await ground.run({ shell, cwd: ground.home })).toMatchObject({
        ...byOneShot,
        ran: [{ args: ['PreToolUse', ground.project] }],
      });
    });

    test('by a link to nothing in the place of modes.yaml', async () => {
      const ground = new Ground();
      fs.symlinkSync('gone', path.join(ground.project, '.claude/modes.yaml'));
      expect(await ground.run({ shell })).toMatchObject(byOneShot);
    });

    test('by a modes.yaml of the user, in whatever folder the client keeps its own', async () => {
      const ground = new Ground();
      fs.writeFileSync(path.join(ground.home, '.claude/modes.yaml'), '');
      expect(await ground.run({ shell })).toMatchObject({ ...byOneShot, ran: [{ args: ['PreToolUse', ground.project] }] });
      const other = new Ground();
      fs.mkdirSync(path.join(other.home, 'cfg/modes-data'), { recursive: true });
      fs.writeFileSync(path.join(other.home, 'cfg/modes.yaml'), '');
      fs.copyFileSync(path.join(other.data, 'node'), path.join(other.home, 'cfg/modes-data/node'));
      expect(await other.run({ shell, env: { CLAUDE_CONFIG_DIR: `${other.home}/cfg/` } })).toMatchObject(byOneShot);
    });

    test('because this session began so, though the modes.yaml of the user is gone', async () => {
      const ground = new Ground();
      fs.mkdirSync(path.join(ground.data, 'begun'), { recursive: true });
      fs.writeFileSync(path.join(ground.data, 'begun/session-1.json'), '{}');
      expect(await ground.run({ shell, env: { CLAUDE_CODE_SESSION_ID: 'session-2' } })).toEqual(nothing);
      expect(await ground.run({ shell, env: { CLAUDE_CODE_SESSION_ID: '../begun/session-1' } })).toEqual(nothing);
      expect(await ground.run({ shell, env: { CLAUDE_CODE_SESSION_ID: 'session-1' } })).toMatchObject(byOneShot);
    });

    test.each(['relative', '${CLAUDE_CONFIG_DIR}', ''])(
      'where the client’s folder is named %j it is the one in the home folder',
      async (CLAUDE_CONFIG_DIR) => {
        const ground = new Ground();
        fs.writeFileSync(path.join(ground.home, '.claude/modes.yaml'), '');
        expect(await ground.run({ shell, env: { CLAUDE_CONFIG_DIR } })).toMatchObject(byOneShot);
      },
    );

    test.each([undefined, '', 'work', '${CLAUDE_PROJECT_DIR}'])(
      'without a start folder (%j) by where the hook runs',
      async (CLAUDE_PROJECT_DIR) => {
        const ground = new Ground().govern();
        expect(await ground.run({ shell, env: { CLAUDE_PROJECT_DIR } })).toMatchObject({
          ...byOneShot,
          ran: [{ args: ['PreToolUse', ground.project] }],
        });
      },
    );
  });

  describe('with the server of this session', () => {
    test('its answer is printed and nothing else runs', async () => {
      const ground = new Ground().govern().record();
      const asked = await ground.serve(decision('deny', 'by the server'));
      const stdin = '{"tool_name":"Write"}';
      expect(await ground.run({ shell, stdin })).toEqual({
        code: 0,
        out: `${decision('deny', 'by the server')}\n`,
        err: '',
        ran: [],
      });
      expect(asked).toMatchObject([
        { url: 'POST /check-tool', sha: sha(stdin), headers: { 'x-modes-build': 'build-1', 'x-modes-entrypoint': 'cli' } },
      ]);
    });

    test.each([
      '{}',
      decision('ask', 'x'),
      decision('allow', 'x'),
      decision('deny', ''),
      decision('deny', 'say \\u0022no\\u0022 \\u005c \\u000a ü 𝒳 $HOME `id`'),
    ])('%s is printed as it is', async (answer) => {
      const ground = new Ground().govern().record();
      await ground.serve(answer);
      expect(await ground.run({ shell })).toMatchObject({ code: 0, out: `${answer}\n`, ran: [] });
    });

    test.each([1_000, 300_000, 3_000_000])('an event of %d bytes arrives whole', async (size) => {
      const ground = new Ground().govern().record();
      const asked = await ground.serve('{}');
      const stdin = JSON.stringify({ text: 'é\n"'.repeat(size).slice(0, size) });
      expect(await ground.run({ shell, stdin })).toMatchObject({ code: 0, out: '{}\n', ran: [] });
      expect(asked).toMatchObject([{ bytes: Buffer.byteLength(stdin), sha: sha(stdin) }]);
    });

    test.each(['SessionStart', 'SubagentStart'])('context on %s comes from it, without reading the event', async (event) => {
      const ground = new Ground().govern().record();
      const asked = await ground.serve(contextOf(event, 'MODE: idle\\u000a'));
      expect(await ground.run({ shell, event, hold: true })).toMatchObject({
        code: 0,
        out: `${contextOf(event, 'MODE: idle\\u000a')}\n`,
        ran: [],
      });
      expect(asked.map(({ url }) => queryOf(url))).toEqual([{ event, session: '', cwd: ground.project }]);
    });

    test('context is asked for the session and the folder that it is in, whatever that is called', async () => {
      const ground = new Ground().govern().record();
      const asked = await ground.serve('{}');
      const names = ['a b', 'new\nline', "it's &cwd=x", 'ü @é#?%41', '"=;'];
      for (const name of names) {
        fs.mkdirSync(path.join(ground.project, name));
        const env = { CLAUDE_CODE_SESSION_ID: 'session 1&x=2' };
        await ground.run({ shell, event: 'SessionStart', cwd: path.join(ground.project, name), env });
      }
      expect(asked.map(({ url }) => queryOf(url))).toEqual(
        names.map((name) => ({ event: 'SessionStart', session: 'session 1&x=2', cwd: path.join(ground.project, name) })),
      );
    });

    test('the entry point that it sends is its own, and may be absent [s:headless.sender]', async () => {
      const ground = new Ground().govern().record();
      const asked = await ground.serve('{}');
      await ground.run({ shell, env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } });
      await ground.run({ shell, env: { CLAUDE_CODE_ENTRYPOINT: undefined } });
      expect(asked.map(({ headers }) => headers['x-modes-entrypoint'])).toEqual(['sdk-cli', undefined]);
    });

    test('no proxy and no settings of curl come in between', async () => {
      const ground = new Ground().govern().record();
      await ground.serve(decision('deny', 'by the server'));
      fs.writeFileSync(path.join(ground.home, '.curlrc'), 'output=/dev/null\nwrite-out={}\n');
      const env = {
        http_proxy: 'http://127.0.0.1:9',
        HTTP_PROXY: 'http://127.0.0.1:9',
        ALL_PROXY: 'http://127.0.0.1:9',
        CURL_HOME: ground.home,
        XDG_CONFIG_HOME: ground.home,
      };
      expect(await ground.run({ shell, env })).toMatchObject({ code: 0, out: `${decision('deny', 'by the server')}\n`, ran: [] });
    });

    test('its record is found by the session’s id where the client has no process id', async () => {
      const ground = new Ground().govern().record('session-1');
      await ground.serve('{}');
      expect(await ground.run({ shell, env: { CLAUDE_PID: undefined, CLAUDE_CODE_SESSION_ID: 'session-1' } })).toMatchObject({
        out: '{}\n',
        ran: [],
      });
    });
  });

  describe('the socket is not asked', () => {
    const notOurs: [string, (ground: Ground) => void, NodeJS.ProcessEnv?][] = [
      ['without a record', () => undefined],
      ['with the record of another client', (ground) => ground.record('pid-4243')],
      [
        'with a record of the session but a client of another process',
        (ground) => ground.record('session-1'),
        { CLAUDE_CODE_SESSION_ID: 'session-1' },
      ],
      ['with the record of a server that is gone', (ground) => ground.record('pid-4242', 2 ** 22 - 1)],
      ['with an empty record', (ground) => ground.record('pid-4242', '')],
      ['with a record that is no number', (ground) => ground.record('pid-4242', '1 2')],
      ['with a record that is an option', (ground) => ground.record('pid-4242', '-1')],
      ['with a client that names a path', (ground) => ground.record('x'), { CLAUDE_PID: '../sessions/x' }],
      [
        'with a session that names a path',
        (ground) => ground.record('x'),
        { CLAUDE_PID: undefined, CLAUDE_CODE_SESSION_ID: '../sessions/x' },
      ],
      ['without a build of its own', (ground) => ground.record() && fs.rmSync(path.join(ground.plugin, 'dist/build'))],
      ['with an empty build', (ground) => ground.record() && fs.writeFileSync(path.join(ground.plugin, 'dist/build'), '\n')],
    ];
    test.each(notOurs)('%s', async (_, arrange, env = {}) => {
      const ground = new Ground().govern();
      const asked = await ground.serve('{}');
      arrange(ground);
      expect(await ground.run({ shell, env })).toMatchObject(byOneShot);
      expect(asked).toEqual([]);
    });

    test('while the server is stopped, whoever answers in its place', async () => {
      const server = spawn('sleep', ['60'], { stdio: 'ignore' });
      const ground = new Ground().govern().record('pid-4242', server.pid);
      const asked = await ground.serve('{}');
      try {
        expect(await ground.run({ shell })).toMatchObject({ out: '{}\n', ran: [] });
        asked.length = 0;
        server.kill('SIGSTOP');
        await stoppedOf(server.pid as number);
        expect(await ground.run({ shell })).toMatchObject(byOneShot);
        expect(asked).toEqual([]);
      } finally {
        server.kill('SIGKILL');
      }
    });

    test('when it is a link, even to a socket', async () => {
      const ground = new Ground().govern().record();
      const elsewhere = net.createServer((socket) => socket.on('error', () => socket.destroy()).end(http('200 OK', '{}')));
      await ground.bind(elsewhere, 'other.sock');
      fs.symlinkSync('other.sock', ground.socket);
      expect(await ground.run({ shell })).toMatchObject(byOneShot);
    });
  });

  describe('the one-shot decides, with the whole event, when', () => {
    const stdin = JSON.stringify({ tool_name: 'Write', text: 'x'.repeat(200_000) });
    const faults: [string, (ground: Ground) => Promise<void> | void][] = [
      ['there is no socket', () => undefined],
      ['nobody listens on it', async (ground) => stale(ground)],
      ['a file is in its place', (ground) => fs.writeFileSync(ground.socket, '')],
      ['a folder is in its place', (ground) => fs.mkdirSync(ground.socket)],
      ['the server closes at once', (ground) => ground.answer((socket) => socket.destroy(), 'connection')],
      ['the server greets with garbage', (ground) => ground.answer((socket) => socket.end('hello\r\n\r\n'), 'connection')],
      [
        'the server is of another build',
        (ground) => ground.answer((socket) => socket.end(http('409 Conflict', '{"error":"another build"}'))),
      ],
      ['the server fails before it takes the event', (ground) => ground.answer((socket) => socket.end(http('500 Oops', '{}')))],
      ['the server dies before it takes the event', (ground) => ground.answer((socket) => socket.destroy())],
    ];
    test.each(faults)('%s', async (_, arrange) => {
      const ground = new Ground().govern().record();
      await arrange(ground);
      const result = await ground.run({ shell, stdin });
      expect(result).toMatchObject(byOneShot);
      expect(result.ran).toMatchObject([{ args: ['PreToolUse', ground.project], bytes: stdin.length, sha: sha(stdin) }]);
    });

    async function stale(ground: Ground): Promise<void> {
      const { spawn } = await import('node:child_process');
      const child = spawn(
        process.execPath,
        ['-e', "require('node:net').createServer().listen('mode.sock', () => process.kill(process.pid, 'SIGKILL'))"],
        { cwd: path.dirname(ground.socket) },
      );
      await new Promise((ended) => child.on('close', ended));
      expect(fs.lstatSync(ground.socket).isSocket()).toBe(true);
    }

    test('the server hangs', async () => {
      const ground = new Ground().govern().record();
      await ground.answer(() => undefined);
      expect(await ground.run({ shell, stdin })).toMatchObject({ ...byOneShot, ran: [{ bytes: stdin.length }] });
    });

    test.each([1_000, 300_000, 3_000_000])('no server runs: an event of %d bytes', async (size) => {
      const ground = new Ground().govern();
      const text = JSON.stringify({ text: 'é\0\n"'.repeat(size).slice(0, size) });
      expect(await ground.run({ shell, stdin: text })).toMatchObject({
        ...byOneShot,
        ran: [{ bytes: Buffer.byteLength(text), sha: sha(text) }],
      });
    });

    test.each(['SessionStart', 'SubagentStart'])('the server gives no context on %s', async (event) => {
      const ground = new Ground().govern().record();
      await ground.serve('{"error":"x"}', 500);
      ground.oneShot({ answer: contextOf(event, 'by the one-shot') });
      expect(await ground.run({ shell, event })).toMatchObject({
        code: 0,
        out: `${contextOf(event, 'by the one-shot')}\n`,
        ran: [{ args: [event, ground.project] }],
      });
    });
  });

  describe('after the server took the event', () => {
    const afterwards: [string, (socket: net.Socket) => void][] = [
      ['it dies', (socket) => socket.destroy()],
      ['it answers with half a body', (socket) => socket.end(http('200 OK', '{"hookSpecific', 200))],
      ['it answers with an error', (socket) => socket.end(http('500 Oops', '{}'))],
      ['it answers with nothing', (socket) => socket.end(http('200 OK', ''))],
      ['it answers with garbage', (socket) => socket.end(http('200 OK', 'hello'))],
      ['it answers what is no decision', (socket) => socket.end(http('200 OK', '{"error":"x"}'))],
    ];
    test.each(afterwards)('and %s, nothing of what it said is printed and the one-shot is left to refuse', async (_, act) => {
      const ground = new Ground().govern().record();
      await ground.answer((socket, text) => {
        if (text.includes('\r\n\r\n') && text.startsWith('POST')) socket.write(goOn);
        else act(socket);
      });
      const result = await ground.run({ shell });
      expect(result).toMatchObject({ ...byOneShot, ran: [{ bytes: 0 }] });
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
          const ground = new Ground().govern().record();
          await ground.serve(answer);
          const result = await ground.run({ shell });
          expect(result, answer).toMatchObject(byOneShot);
          expect(result.ran, answer).toHaveLength(1);
        }),
      );
    });

    test.each(['', 'garbage', '{"a":1}', whole.slice(0, -1), decision('deny', 'a\nline'), contextOf('SessionStart', 'x')])(
      'by the one-shot: %j',
      async (answer) => {
        const ground = new Ground().govern();
        ground.oneShot({ answer });
        const result = await ground.run({ shell });
        expect(result).toMatchObject({ code: 2, out: '' });
        expect(result.err).toMatch(/^Modes: the check gave no whole answer\. /);
      },
    );

    test.each(['{"a":1}', contextOf('SubagentStart', 'x'), decision('deny', 'x'), contextOf('SessionStart', 'a "quote"'), ''])(
      'as context: %j',
      async (answer) => {
        const ground = new Ground().govern();
        ground.oneShot({ answer });
        expect(await ground.run({ shell, event: 'SessionStart' })).toMatchObject({ code: 0, out: '' });
      },
    );
  });

  describe('a call is refused with a reason and a remedy when the one-shot', () => {
    test.each<[string, Parameters<Ground['oneShot']>[0], RegExp]>([
      ['fails', { code: 1, answer: '' }, /did not finish \(exit 1\).*modes validate/],
      ['fails after a whole answer', { code: 1, answer: '{}' }, /did not finish \(exit 1\)/],
      ['is killed', { signal: 'SIGKILL', answer: '' }, /did not finish/],
      ['is killed after a whole answer', { signal: 'SIGSEGV', answer: '{}' }, /did not finish/],
    ])('%s', async (_, behaviour, reason) => {
      const ground = new Ground().govern();
      ground.oneShot(behaviour);
      const result = await ground.run({ shell });
      expect(result).toMatchObject({ code: 2, out: '' });
      expect(result.err).toMatch(reason);
    });

    test('is not there', async () => {
      const ground = new Ground().govern();
      fs.rmSync(path.join(ground.plugin, 'dist/hook.cjs'));
      expect(await ground.run({ shell })).toMatchObject({ code: 2, out: '' });
    });

    test('has no Node to run it', async () => {
      const ground = new Ground().govern();
      fs.rmSync(path.join(ground.data, 'node'));
      ground.script(clientText.replace(/^PATH=\S+$/m, 'PATH=/nonexistent'));
      const result = await ground.run({ shell });
      expect(result).toMatchObject({ code: 2, out: '', ran: [] });
      expect(result.err).toMatch(/^Modes: node is not found\. Install Node 20\.11 or newer/);
      expect(await ground.run({ shell, event: 'SessionStart' })).toMatchObject({ code: 0, out: '' });
    });

    test('has a Node recorded that is none', async () => {
      const ground = new Ground().govern();
      fs.writeFileSync(path.join(ground.data, 'node'), '/bin/false\n');
      expect(await ground.run({ shell })).toMatchObject({ code: 2, out: '' });
    });

    test('and context is merely missing then', async () => {
      const ground = new Ground().govern();
      ground.oneShot({ code: 1 });
      expect(await ground.run({ shell, event: 'SessionStart' })).toMatchObject({ code: 0, out: '' });
    });
  });

  describe('programs', () => {
    test('without curl the one-shot decides', async () => {
      const ground = new Ground().govern().record();
      const asked = await ground.serve('{}');
      ground.script(clientText.replace(/^PATH=\S+$/m, 'PATH=/nonexistent'));
      expect(await ground.run({ shell })).toMatchObject(byOneShot);
      expect(asked).toEqual([]);
    });

    test('are looked for in a fixed place, and the client’s PATH goes along for what it guards', async () => {
      const ground = new Ground().govern();
      const evil = path.join(ground.top, 'evil');
      fs.mkdirSync(evil);
      for (const name of ['node', 'curl', 'printf', 'kill', 'cd'])
        fs.writeFileSync(path.join(evil, name), '#!/bin/sh\nprintf {}\n', { mode: 0o755 });
      fs.rmSync(path.join(ground.data, 'node'));
      const result = await ground.run({ shell, env: { PATH: `${evil}:/usr/bin` } });
      if (fs.existsSync('/usr/bin/node') || fs.existsSync('/usr/local/bin/node')) expect(result).toMatchObject(byOneShot);
      expect(result.out).not.toBe('{}\n');
      for (const ran of result.ran)
        expect(ran).toMatchObject({
          MODES_PATH: `${evil}:/usr/bin`,
          PATH: '/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin',
          MODES_PLUGIN_ROOT: ground.plugin,
        });
    });

    test('Node is not given what a project’s settings would load into it', async () => {
      const ground = new Ground().govern();
      const evil = path.join(ground.top, 'evil.cjs');
      fs.writeFileSync(evil, "require('node:fs').writeSync(1, '{}'); process.exit(0);");
      expect(await ground.run({ shell, env: { NODE_OPTIONS: `--require ${evil}` } })).toMatchObject(byOneShot);
    });

    test('an empty PATH and an empty environment close nothing that is open', async () => {
      const ground = new Ground().govern().record();
      await ground.serve('{}');
      expect(await ground.run({ shell, env: { PATH: '' } })).toMatchObject({ code: 0, out: '{}\n' });
      const bare = await ground.run({
        shell,
        env: { PATH: undefined, HOME: undefined, CLAUDE_PID: undefined, CLAUDE_CODE_ENTRYPOINT: undefined },
      });
      expect(bare.code === 0 || bare.code === 2).toBe(true);
      expect(bare.out).not.toBe('{}\n');
    });
  });

  describe('names of folders', () => {
    const names = [
      'with space',
      "it's",
      'a "b"',
      'new\nline',
      '$HOME',
      '`id`',
      '$(id)',
      '-n',
      '*',
      'ü',
      'back\\slash',
      'hooks/hooks',
      `${'long/'.repeat(20)}${'x'.repeat(120)}`,
    ];
    test.each(names)('%j for the project', async (name) => {
      const ground = new Ground({ project: name }).govern().record();
      const asked = await ground.serve(decision('deny', 'by the server'));
      expect(await ground.run({ shell })).toMatchObject({ code: 0, out: `${decision('deny', 'by the server')}\n`, ran: [] });
      expect(asked).toHaveLength(1);
      fs.rmSync(path.join(ground.data, 'sessions'), { recursive: true });
      expect(await ground.run({ shell })).toMatchObject({ ...byOneShot, ran: [{ args: ['PreToolUse', ground.project] }] });
    });

    test.each(names)('%j for the plugin', async (name) => {
      const ground = new Ground({ plugin: name }).govern();
      expect(await ground.run({ shell })).toMatchObject({ ...byOneShot, ran: [{ MODES_PLUGIN_ROOT: ground.plugin }] });
    });
  });
});
