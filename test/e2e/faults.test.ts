// What fails closes: the server, the socket, the files and the folder names, each broken while the real client works.

import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pluginFolder, type Session, type SessionOptions, SYSTEM_PATH, session } from './client.ts';
import { dataFolder, go, serversOf, viewedMode } from './mode.ts';
import { type Block, bash, mcp, say, type Turn, use } from './model.ts';
import { openPane } from './pane.ts';
import { makePlace, type Place } from './place.ts';
import { signal, until } from './processes.ts';
import { tddProject } from './project.ts';
import { differences, readTree } from './tree.ts';

const SOURCE = 'export const first = 1;\n';

let place: Place;
let plugins: Place;
const cleanups: (() => void)[] = [];
beforeAll(() => {
  plugins = makePlace({ name: 'plugins' });
});
afterAll(() => plugins.remove());
beforeEach(() => {
  place = tddProject();
});
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean();
  place.remove();
});

/** A copy of the plugin, for breaking it. */
function copyPlugin(name: string, change: (folder: string) => void): string {
  const folder = path.join(plugins.project, name);
  if (!fs.existsSync(folder)) {
    fs.cpSync(pluginFolder(), folder, { recursive: true, verbatimSymlinks: true });
    change(folder);
  }
  return folder;
}
const withoutServer = () => copyPlugin('without-server', (folder) => fs.rmSync(path.join(folder, 'dist/server.mjs')));

/** The sh client looks for programs only in fixed places; the copy looks in a folder that has none but these. */
function onlyWith(...programs: string[]): string {
  return copyPlugin(`only-${programs.join('-') || 'nothing'}`, (folder) => {
    const bin = path.join(folder, 'test-bin');
    fs.mkdirSync(bin);
    for (const program of programs) {
      const real =
        program === 'node'
          ? process.execPath
          : spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
      fs.symlinkSync(real, path.join(bin, program));
    }
    const script = path.join(folder, 'hooks/client.sh');
    const text = fs.readFileSync(script, 'utf8');
    expect(text.match(/^PATH=\S+$/gm)).toHaveLength(1);
    fs.writeFileSync(script, text.replace(/^PATH=\S+$/m, `PATH='${bin}'`));
    fs.rmSync(path.join(folder, 'dist/server.mjs'));
  });
}

/** Goes to test-dev in a session of its own, for scenarios whose session has no server. */
const inTestDev = async () => {
  const { calls } = await session({ ...place, turns: go('test-dev') });
  expect(calls[0]?.refused, calls[0]?.result).toBe(false);
};
/** The call that a session starts with: to test-dev, unless the project is there. */
const opening = () => (viewedMode(place) === 'test-dev' ? bash('ls') : go('test-dev')[0]!);

/** Calls that must not happen in test-dev, one that may, and one that reads. */
const probes = (project: string): Block[][] => [
  use('Write', { file_path: path.join(project, 'src/calc.ts'), content: 'probe' }),
  bash(`sed -i s/first/probe/ ${quote(path.join(project, 'src/calc.ts'))}`),
  bash(`echo probe > ${quote(path.join(project, 'src/new.ts'))}`),
  use('Write', { file_path: path.join(project, 'test/new.test.ts'), content: 'probe' }),
  use('Read', { file_path: path.join(project, 'README.md') }),
];
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

interface Probed {
  run: Session;
  /** What the file system shows of the calls that must not happen. */
  opened: string[];
  /** The permitted write happened. */
  goesOn: boolean;
  reads: boolean;
  told: string[];
}

/** Runs a session in test-dev: the opening call, what `during` breaks, then the probes. */
async function probe(
  options: Partial<SessionOptions> = {},
  during: (mark: string) => void | Promise<void> = () => undefined,
  first = opening(),
): Promise<Probed> {
  const mark = randomUUID();
  const [broken, ...rest] = probes(place.project);
  let before = readTree(place.project);
  const breaking: Turn = async () => {
    await during(mark);
    before = readTree(place.project);
    return broken!;
  };
  const run = await session({ ...place, turns: [first, breaking, ...rest, say('probed')], mark, limit: 55_000, ...options });
  const probed = run.calls.slice(1);
  expect(probed, run.stderr).toHaveLength(5);
  const changed = differences(before, readTree(place.project));
  return {
    run,
    opened: [
      ...changed.filter((name) => /^.src/.test(name)),
      ...probed
        .slice(0, 3)
        .filter(({ refused }) => !refused)
        .map(({ name }) => `${name} ran`),
    ],
    goesOn: changed.includes('+test/new.test.ts') && probed[3]?.refused === false,
    reads: probed[4]?.refused === false,
    told: probed.map(({ result }) => result ?? ''),
  };
}

/** Breaks one thing after the other in one session; after each, a call that must not happen and one that may. */
async function probeEach(faults: [string, () => void | Promise<void>][], options: Partial<SessionOptions> = {}) {
  const found: Record<string, { opened: boolean; goesOn: boolean; view?: string }> = {};
  const settle = (name: string | undefined) => {
    if (name === undefined) return;
    found[name] = { opened: place.read('src/calc.ts') !== SOURCE, goesOn: place.exists('test/new.test.ts'), view: viewIfWhole() };
    place.write('src/calc.ts', SOURCE);
    fs.rmSync(path.join(place.project, 'test/new.test.ts'), { force: true });
  };
  const turns: Turn[] = faults.flatMap(([, breakIt], index): Turn[] => [
    async () => {
      settle(faults[index - 1]?.[0]);
      await breakIt();
      return use('Write', { file_path: path.join(place.project, 'src/calc.ts'), content: 'probe' });
    },
    use('Write', { file_path: path.join(place.project, 'test/new.test.ts'), content: 'probe' }),
  ]);
  const last: Turn = () => {
    settle(faults.at(-1)?.[0]);
    return say('probed');
  };
  const run = await session({ ...place, turns: [opening(), ...turns, last], limit: 55_000, ...options });
  expect(run.calls, run.stderr).toHaveLength(1 + 2 * faults.length);
  return found;
}

function viewIfWhole(): string | undefined {
  try {
    return viewedMode(place);
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'torn';
  }
}

const closed = { opened: [], goesOn: true, reads: true };

const socketOf = (where: Place) => path.join(where.project, '.claude/mode.sock');

/** Puts another server on the project's socket. */
async function bindForeign(answer: (socket: net.Socket) => void): Promise<void> {
  for (const clean of cleanups.splice(0)) clean();
  fs.rmSync(socketOf(place), { force: true });
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((ready) => server.listen(socketOf(place), ready));
  cleanups.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
}
const http200 =
  (body: string, length = Buffer.byteLength(body)) =>
  (socket: net.Socket) =>
    void socket.end(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`);

/** The health answer of whoever serves the socket, reached as the hook does: relative to `.claude`. */
function health(where: Place): Promise<unknown> {
  const before = process.cwd();
  return new Promise((resolve) => {
    process.chdir(path.join(where.project, '.claude'));
    const request = http.get({ socketPath: 'mode.sock', path: '/health' }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    request.on('error', () => resolve(undefined));
    process.chdir(before);
  });
}

describe('the server', () => {
  test('killed with SIGKILL between two calls: decisions go on, the mode stays', async () => {
    const found = await probe({}, (mark) => {
      const servers = serversOf(mark);
      expect(servers).toHaveLength(1);
      signal(servers[0]!, 'SIGKILL');
    });
    expect(found).toMatchObject(closed);
    expect(viewedMode(place)).toBe('test-dev');
  });

  test('killed and not startable again: the one-shot process decides', async () => {
    const plugin = copyPlugin('killed-for-good', () => undefined);
    const found = await probe({ plugin }, (mark) => {
      fs.renameSync(path.join(plugin, 'dist/server.mjs'), path.join(plugin, 'dist/server.gone'));
      for (const pid of serversOf(mark)) signal(pid, 'SIGKILL');
    });
    expect(found).toMatchObject(closed);
  });

  test('never started: the one-shot process decides', async () => {
    await inTestDev();
    expect(await probe({ plugin: withoutServer() })).toMatchObject(closed);
  });

  test('kept out by --strict-mcp-config: the one-shot process decides', async () => {
    await inTestDev();
    expect(await probe({ args: ['--strict-mcp-config'] })).toMatchObject(closed);
  });

  test('hanging: nothing is opened', async () => {
    const mark = randomUUID();
    const freeze: Turn = () => {
      for (const pid of serversOf(mark)) signal(pid, 'SIGSTOP');
      return bash('echo probe > src/calc.ts');
    };
    const { calls } = await session({ ...place, mark, turns: [opening(), freeze, say('done')], limit: 55_000 });
    expect(calls[1]?.refused).toBe(true);
    expect(place.read('src/calc.ts')).toBe(SOURCE);
  });

  test('stopped, and another one answers {} in its place: the one-shot process decides', async () => {
    const mark = randomUUID();
    const forger = net.createServer((socket) =>
      socket.on('error', () => socket.destroy()).once('data', () => http200('{}')(socket)),
    );
    const forge: Turn = async () => {
      for (const pid of serversOf(mark)) signal(pid, 'SIGSTOP');
      fs.rmSync(`${place.project}/.claude/mode.sock`, { force: true });
      await new Promise<void>((done) => forger.listen(`${place.project}/.claude/mode.sock`, done));
      return bash('echo probe > src/calc.ts');
    };
    try {
      const { calls } = await session({ ...place, mark, turns: [opening(), forge, say('done')], limit: 55_000 });
      expect(calls[1]?.refused).toBe(true);
      expect(place.read('src/calc.ts')).toBe(SOURCE);
    } finally {
      forger.close();
    }
  });

  test('Node missing for the one-shot process: every call is refused with the reason', async () => {
    await inTestDev();
    fs.writeFileSync(path.join(dataFolder(place.home), 'node'), '/nonexistent/node\n'); // the one recorded by the server
    const found = await probe({ plugin: onlyWith('curl') });
    expect(found).toMatchObject({ opened: [], goesOn: false, reads: false });
    expect(found.told[0]).toMatch(/node is not found.*Node 20/s);
  });

  test('curl missing: the one-shot process decides', async () => {
    await inTestDev();
    expect(await probe({ plugin: onlyWith('node') })).toMatchObject(closed);
  });
});

describe('the socket', () => {
  const foreign: [string, (socket: net.Socket) => void][] = [
    ['answers {}', http200('{}')],
    [
      'answers an allow',
      http200(
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"free"}}',
      ),
    ],
    ['answers truncated JSON', http200('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDec')],
    ['answers less than it announced', http200('{}', 400)],
    ['answers nothing and closes', (socket) => void socket.end()],
    ['answers nothing and hangs', () => undefined],
    ['answers 500', (socket) => void socket.end('HTTP/1.1 500 no\r\ncontent-length: 2\r\n\r\n{}')],
    ['redirects', (socket) => void socket.end('HTTP/1.1 302 no\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 2\r\n\r\n{}')],
  ];

  const bind = (some: typeof foreign): [string, () => Promise<void>][] =>
    some.map(([name, answer]) => [name, () => bindForeign(answer)]);

  test('of a foreign server opens nothing while the own server lives, whatever it answers', async () => {
    const found = await probeEach(bind(foreign));
    expect(Object.entries(found).filter(([, { opened }]) => opened)).toEqual([]);
    expect(Object.keys(found)).toHaveLength(foreign.length);
  });

  test('of a foreign server is not asked when the session has no server of its own', async () => {
    await inTestDev();
    const found = await probeEach(bind(foreign), { plugin: withoutServer() });
    expect(Object.entries(found).filter(([, { opened, goesOn }]) => opened || !goesOn)).toEqual([]);
  });

  test('a hostile ~/.curlrc turns no deny into {}', async () => {
    fs.writeFileSync(path.join(place.home, '.curlrc'), 'output = /dev/null\nwrite-out = "{}"\n');
    expect(await probe()).toMatchObject(closed);
  });

  test('at a path over 107 bytes is served, and asked', async () => {
    place.remove();
    place = tddProject({ name: `${'deep/'.repeat(12)}${'d'.repeat(60)}` });
    expect(Buffer.byteLength(socketOf(place))).toBeGreaterThan(107);
    let served: unknown;
    const found = await probe({}, async () => {
      served = await until('the socket', () => health(place));
    });
    expect(found).toMatchObject(closed);
    expect(served).toBeTruthy();
    expect(fs.existsSync(socketOf(place))).toBe(false);
  });
});

describe('a folder name with', () => {
  const names: [string, string][] = [
    ['spaces', 'my  project '],
    ['single and double quotes', `it's "quoted"`],
    ['a newline', 'two\nlines'],
    ['a command substitution', '$(touch made) `touch made`'],
    ['a backslash and a star', 'back\\slash*'],
    ['a leading dash', '-rf'],
    ['other alphabets', 'Проект 项目'],
  ];
  for (const [what, name] of names) {
    test(`${what}: src closed, tests open`, async () => {
      place.remove();
      place = tddProject({ name });
      expect(await probe()).toMatchObject(closed);
      if (/['"\n`]/.test(name)) expect(await probe({ plugin: withoutServer() })).toMatchObject({ opened: [], reads: true });
    });
  }

  test('spaces and quotes in the plugin: decisions are the same', async () => {
    const plugin = copyPlugin(`plug in 'with' "quotes"`, () => undefined);
    const { calls } = await session({ ...place, plugin, turns: go('test-dev') });
    expect(calls[0]?.refused).toBe(false);
    expect(await probe({ plugin })).toMatchObject(closed);
  });
});

describe('the view, mode-state.json', () => {
  const rewrite = (text: string) => () => place.write('.claude/mode-state.json', text);
  const faults: [string, () => void][] = [
    ['null', rewrite('null')],
    ['torn', rewrite('{"currentMode":"feat')],
    ['empty', rewrite('')],
    ['rewritten by hand', rewrite('{"currentMode":"feature-dev","history":[]}')],
    ['naming the mode constructor', rewrite('{"currentMode":"constructor","history":[]}')],
    ['removed', () => fs.rmSync(path.join(place.project, '.claude/mode-state.json'), { force: true })],
  ];
  const whole = Object.fromEntries(faults.map(([name]) => [name, { opened: false, goesOn: true, view: 'test-dev' }]));

  test('broken during a session: the journal is the truth, and the view is rewritten', async () => {
    expect(await probeEach(faults)).toEqual(whole);
  });

  test('broken while there is no server: the journal is the truth', async () => {
    await inTestDev();
    expect(await probeEach(faults, { plugin: withoutServer() })).toMatchObject(
      Object.fromEntries(faults.map(([name]) => [name, { opened: false, goesOn: true }])),
    );
  });

  test('copied with the folder, without a journal: read-only until a person names the mode', async () => {
    place.write('.claude/mode-state.json', '{"currentMode":"feature-dev","history":[]}');
    expect(await probe()).toMatchObject({ opened: [], goesOn: false, reads: true });
  });
});

describe('the configuration', () => {
  const TORN = '{ "permissions": {\n  "deny": [ "Write(src/**)" \n';

  test('broken in a project that was never trusted: reads pass, the rest is denied with file and line', async () => {
    await inTestDev();
    place.write('.claude/settings.test-dev.json', TORN);
    const found = await probe();
    expect(found).toMatchObject({ opened: [], goesOn: false, reads: true });
    expect(found.told[0]).toMatch(/settings\.test-dev\.json:\d+/);
  });

  test('broken during a session: nothing is opened', async () => {
    const { opened, reads } = await probe({}, () => place.write('.claude/settings.test-dev.json', TORN));
    expect({ opened, reads }).toEqual({ opened: [], reads: true });
  });

  test('broken, without a server: the same', async () => {
    await inTestDev();
    place.write('.claude/settings.test-dev.json', TORN);
    expect(await probe({ plugin: withoutServer() })).toMatchObject({ opened: [], goesOn: false, reads: true });
  });

  test('modes.yaml removed during a session: nothing is opened', async () => {
    const { opened } = await probe({}, () => fs.rmSync(path.join(place.project, '.claude/modes.yaml')));
    expect(opened).toEqual([]);
  });

  test('modes.yaml removed between sessions: the project stays governed [s:project.governed-before]', async () => {
    await inTestDev();
    fs.rmSync(path.join(place.project, '.claude/modes.yaml'));
    expect(await probe()).toMatchObject({ opened: [], reads: true });
    expect(await probe({ plugin: withoutServer() })).toMatchObject({ opened: [], reads: true });
  });

  test('narrowed during a session: the next call feels it', async () => {
    const settings = JSON.parse(place.read('.claude/settings.test-dev.json')!.replace(/^\s*\/\/.*$/gm, '')) as {
      permissions: { deny: string[] };
    };
    settings.permissions.deny.push('Write(test/**)');
    const found = await probe({}, async () => {
      place.write('.claude/settings.test-dev.json', JSON.stringify(settings));
      await new Promise((next) => setTimeout(next, 300)); // the promised time for an edit to take effect
    });
    expect(found).toMatchObject({ opened: [], goesOn: false, reads: true });
  });

  test('the mode constructor is nobody: transition and typed command name it as unknown', async () => {
    const { calls } = await session({ ...place, turns: [mcp('transition', { target: 'constructor', explanation: 'because' })] });
    expect(calls[0]?.result).toContain('constructor');
    const { result, requests } = await session({ ...place, turns: [], prompt: '/modes:mode __proto__' });
    expect(result).toContain('__proto__');
    expect(requests).toEqual([]);
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });

  /** Writes the setting that silences every hook; the client looks at its settings while the command sleeps. */
  const silence: Turn = () => {
    place.write('.claude/settings.local.json', '{"disableAllHooks": true}');
    return bash('sleep 2');
  };

  test('disableAllHooks written during a session: hooks stay on [s:threat.disable]', async () => {
    const { calls } = await session({ ...place, turns: [opening(), silence, ...probes(place.project)] });
    expect(calls.slice(2, 5).map(({ refused }) => refused)).toEqual([true, true, true]);
    expect(place.read('src/calc.ts')).toBe(SOURCE);
  });

  test('the same without our ConfigChange hook would silence them', async () => {
    const plugin = copyPlugin('without-config-change', (folder) => {
      const file = path.join(folder, 'hooks/hooks.json');
      const { hooks } = JSON.parse(fs.readFileSync(file, 'utf8')) as { hooks: Record<string, unknown> };
      delete hooks.ConfigChange;
      fs.writeFileSync(file, JSON.stringify({ hooks }));
    });
    await session({ ...place, plugin, turns: [opening(), silence, ...probes(place.project)] });
    expect(place.read('src/calc.ts')).not.toBe(SOURCE);
  });
});

describe('sessions side by side', () => {
  test('a second one that starts and ends leaves the first one its server and socket', async () => {
    let served: unknown;
    const found = await probe({}, async () => {
      const second = await session({ ...place, turns: [bash('echo second > src/calc.ts'), say('bye')] });
      expect(second.calls[0]?.refused).toBe(true);
      served = await health(place);
    });
    expect(found).toMatchObject(closed);
    expect(served).toBeTruthy();
  });

  test('one that ends leaves the socket to the other', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((open) => {
      release = open;
    });
    let started: () => void = () => undefined;
    const running = new Promise<void>((open) => {
      started = open;
    });
    const elder = session({
      ...place,
      turns: [
        bash('ls'),
        async () => {
          started();
          await gate;
          return say('bye');
        },
      ],
    });
    await running;
    let served: unknown;
    const found = await probe({}, async () => {
      release();
      await elder;
      served = await until('the socket to be taken over', () => health(place));
    });
    expect(found).toMatchObject(closed);
    expect(served).toBeTruthy();
  });

  test('a mode changed by one is the mode of the other', async () => {
    const found = await probe({}, async () => {
      const other = await session({ ...place, turns: go('feature-dev') });
      expect(other.calls[0]?.refused).toBe(false);
    });
    expect(found.opened).toContain('~src/calc.ts');
    expect(found.goesOn).toBe(false);
  });
});

describe('where the client starts', () => {
  test('a subfolder with a repository of its own is still governed by the project above it [s:project.nearest] [s:project.git]', async () => {
    fs.mkdirSync(path.join(place.project, 'sub/deep'), { recursive: true });
    spawnSync('git', ['init', '-q'], { cwd: path.join(place.project, 'sub'), env: { PATH: SYSTEM_PATH, HOME: place.home } });
    expect(fs.existsSync(path.join(place.project, 'sub/.git'))).toBe(true);
    expect(await probe({ cwd: path.join(place.project, 'sub') })).toMatchObject(closed);
    expect(await probe({ cwd: path.join(place.project, 'sub/deep'), plugin: withoutServer() })).toMatchObject({
      opened: [],
      reads: true,
    });
  });

  test('git init during the session changes nothing', async () => {
    fs.mkdirSync(path.join(place.project, 'sub'));
    const found = await probe({ cwd: path.join(place.project, 'sub') }, () => {
      spawnSync('git', ['init', '-q'], { cwd: path.join(place.project, 'sub'), env: { PATH: SYSTEM_PATH, HOME: place.home } });
    });
    expect(found).toMatchObject(closed);
  });
});

describe('trust', () => {
  /** A person in a terminal of their own; the pane's process is no descendant of whatever runs this suite. */
  const approve = async () => {
    const pane = openPane({
      command: [path.join(pluginFolder(), 'bin/modes'), 'trust'],
      cwd: place.project,
      env: { HOME: place.home, PATH: SYSTEM_PATH, TERM: 'xterm' },
    });
    try {
      await pane.waitFor('Approve exactly this configuration');
      pane.type('y');
      pane.key('Enter');
      await pane.waitFor('Trusted: ');
    } finally {
      pane.close();
    }
  };
  const probeDefault = () =>
    session({ ...place, permissionMode: 'default', turns: [probes(place.project)[3]!, probes(place.project)[0]!, say('done')] });

  test("an untrusted project's allow grants nothing; after modes trust it does [s:trust.terminal] [s:untrusted.allow]", async () => {
    await inTestDev();
    const before = await probeDefault();
    expect(before.calls.map(({ refused }) => refused)).toEqual([true, true]);
    expect(place.exists('test/new.test.ts')).toBe(false);
    await approve();
    const after = await probeDefault();
    expect(after.calls.map(({ refused }) => refused)).toEqual([false, true]);
    expect(place.read('test/new.test.ts')).toBe('probe');
    expect(place.read('src/calc.ts')).toBe(SOURCE);
  });
});
