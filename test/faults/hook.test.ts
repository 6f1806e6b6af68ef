// The hook's script against every way in which the socket, the one-shot process, the event or the files can be wrong.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataFolder } from '../e2e/mode.ts';
import { makePlace, type Place } from '../e2e/place.ts';
import { copyPlugin, hurry, withoutPerl } from '../e2e/plugin.ts';
import { plainProject, tddProject } from '../e2e/project.ts';
import { closedCall, eventOf, openCall, runHook } from './hook.ts';
import { openPipe, type Pipe } from './pipe.ts';

let place: Place;
let pipe: Pipe | undefined;
const closers: (() => void)[] = [];
let plugins: Place;
/** A plugin whose hook waits a second or two where the shipped one waits longer. */
let hurried: string;
/** As it is where the system has no perl. */
let withCurl: string;
beforeAll(() => {
  plugins = makePlace({ name: 'plugins' });
  hurried = copyPlugin(path.join(plugins.project, 'hurried'), hurry);
  withCurl = copyPlugin(path.join(plugins.project, 'with-curl'), withoutPerl);
});
afterAll(() => plugins.remove());
afterEach(async () => {
  await pipe?.stop();
  pipe = undefined;
  for (const close of closers.splice(0)) close();
});

/** One project for the scenarios of a block that leave it as it is; a server has been there, so that caches are warm. */
function shareProject(): void {
  let shared: Place;
  beforeAll(async () => {
    shared = tddProject();
    place = shared;
    pipe = await openPipe(place);
    await pipe.hook(openCall(place));
    await pipe.stop();
    pipe = undefined;
  });
  beforeEach(() => {
    place = shared;
  });
  afterAll(() => shared.remove());
}

/** A project of its own for each scenario of a block. */
function ownProject(make = tddProject): void {
  beforeEach(() => {
    place = make();
  });
  afterEach(() => place.remove());
}

const REFUSED = ['deny', 'blocked'];
const CLIENT = 4_194_304; // above every process id of Linux
const answer = (decision: string, reason = 'said by the socket') =>
  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"${decision}","permissionDecisionReason":"${reason}"}}`;
const head = (status: string, length: number) =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
const whole = (body: string, status = '200 OK') => head(status, Buffer.byteLength(body)) + body;

/** Puts a server on the project's socket and lets it count as the session's own. */
async function bind(talk: (socket: net.Socket, request: string) => void): Promise<void> {
  const sessions = path.join(dataFolder(place.home), 'sessions');
  fs.mkdirSync(sessions, { recursive: true });
  fs.writeFileSync(path.join(sessions, `pid-${CLIENT}`), `${process.pid}\n`);
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (first) => talk(socket, first.toString('latin1')));
  });
  await new Promise<void>((ready) => server.listen(path.join(place.project, '.claude/mode.sock'), ready));
  closers.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
}

/** Lets the sender give up the event, and then does something. Perl gives it at once, curl when it is told to. */
const afterTheEvent = (then: (socket: net.Socket) => void) => (socket: net.Socket, request: string) => {
  if (!/^expect: 100-continue\r$/im.test(request)) return then(socket);
  socket.once('data', () => then(socket));
  socket.write('HTTP/1.1 100 Continue\r\n\r\n');
};

describe('an answer of the socket is passed on only if it is complete', () => {
  shareProject();

  for (const decision of ['deny', 'ask', 'allow']) {
    test(decision, async () => {
      await bind(afterTheEvent((socket) => socket.end(whole(answer(decision)))));
      const { effect, stdout } = await runHook(place, closedCall(place), { client: CLIENT });
      expect(effect).toBe(decision);
      expect(stdout).toContain('said by the socket');
    });
  }

  test('regardless of ~/.curlrc', async () => {
    const file = path.join(place.home, '.curlrc');
    fs.writeFileSync(file, 'output = /dev/null\nwrite-out = "{}"\n');
    closers.push(() => fs.rmSync(file));
    await bind(afterTheEvent((socket) => socket.end(whole(answer('deny')))));
    expect((await runHook(place, closedCall(place), { client: CLIENT })).stdout).toContain('said by the socket');
  });

  /** What is refused at a closed call although it looks like an allow or a pass. */
  const broken: [string, string | Buffer][] = [
    ['nothing', whole('')],
    ['text', whole('ok')],
    ['null', whole('null')],
    ['an array', whole('[]')],
    ['an error object', whole('{"error":"x"}')],
    ['a truncated allow', whole(answer('allow').slice(0, -2))],
    ['a truncated deny', whole(answer('deny').slice(0, 60))],
    ['{} and more', whole('{}{}')],
    ['{} and text', whole('{} ok')],
    ['two objects', whole(`${answer('deny')}\n${answer('allow')}`)],
    ['a deny that continues as an allow', whole(answer('deny', 'a","permissionDecision":"allow","x":"'))],
    ['an escaped quote', whole(answer('allow', 'a\\" b'))],
    ['an escape at the end', whole(answer('allow', 'a\\'))],
    ['half an escape', whole(answer('allow', 'a\\u12'))],
    ['a line break in the reason', whole(answer('allow', 'a\nb'))],
    ['an unknown decision', whole(answer('permit'))],
    ['upper case', whole(answer('allow').replace('allow', 'ALLOW'))],
    ['another event', whole(answer('allow').replace('PreToolUse', 'PostToolUse'))],
    ['a changed input', whole(answer('allow').replace('}}', ',"updatedInput":{"command":"rm -rf /"}}}'))],
    ['the end of the hook', whole(answer('allow').replace('{', '{"continue":false,'))],
    ['a byte order mark', whole(`\ufeff${answer('allow')}`)],
    ['spaces inside', whole(answer('allow').replaceAll(':', ': '))],
    ['less than announced', head('200 OK', 500) + answer('allow')],
    ['404', whole('{}', '404 Not Found')],
    ['409', whole('{}', '409 Conflict')],
    ['500', whole('{}', '500 Oops')],
    ['a redirection', `HTTP/1.1 307 T\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 3\r\n\r\nto `],
    ['no HTTP', Buffer.from('{}')],
    ['noise', Buffer.from([0, 1, 2, 255, 254, 10, 13])],
  ];

  test.each(broken)('%s, before it accepted the event: the one-shot process decides', async (_, bytes) => {
    await bind((socket) => void socket.end(bytes));
    for (const plugin of [undefined, withCurl])
      expect((await runHook(place, closedCall(place), { client: CLIENT, plugin })).effect).toBe('deny');
  });

  test.each(broken)('%s, after it accepted the event: refused', async (_, bytes) => {
    await bind(afterTheEvent((socket) => socket.end(bytes)));
    for (const plugin of [undefined, withCurl])
      expect(REFUSED).toContain((await runHook(place, closedCall(place), { client: CLIENT, plugin })).effect);
  });
});

describe('a server that dies', () => {
  shareProject();

  test('before it accepted the event leaves the decision to the one-shot process', async () => {
    await bind((socket) => void socket.destroy());
    expect((await runHook(place, closedCall(place), { client: CLIENT })).effect).toBe('deny');
    expect((await runHook(place, openCall(place), { client: CLIENT })).effect).toBe('pass');
  });

  test('after it accepted the event: perl keeps the event for the one-shot process', async () => {
    await bind(afterTheEvent((socket) => void socket.destroy()));
    expect((await runHook(place, closedCall(place), { client: CLIENT })).effect).toBe('deny');
    expect((await runHook(place, openCall(place), { client: CLIENT })).effect).toBe('pass');
  });

  test('after it accepted the event: curl keeps no event, so the call is refused, with a reason', async () => {
    await bind(afterTheEvent((socket) => void socket.destroy()));
    for (const call of [closedCall(place), openCall(place)]) {
      const { effect, stdout, stderr } = await runHook(place, call, { client: CLIENT, plugin: withCurl });
      expect(REFUSED).toContain(effect);
      expect(stdout + stderr).toMatch(/\w{3}/);
    }
  });

  test('hanging before it accepts the event: the one-shot process decides after the deadline', async () => {
    await bind(() => undefined);
    expect((await runHook(place, closedCall(place), { client: CLIENT, plugin: hurried })).effect).toBe('deny');
    expect((await runHook(place, openCall(place), { client: CLIENT, plugin: hurried })).effect).toBe('pass');
  });

  test('hanging after it accepted the event, or answering without end: refused', async () => {
    await bind(
      afterTheEvent((socket) => {
        socket.write(head('200 OK', 1e9));
        const more = setInterval(() => socket.write('a'.repeat(1000)), 50);
        socket.on('close', () => clearInterval(more));
      }),
    );
    expect(REFUSED).toContain((await runHook(place, closedCall(place), { client: CLIENT, plugin: hurried })).effect);
  });
});

describe('a socket that is not the own one is not asked', () => {
  ownProject();

  const strange: [string, () => void | Promise<void>][] = [
    ['a stale file', () => fs.writeFileSync(path.join(place.project, '.claude/mode.sock'), '')],
    ['a folder', () => void fs.mkdirSync(path.join(place.project, '.claude/mode.sock'))],
    [
      'a link to a live socket',
      async () => {
        await bind((socket) => void socket.end(whole('{}')));
        const name = path.join(place.project, '.claude/mode.sock');
        fs.renameSync(name, path.join(place.project, 'elsewhere.sock'));
        fs.symlinkSync('../elsewhere.sock', name);
      },
    ],
  ];
  test.each(strange)('%s', async (_, arrange) => {
    await arrange();
    expect((await runHook(place, closedCall(place), { client: CLIENT })).effect).toBe('deny');
  });

  test.each([
    ['without a record', ''],
    ['with a dead process recorded', '4194303\n'],
    ['with noise recorded', '-1 || true\n'],
  ])('a live one %s', async (_, record) => {
    await bind((socket) => void socket.end(whole('{}')));
    fs.writeFileSync(path.join(dataFolder(place.home), 'sessions', `pid-${CLIENT}`), record);
    expect((await runHook(place, closedCall(place), { client: CLIENT })).effect).toBe('deny');
  });

  test.each([
    ['names another folder', '../../x'],
    ['is not a number', '1; exit 0'],
  ])('a client id that %s is no record', async (_, id) => {
    await bind((socket) => void socket.end(whole('{}')));
    expect((await runHook(place, closedCall(place), { env: { CLAUDE_PID: id } })).effect).toBe('deny');
  });
});

describe('the one-shot process', () => {
  ownProject();

  const fake = (script: string) => () => {
    const file = path.join(place.root, 'fake-node');
    fs.writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    fs.mkdirSync(dataFolder(place.home), { recursive: true });
    fs.writeFileSync(path.join(dataFolder(place.home), 'node'), `${file}\n`);
  };
  const faults: [string, () => void][] = [
    ['prints nothing', fake('exit 0')],
    ['prints text', fake('echo fine')],
    ['prints half an answer', fake(`printf '%s' '${answer('allow').slice(0, -3)}'`)],
    ['prints an allow and fails', fake(`printf '%s' '${answer('allow')}'; exit 1`)],
    ['prints {} and is killed', fake('echo {}; kill -9 $$')],
    ['exits 2', fake('exit 2')],
    [
      'is no program',
      () => {
        fake('')();
        fs.writeFileSync(path.join(place.root, 'fake-node'), '\x7fELF no program');
      },
    ],
  ];
  test.each(faults)('that %s: refused', async (_, arrange) => {
    arrange();
    const { effect, code, stderr } = await runHook(place, openCall(place), { plugin: hurried });
    expect(effect).toBe('blocked');
    expect(code).toBe(2);
    expect(stderr).toContain('Modes: ');
  });

  test('that runs without end: denied with a reason', async () => {
    fake('while :; do :; done')();
    const { effect, code, stdout } = await runHook(place, openCall(place), { plugin: hurried });
    expect({ effect, code }).toEqual({ effect: 'deny', code: 0 });
    expect(stdout).toContain('did not decide this call within its limits');
  });

  test('whose recorded path is gone is searched in the system folders', async () => {
    fake('')();
    fs.rmSync(path.join(place.root, 'fake-node'));
    expect((await runHook(place, closedCall(place))).effect).toBe('deny');
    expect((await runHook(place, openCall(place))).effect).toBe('pass');
  });

  test('missing in the plugin: refused', async () => {
    const plugin = copyPlugin(path.join(place.root, 'plugin'), (folder) => fs.rmSync(path.join(folder, 'dist/hook.cjs')));
    expect((await runHook(place, openCall(place), { plugin })).effect).toBe('blocked');
    fs.rmSync(path.join(plugin, 'dist'), { recursive: true });
    expect((await runHook(place, openCall(place), { plugin })).effect).toBe('blocked');
  });

  test('context is missing rather than wrong when it fails', async () => {
    fake('echo MODE: anything')();
    expect(await runHook(place, '{}', { event: 'SessionStart' })).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('an event', () => {
  shareProject();

  const file = () => path.join(place.project, 'src/calc.ts');
  /** Events that are not what they should be, and would write if they were carried out. */
  const events: [string, () => string | Buffer | object][] = [
    ['that is empty', () => ''],
    ['that is no JSON', () => 'Write src/calc.ts'],
    ['that is null', () => 'null'],
    ['that is a list', () => '[]'],
    ['that is a string', () => '"x"'],
    ['that is cut', () => JSON.stringify(closedCall(place)).slice(0, -20)],
    ['followed by another', () => JSON.stringify(openCall(place)) + JSON.stringify(closedCall(place))],
    ['with a byte order mark', () => `\ufeff${JSON.stringify(closedCall(place))}`],
    ['that is no UTF-8', () => Buffer.concat([Buffer.from('{"tool_name":"Write\xff'), Buffer.from([0xff, 0xfe, 0x00])])],
    ['of 40 MB', () => eventOf(place, 'Write', { file_path: file(), content: 'x'.repeat(40_000_000) })],
    ['of a hundred thousand brackets', () => `{"tool_input":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['with a NUL in the path', () => eventOf(place, 'Write', { file_path: `${file()}\u0000.md`, content: 'x' })],
    ['with half a surrogate in the path', () => JSON.stringify(closedCall(place)).replace('calc', 'c\\ud800lc')],
    ['with a NUL in a command', () => eventOf(place, 'Bash', { command: `ls\u0000; echo x > src/calc.ts` })],
    ['without a tool', () => eventOf(place, '', { file_path: file() })],
    ['with a tool that is no text', () => ({ ...closedCall(place), tool_name: 7 })],
    ['with the tool __proto__', () => eventOf(place, '__proto__', { file_path: file() })],
    ['with the tool constructor', () => eventOf(place, 'constructor', { file_path: file() })],
    ['with an unknown tool', () => eventOf(place, 'Teleport', { file_path: file() })],
    ['without an input', () => ({ ...closedCall(place), tool_input: undefined })],
    ['with an input that is a list', () => eventOf(place, 'Write', [file(), 'x'])],
    ['with an input that is text', () => eventOf(place, 'Write', `${file()}`)],
    ['with a path that is a list', () => eventOf(place, 'Write', { file_path: [file()], content: 'x' })],
    ['with a path that is missing', () => eventOf(place, 'Write', { content: 'x' })],
    ['with an empty path', () => eventOf(place, 'Write', { file_path: '', content: 'x' })],
    [
      'with two paths under one name',
      () => JSON.stringify(openCall(place)).replace('"tool_name":"Read"', '"tool_name":"Read","tool_name":"Write"'),
    ],
    ['with a command that is no text', () => eventOf(place, 'Bash', { command: { run: 'echo x > src/calc.ts' } })],
    [
      'with a folder that does not exist',
      () => ({ ...eventOf(place, 'Write', { file_path: 'src/calc.ts', content: 'x' }), cwd: '/nonexistent' }),
    ],
    ['without a folder', () => ({ ...eventOf(place, 'Bash', { command: 'echo x > src/calc.ts' }), cwd: undefined })],
    ['with a folder that is no text', () => ({ ...eventOf(place, 'Bash', { command: 'echo x > src/calc.ts' }), cwd: 5 })],
    ['with a relative folder', () => ({ ...eventOf(place, 'Bash', { command: 'echo x > calc.ts' }), cwd: 'src' })],
    ['of another kind', () => ({ ...closedCall(place), hook_event_name: 'PostToolUse' })],
    ['of an unknown kind', () => ({ ...closedCall(place), hook_event_name: 'BeforeEverything' })],
    ['with a field of tomorrow', () => ({ ...closedCall(place), shiny: { new: true } })],
  ];

  const harmless = (effect: string) => ['deny', 'blocked', 'ask'].includes(effect);

  test.each(events)('%s: refused without a server', async (_, make) => {
    const { effect, stdout, stderr } = await runHook(place, make());
    expect(harmless(effect), `${effect}: ${stdout}${stderr}`).toBe(true);
    expect(stdout + stderr).toMatch(/\w{3}/);
  });

  test('a server refuses each of them and continues', async () => {
    pipe = await openPipe(place);
    const found: [string, string][] = [];
    for (const [name, make] of events) {
      const { effect, stdout, stderr } = await runHook(place, make(), { client: process.pid });
      if (!harmless(effect)) found.push([name, `${effect}: ${stdout}${stderr}`]);
    }
    expect(found).toEqual([]);
    expect((await runHook(place, openCall(place), { client: process.pid })).effect).toBe('pass');
    expect(pipe.process.exitCode).toBeNull();
  });
});

describe('a project folder that is gone', () => {
  ownProject();

  test('stays governed by its name', async () => {
    pipe = await openPipe(place);
    await pipe.hook(openCall(place));
    await pipe.stop();
    pipe = undefined;
    const call = closedCall(place);
    const cwd = place.root;
    fs.rmSync(place.project, { recursive: true });
    expect(REFUSED).toContain((await runHook(place, call, { cwd })).effect);
  });
});

describe('a project without modes', () => {
  ownProject(plainProject);

  test('starts no Node process and prints nothing', async () => {
    fs.mkdirSync(dataFolder(place.home), { recursive: true });
    fs.writeFileSync(path.join(place.root, 'fake-node'), `#!/bin/sh\necho started > '${place.root}/started'\n`, { mode: 0o755 });
    fs.writeFileSync(path.join(dataFolder(place.home), 'node'), path.join(place.root, 'fake-node'));
    for (const event of ['PreToolUse', 'SessionStart', 'SubagentStart']) {
      expect(await runHook(place, closedCall(place), { event })).toMatchObject({ code: 0, stdout: '', stderr: '' });
    }
    expect(fs.existsSync(path.join(place.root, 'started'))).toBe(false);
  });

  test('stays ungoverned without a home folder', async () => {
    expect(await runHook(place, closedCall(place), { env: { HOME: '' } })).toMatchObject({ code: 0, stdout: '' });
  });
});

describe('an unusual environment', () => {
  shareProject();

  test.each([
    ['no PATH', { PATH: '' }],
    ['no home', { HOME: '' }],
    ['a home that does not exist', { HOME: '/nonexistent' }],
    ['another field separator', { IFS: 'o' }],
    ['shell options', { ENV: '/nonexistent', SHELLOPTS: 'xtrace', POSIXLY_CORRECT: '1' }],
    ['a proxy', { http_proxy: 'http://127.0.0.1:9', ALL_PROXY: 'http://127.0.0.1:9' }],
    ['options for Node', { NODE_OPTIONS: '--require /nonexistent.js' }],
  ])('%s: the closed call is refused', async (_, env) => {
    expect(REFUSED).toContain((await runHook(place, closedCall(place), { env })).effect);
  });
});
