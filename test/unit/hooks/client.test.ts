// The hook client as a shell script: what it finds, whom it asks, what closes without a server.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from '../../support/plugin.ts';
import { contextOf, decision, Fixture, fallback, folderNames, hangs, late, type Result, shells } from './fixture.ts';

const nothing: Partial<Result> = { code: 0, out: '', err: '', ran: [] };
const byOneShot = { code: 0, out: `${fallback}\n` };
const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const http = (status: string, body: string, length = Buffer.byteLength(body)) =>
  `HTTP/1.1 ${status}\r\ncontent-length: ${length}\r\n\r\n${body}`;

describe.each(shells)('in %s', (...shell) => {
  describe('a project that is not governed', () => {
    test('starts only this shell', async () => {
      expect(await new Fixture().run({ shell })).toEqual(nothing);
    });

    test('ignores a large event without reading it', async () => {
      expect(await new Fixture().run({ shell, stdin: 'x'.repeat(3_000_000), hold: true })).toEqual(nothing);
    });

    test.each(['SessionStart', 'SubagentStart', 'UserPromptSubmit'])('gets no context on %s', async (event) => {
      expect(await new Fixture().run({ shell, event })).toEqual(nothing);
    });

    test('includes the home folder and /, with any contents [s:project.home]', async () => {
      const fixture = new Fixture();
      fs.writeFileSync(path.join(fixture.home, '.claude/modes.yaml'), '');
      fs.rmSync(path.join(fixture.home, '.claude/modes.yaml'));
      fs.mkdirSync(path.join(fixture.data, 'governed'), { recursive: true });
      fs.writeFileSync(path.join(fixture.data, 'governed/.modes'), '');
      expect(await fixture.run({ shell, env: { CLAUDE_PROJECT_DIR: '/' } })).toEqual(nothing);
      fs.mkdirSync(path.join(fixture.data, 'governed', fixture.home), { recursive: true });
      fs.writeFileSync(path.join(fixture.data, 'governed', fixture.home, '.modes'), '');
      expect(await fixture.run({ shell })).toEqual(nothing);
      expect(await fixture.run({ shell, env: { CLAUDE_PROJECT_DIR: fixture.home } })).toEqual(nothing);
    });

    test('may be missing', async () => {
      const fixture = new Fixture();
      expect(await fixture.run({ shell, env: { CLAUDE_PROJECT_DIR: `${fixture.top}/gone/deep` }, cwd: fixture.home })).toEqual(
        nothing,
      );
    });
  });

  describe('a folder that is not governed', () => {
    const marked = (...names: string[]): Fixture => {
      const fixture = new Fixture();
      for (const name of names) {
        const mark = path.join(fixture.data, 'governed', path.resolve(fixture.project, name));
        fs.mkdirSync(mark, { recursive: true });
        fs.writeFileSync(path.join(mark, '.modes'), '');
      }
      return fixture;
    };

    test.each(['a', 'deep/er/a', '.hidden', 'with blank'])(
      'sends the call if a governed project is at %s below it',
      async (name) => {
        const fixture = marked(name);
        const result = await fixture.run({ shell });
        expect(result).toMatchObject(byOneShot);
        expect(result.ran).toMatchObject([{ args: ['PreToolUse', fixture.project] }]);
      },
    );

    test('does not send it if one is only beside it', async () => {
      expect(await marked('../beside', '../project-2').run({ shell })).toEqual(nothing);
    });
  });

  describe('a project is governed', () => {
    const roots: [string, (fixture: Fixture) => string | undefined][] = [
      ['by its own modes.yaml', () => undefined],
      ['by one in a folder above', (fixture) => folder(`${fixture.project}/packages/a`)],
      ['through a repository of its own in between', (fixture) => path.dirname(folder(`${fixture.project}/packages/a/.git`))],
      ['through a link to it', (fixture) => link(fixture.project, `${fixture.home}/alias`)],
      ['with a start folder that ends with a slash', (fixture) => `${fixture.project}/`],
      ['with a start folder below it that is gone', (fixture) => `${fixture.project}/gone`],
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
      const fixture = new Fixture().govern();
      const result = await fixture.run({ shell, env: { CLAUDE_PROJECT_DIR: start(fixture) ?? fixture.project } });
      expect(result).toMatchObject(byOneShot);
      expect(result.ran).toMatchObject([{ args: ['PreToolUse', fixture.project] }]);
    });

    test('because it was governed before, even if it is empty now', async () => {
      const fixture = new Fixture();
      fs.rmSync(fixture.project, { recursive: true });
      fs.mkdirSync(path.join(fixture.data, 'governed', fixture.project), { recursive: true });
      fs.writeFileSync(path.join(fixture.data, 'governed', fixture.project, '.modes'), '');
      expect(await fixture.run({ shell, cwd: fixture.home })).toMatchObject({
        ...byOneShot,
        ran: [{ args: ['PreToolUse', fixture.project] }],
      });
    });

    test('by the folder of the hook, if the start folder is gone', async () => {
      const fixture = new Fixture().govern();
      for (const cwd of [fixture.project, path.join(fixture.project, '.claude'), link(fixture.project, `${fixture.home}/alias`)])
        expect(await fixture.run({ shell, cwd, env: { CLAUDE_PROJECT_DIR: `${fixture.top}/gone` } })).toMatchObject({
          ...byOneShot,
          ran: expect.arrayContaining([expect.objectContaining({ args: ['PreToolUse', fixture.project] })]),
        });
    });

    test.each([true, false])('or not, when the folder where the hook runs is gone: %s', async (isGoverned) => {
      const fixture = new Fixture();
      if (isGoverned) fixture.govern();
      const [name, command, args] = shell;
      const gone = folder(`${fixture.project}/gone`);
      const inGone: typeof shell = [name, '/bin/sh', ['-c', 'rmdir "$PWD" && unset PWD && exec "$@"', 'sh', command, ...args]];
      const result = await fixture.run({ shell: inGone, cwd: gone, env: { CLAUDE_PROJECT_DIR: fixture.project } });
      expect(result).toMatchObject({ code: 0, out: isGoverned ? byOneShot.out : '' });
    });

    test('by a broken link in place of modes.yaml', async () => {
      const fixture = new Fixture();
      fs.symlinkSync('gone', path.join(fixture.project, '.claude/modes.yaml'));
      expect(await fixture.run({ shell })).toMatchObject(byOneShot);
    });

    test('by a modes.yaml of the user, in whatever folder the client keeps its own', async () => {
      const fixture = new Fixture();
      fs.writeFileSync(path.join(fixture.home, '.claude/modes.yaml'), '');
      expect(await fixture.run({ shell })).toMatchObject({ ...byOneShot, ran: [{ args: ['PreToolUse', fixture.project] }] });
      const other = new Fixture();
      fs.mkdirSync(path.join(other.home, 'cfg/modes-data'), { recursive: true });
      fs.writeFileSync(path.join(other.home, 'cfg/modes.yaml'), '');
      fs.copyFileSync(path.join(other.data, 'node'), path.join(other.home, 'cfg/modes-data/node'));
      expect(await other.run({ shell, env: { CLAUDE_CONFIG_DIR: `${other.home}/cfg/` } })).toMatchObject(byOneShot);
    });

    test('because this session started that way, even if the modes.yaml of the user is gone', async () => {
      const fixture = new Fixture();
      fs.mkdirSync(path.join(fixture.data, 'begun'), { recursive: true });
      fs.writeFileSync(path.join(fixture.data, 'begun/session-1.json'), '{}');
      expect(await fixture.run({ shell, env: { CLAUDE_CODE_SESSION_ID: 'session-2' } })).toEqual(nothing);
      expect(await fixture.run({ shell, env: { CLAUDE_CODE_SESSION_ID: '../begun/session-1' } })).toEqual(nothing);
      expect(await fixture.run({ shell, env: { CLAUDE_CODE_SESSION_ID: 'session-1' } })).toMatchObject(byOneShot);
    });

    test.each(['relative', '${CLAUDE_CONFIG_DIR}', ''])(
      'with the client folder %j, the folder in the home folder is used',
      async (CLAUDE_CONFIG_DIR) => {
        const fixture = new Fixture();
        fs.writeFileSync(path.join(fixture.home, '.claude/modes.yaml'), '');
        expect(await fixture.run({ shell, env: { CLAUDE_CONFIG_DIR } })).toMatchObject(byOneShot);
      },
    );

    test.each<NodeJS.ProcessEnv>([
      { HOME: '.' },
      { HOME: '../project' },
      { HOME: '.claude/..' },
      { HOME: '/proc/self/cwd' },
      { HOME: '//proc/self/../thread-self/cwd/' },
      { CLAUDE_CONFIG_DIR: '/proc/self/cwd/.claude' },
    ])('a user folder %j does not count: no file of the project is run', async (env) => {
      const fixture = new Fixture().govern();
      const [theirs, trace] = [path.join(fixture.project, 'theirs'), path.join(fixture.project, 'trace')];
      fs.mkdirSync(path.join(fixture.project, '.claude/modes-data'), { recursive: true });
      fs.writeFileSync(path.join(fixture.project, '.claude/modes-data/node'), `${theirs}\n`);
      fs.writeFileSync(theirs, `#!/bin/sh\necho ran >'${trace}'\necho '{}'\n`, { mode: 0o755 });
      await fixture.run({ shell, env });
      expect(fs.existsSync(trace)).toBe(false);
    });

    test.each([undefined, '', 'work', '${CLAUDE_PROJECT_DIR}'])(
      'without a start folder (%j), by the folder of the hook',
      async (CLAUDE_PROJECT_DIR) => {
        const fixture = new Fixture().govern();
        expect(await fixture.run({ shell, env: { CLAUDE_PROJECT_DIR } })).toMatchObject({
          ...byOneShot,
          ran: [{ args: ['PreToolUse', fixture.project] }],
        });
      },
    );
  });

  describe('the socket is not used', () => {
    const notOurs: [string, (fixture: Fixture) => void, NodeJS.ProcessEnv?][] = [
      ['without a record', () => undefined],
      ['with the record of another client', (fixture) => fixture.record('pid-4243')],
      [
        'with a record of the session but a client of another process',
        (fixture) => fixture.record('session-1'),
        { CLAUDE_CODE_SESSION_ID: 'session-1' },
      ],
      ['with the record of a server that is gone', (fixture) => fixture.record('pid-4242', 2 ** 22 - 1)],
      ['with an empty record', (fixture) => fixture.record('pid-4242', '')],
      ['with a record that is no number', (fixture) => fixture.record('pid-4242', '1 2')],
      ['with a record that is an option', (fixture) => fixture.record('pid-4242', '-1')],
      ['with a client that names a path', (fixture) => fixture.record('x'), { CLAUDE_PID: '../sessions/x' }],
      [
        'with a session that names a path',
        (fixture) => fixture.record('x'),
        { CLAUDE_PID: undefined, CLAUDE_CODE_SESSION_ID: '../sessions/x' },
      ],
      ['without a build of its own', (fixture) => fixture.record() && fs.rmSync(path.join(fixture.plugin, 'dist/build'))],
      ['with an empty build', (fixture) => fixture.record() && fs.writeFileSync(path.join(fixture.plugin, 'dist/build'), '\n')],
    ];
    test.each(notOurs)('%s', async (_, arrange, env = {}) => {
      const fixture = new Fixture().govern();
      const asked = await fixture.serve('{}');
      arrange(fixture);
      expect(await fixture.run({ shell, env })).toMatchObject(byOneShot);
      expect(asked).toEqual([]);
    });

    test('when it is a link, even to a socket', async () => {
      const fixture = new Fixture().govern().record();
      const elsewhere = net.createServer((socket) => socket.on('error', () => socket.destroy()).end(http('200 OK', '{}')));
      await fixture.bind(elsewhere, 'other.sock');
      fs.symlinkSync('other.sock', fixture.socket);
      expect(await fixture.run({ shell })).toMatchObject(byOneShot);
    });
  });

  test.each([1_000, 300_000, 3_000_000])('without a server the one-shot gets an event of %d bytes completely', async (size) => {
    const fixture = new Fixture().govern();
    const text = JSON.stringify({ text: 'é\0\n"'.repeat(size).slice(0, size) });
    expect(await fixture.run({ shell, stdin: text })).toMatchObject({
      ...byOneShot,
      ran: [{ bytes: Buffer.byteLength(text), sha: sha(text) }],
    });
  });

  describe('without a server an answer of the one-shot is not printed', () => {
    const whole = decision('deny', 'a reason with \\u0022quotes\\u0022');
    test.each(['', 'garbage', '{"a":1}', whole.slice(0, -1), decision('deny', 'a\nline'), contextOf('SessionStart', 'x')])(
      '%j',
      async (answer) => {
        const fixture = new Fixture().govern();
        fixture.oneShot({ answer });
        const result = await fixture.run({ shell });
        expect(result).toMatchObject({ code: 2, out: '' });
        expect(result.err).toMatch(/^Modes: E_HOOK_CHECK the answer of the check is incomplete\. /);
      },
    );

    test.each(['{"a":1}', contextOf('SubagentStart', 'x'), decision('deny', 'x'), contextOf('SessionStart', 'a "quote"'), ''])(
      'as context: %j',
      async (answer) => {
        const fixture = new Fixture().govern();
        fixture.oneShot({ answer });
        expect(await fixture.run({ shell, event: 'SessionStart' })).toMatchObject({ code: 0, out: '' });
      },
    );
  });

  describe('without a server a call is refused with a reason and a remedy when the one-shot', () => {
    test.each<[string, Parameters<Fixture['oneShot']>[0], RegExp]>([
      ['fails', { code: 1, answer: '' }, /did not finish \(exit 1\).*modes validate/],
      ['fails after a whole answer', { code: 1, answer: '{}' }, /did not finish \(exit 1\)/],
      ['is killed', { signal: 'SIGKILL', answer: '' }, /did not finish/],
      ['is killed after a whole answer', { signal: 'SIGSEGV', answer: '{}' }, /did not finish/],
    ])('%s', async (_, behaviour, reason) => {
      const fixture = new Fixture().govern();
      fixture.oneShot(behaviour);
      const result = await fixture.run({ shell });
      expect(result).toMatchObject({ code: 2, out: '' });
      expect(result.err).toMatch(reason);
    });

    test('is not there', async () => {
      const fixture = new Fixture().govern();
      fs.rmSync(path.join(fixture.plugin, 'dist/hook.cjs'));
      expect(await fixture.run({ shell })).toMatchObject({ code: 2, out: '' });
    });

    test('has no Node to run it', async () => {
      const fixture = new Fixture().govern();
      fs.rmSync(path.join(fixture.data, 'node'));
      fixture.without('perl', 'curl');
      const result = await fixture.run({ shell });
      expect(result).toMatchObject({ code: 2, out: '', ran: [] });
      expect(result.err).toMatch(/^Modes: E_HOOK_NODE node is not found\. Install Node 20\.11 or newer/);
      expect(await fixture.run({ shell, event: 'SessionStart' })).toMatchObject({ code: 0, out: '' });
    });

    test('has a recorded Node that is not Node', async () => {
      const fixture = new Fixture().govern();
      fs.writeFileSync(path.join(fixture.data, 'node'), '/bin/false\n');
      expect(await fixture.run({ shell })).toMatchObject({ code: 2, out: '' });
    });

    test.each(hangs)('never ends: %s', async (_, how) => {
      const fixture = new Fixture().govern().hang(how);
      const { code, out, err } = await fixture.run({ shell });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(late);
      expect(await fixture.run({ shell, event: 'SessionStart' })).toMatchObject({ code: 0, out: '' });
      for (const pid of fixture.hung) expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    });

    test('a command that hit the time limit is not reported as an earlier failure', () => {
      const client = fs.readFileSync(path.join(repository, 'hooks/client.sh'), 'utf8');
      const [limiter] = /^within_limit\(\) \{$[\s\S]*?^\}$/m.exec(client) ?? [];
      const script = `limit=0.02
${limiter}
for turn in $(seq 100); do
  within_limit sh -c 'kill -STOP $$' </dev/null
  printf '%s\\n' $?
done`;
      const [, program, args] = shell;
      const { stdout } = spawnSync(program, [...args, '-c', script], { encoding: 'utf8' });
      expect([...new Set(stdout.trimEnd().split('\n'))]).toEqual(['142']);
    });

    test.each(['exit 1', 'echo noise; exit 127', 'kill -9 $$'])('works with a broken perl: %s', async (broken) => {
      const fixture = new Fixture().govern();
      const file = path.join(fixture.top, 'perl');
      fs.writeFileSync(file, `#!/bin/sh\n${broken}\n`, { mode: 0o755 });
      fixture.edit(/^perl=\S+$/m, `perl='${file}'`);
      expect(await fixture.run({ shell })).toMatchObject(byOneShot);
    });

    test('and context is only missing then', async () => {
      const fixture = new Fixture().govern();
      fixture.oneShot({ code: 1 });
      expect(await fixture.run({ shell, event: 'SessionStart' })).toMatchObject({ code: 0, out: '' });
    });
  });

  describe('programs', () => {
    test('are searched in fixed folders, and the client’s PATH is passed on for its protection', async () => {
      const fixture = new Fixture().govern();
      const evil = path.join(fixture.top, 'evil');
      fs.mkdirSync(evil);
      for (const name of ['node', 'curl', 'printf', 'kill', 'cd'])
        fs.writeFileSync(path.join(evil, name), '#!/bin/sh\nprintf {}\n', { mode: 0o755 });
      fs.rmSync(path.join(fixture.data, 'node'));
      const result = await fixture.run({ shell, env: { PATH: `${evil}:/usr/bin` } });
      if (fs.existsSync('/usr/bin/node') || fs.existsSync('/usr/local/bin/node')) expect(result).toMatchObject(byOneShot);
      expect(result.out).not.toBe('{}\n');
      for (const ran of result.ran)
        expect(ran).toMatchObject({
          MODES_PATH: `${evil}:/usr/bin`,
          PATH: '/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin',
          MODES_PLUGIN_ROOT: fixture.plugin,
        });
    });

    test('Node does not load code that a project’s settings name', async () => {
      const fixture = new Fixture().govern();
      const evil = path.join(fixture.top, 'evil.cjs');
      fs.writeFileSync(evil, "require('node:fs').writeSync(1, '{}'); process.exit(0);");
      expect(await fixture.run({ shell, env: { NODE_OPTIONS: `--require ${evil}` } })).toMatchObject(byOneShot);
    });

    test('Node loads no cryptography that the environment names', async () => {
      const fixture = new Fixture().govern();
      const named = path.join(fixture.top, 'openssl.cnf');
      const sections = [
        'nodejs_conf = i',
        '[i]',
        'engines = e',
        '[e]',
        'x = s',
        '[s]',
        'dynamic_path = /nonexistent.so',
        'init = 1',
      ];
      fs.writeFileSync(named, sections.join('\n'));
      expect(await fixture.run({ shell, env: { OPENSSL_CONF: named } })).toMatchObject(byOneShot);
    });

    test('Node ignores variables for IPC channels, test runners, debuggers and time zones', async () => {
      const fixture = new Fixture().govern();
      const set = {
        NODE_CHANNEL_FD: '0',
        NODE_UNIQUE_ID: '1',
        NODE_DEBUG: '*',
        NODE_DEBUG_NATIVE: 'x',
        NODE_TEST_CONTEXT: 'child',
        NODE_ICU_DATA: fixture.top,
        NODE_REPL_EXTERNAL_MODULE: 'x',
        TZ: ':/dev/null',
        TZDIR: fixture.top,
      };
      const result = await fixture.run({ shell, env: set });
      expect(result).toMatchObject(byOneShot);
      expect(result.ran.flatMap(({ node }) => node).filter((name) => Object.hasOwn(set, name))).toEqual([]);
    });

    test.each(['<&-', '<&- >&2', '<&- 2>/dev/null'])('a closed stdin (%s) counts as empty', async (closed) => {
      const fixture = new Fixture().govern();
      const [name, command, args] = shell;
      const through: typeof shell = [name, '/bin/sh', ['-c', `exec "$0" "$@" ${closed}`, command, ...args]];
      expect(await fixture.run({ shell: through })).toMatchObject({ code: 0, ran: [{ bytes: 0 }] });
    });

    test('functions of the environment do not replace the shell’s own commands', async () => {
      const fixture = new Fixture().govern();
      // As /bin/sh is where it is a bash: it takes functions before it becomes a POSIX shell.
      const sh = path.join(fixture.top, 'sh');
      fs.symlinkSync(shell[1], sh);
      for (const name of ['printf', '[', 'read', 'cd', 'command', 'unset'])
        expect(
          await fixture.run({
            shell: [shell[0], sh, []],
            env: { [`BASH_FUNC_${name}%%`]: "() { builtin printf '{}\\n'; builtin exit 0; }" },
          }),
          name,
        ).toMatchObject({ code: byOneShot.code, out: byOneShot.out });
    });

    test.runIf(fs.existsSync('/dev/full'))('an answer that cannot be written refuses', async () => {
      const fixture = new Fixture().govern();
      fixture.oneShot({ answer: fallback });
      const [, command, args] = shell;
      const full: [string, string, string[]] = ['full', '/bin/sh', ['-c', 'exec "$@" >/dev/full', 'sh', command, ...args]];
      expect(await fixture.run({ shell: full })).toMatchObject({ code: 2, out: '' });
      expect(await fixture.run({ shell: full, event: 'SessionStart' })).toMatchObject({ code: 0 });
    });

    test('Node reads no certificates of the environment, even if a server is named', async () => {
      const fixture = new Fixture().govern();
      const env = { NODE_EXTRA_CA_CERTS: '/dev/null' };
      await fixture.run({ shell, env });
      fs.writeFileSync(path.join(fixture.home, '.claude/teams.yaml'), '');
      const { ran } = await fixture.run({ shell, env });
      expect(ran.map(({ NODE_EXTRA_CA_CERTS: read }) => read)).toEqual([undefined, undefined]);
    });
  });

  test.each(folderNames)('the plugin may be in %j', async (name) => {
    const fixture = new Fixture({ plugin: name }).govern();
    expect(await fixture.run({ shell })).toMatchObject({ ...byOneShot, ran: [{ MODES_PLUGIN_ROOT: fixture.plugin }] });
  });
});
