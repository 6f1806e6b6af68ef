// `modes bash`: one command explained to a person, one as JSON, and lines of JSON in, lines of JSON out.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { bash } from '../../../../src/adapters/cli/bash.ts';
import type { Terminal } from '../../../../src/adapters/cli/terminal.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run as start } from '../../../support/project.ts';

const modes = fileURLToPath(new URL('../../../../dist/modes.mjs', import.meta.url));
const cwd = '/';

/** Runs the built program with its output in a pipe. */
function run(args: string[], input = '', env: Record<string, string> = {}) {
  const done = spawnSync(process.execPath, [modes, 'bash', ...args], {
    cwd,
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: '/home/u', ...env },
    maxBuffer: 2 ** 28,
  });
  return { status: done.status, out: done.stdout, err: done.stderr };
}

/** What the verb prints to a terminal. */
async function printed(command: string, options: { json?: boolean }, colour: boolean): Promise<string> {
  const texts: string[] = [];
  const terminal: Terminal = { out: (text) => texts.push(text), err: (text) => texts.push(text), colour, ask: async () => null };
  expect(await bash(command, options, terminal)).toBe(0);
  return texts.join('\n');
}

const esc = '\u001b';
const objects = (out: string) =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('modes bash COMMAND', () => {
  test('describes part by part what the command does and why, with the place in the text', () => {
    const { status, out } = run(['cd src && sort -o a b; ls']);
    expect(status).toBe(0);
    expect(out).toMatch(/^writes: changes only what is named below$/m);
    expect(out).toMatch(/^ +1 {2}cd src {2}read-only$/m);
    expect(out).toMatch(/^ +2 {2}sort -o a b {2}writes$/m);
    expect(out).toMatch(/^ +writes {2}\/src\/a {2}\[sort -o\]$/m);
    expect(out).toMatch(/^ +why {5}sort -o writes to a file$/m);
    const [line, carets] = out.split('\n').slice(out.split('\n').findIndex((l) => l.includes('why')) + 1) as [string, string];
    expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('a');
  });

  test('puts the caret below wide characters correctly', async () => {
    const text = await printed('echo "日本" > 語.js && ls', {}, false);
    expect(text).toContain(`echo "日本" > 語.js && ls\n${' '.repeat(13 + 14)}^^^^^\n`);
  });

  test.each<[string, RegExp]>([
    ['ls', /^read-only: changes nothing$/m],
    ['npm test', /^runs: /m],
    ['frobnicate', /^unknown: /m],
    ['curl https://a.invalid/x', /reaches a\.invalid$/m],
    ["ls 'unclosed", /^unknown: [\s\S]*the text as a whole/m],
  ])('%s', (command, said) => {
    const { status, out } = run([command]);
    expect(status).toBe(0);
    expect(out).toMatch(said);
  });

  test('has no color in a pipe', () => {
    expect(run(['rm a']).out).not.toContain(esc);
    expect(run(['rm a'], '', { NO_COLOR: '1' }).out).not.toContain(esc);
    expect(run(['rm a'], '', { TERM: 'dumb' }).out).not.toContain(esc);
  });

  test('has color on a terminal, around the same words', async () => {
    const coloured = await printed('rm a | cat', {}, true);
    expect(coloured).toContain(`${esc}[1;33mwrites${esc}[0m`);
    expect(coloured.replace(/\u001b\[[\d;]*m/g, '')).toBe(await printed('rm a | cat', {}, false));
  });

  test.each(['ls \u001b[2J', 'ls \u202e', 'echo "\u009b31m"', 'ls \u0007'])('%j cannot move the cursor', async (command) => {
    const bare = [...command].filter((c) => c !== '\n' && /\p{C}/u.test(c));
    const text = await printed(command, {}, false);
    expect(bare.filter((c) => text.includes(c))).toEqual([]);
  });

  test('is wrong usage without a command, or with a command and --jsonl', () => {
    expect(run([])).toMatchObject({ status: 64, out: '' });
    expect(run(['--jsonl', 'ls'])).toMatchObject({ status: 64, err: '' });
  });
});

describe('modes bash --json', () => {
  test('prints one object with all facts', async () => {
    const shown = JSON.parse(await printed('ls src; sed -n 1p a.ts > out', { json: true }, false)) as Record<string, unknown>;
    const here = process.cwd();
    expect(shown).toMatchObject({
      command: 'ls src; sed -n 1p a.ts > out',
      class: 'writes',
      network: false,
      hosts: [],
      writes: [{ path: `${here}/out`, extent: 'one', via: '>', command: 1 }],
      reads: [
        { path: `${here}/src`, extent: 'one', via: 'ls', command: 0, listing: true },
        { path: `${here}/a.ts`, extent: 'one', via: 'sed', command: 1 },
      ],
    });
    expect(shown.commands).toMatchObject([
      { name: 'ls', argv: ['ls', 'src'], class: 'read-only', network: false, why: [] },
      { name: 'sed', class: 'writes' },
    ]);
    expect((shown.reads as object[])[1]).not.toHaveProperty('listing');
    expect((shown.commands as object[])[0]).not.toHaveProperty('loads');
  });

  test('names the files that a command would load', async () => {
    const shown = JSON.parse(await printed('cd / && cargo --version', { json: true }, false)) as Record<string, object[]>;
    expect(shown.commands?.[1]).toMatchObject({ loads: [{ files: expect.arrayContaining(['rust-toolchain']), folders: ['/'] }] });
  });

  test('prints only JSON in the built program', () => {
    const { status, out } = run(['--json', 'rm a']);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ class: 'writes', writes: [{ path: '/a' }] });
  });
});

describe('modes bash --jsonl', () => {
  test('answers each line with an object of the same command', () => {
    const commands = ['ls', 'rm a', 'echo "a\nb"', 'cat \u00e9', ''];
    const { status, out } = run(['--jsonl'], commands.map((command) => JSON.stringify({ command, extra: 1 })).join('\n'));
    expect(status).toBe(0);
    expect(objects(out).map((o) => [o.command, o.class])).toEqual([
      ['ls', 'read-only'],
      ['rm a', 'writes'],
      ['echo "a\nb"', 'read-only'],
      ['cat \u00e9', 'read-only'],
      ['', 'read-only'],
    ]);
  });

  test.each(['not json', '{"command":', '[]', '"ls"', 'null', '{}', '{"command":1}', '{"command":null}', '\u0000'])(
    'reports a line %j as an error with its number, and continues',
    (wrong) => {
      const { status, out, err } = run(['--jsonl'], `{"command":"ls"}\n\n${wrong}\n{"command":"rm a"}\n`);
      expect(status).toBe(1);
      expect(err).toBe('');
      expect(objects(out)).toMatchObject([
        { class: 'read-only' },
        { error: { message: expect.any(String) }, line: 3 },
        { class: 'writes' },
      ]);
      expect(Object.keys(objects(out)[1]!)).toEqual(['error', 'line']);
    },
  );

  test('reports an endless line as an error without storing it, and continues', () => {
    const { status, out } = run(['--jsonl'], `${'x'.repeat(33_554_433)}\n{"command":"ls"}\n`);
    expect(status).toBe(1);
    expect(objects(out)).toMatchObject([
      { error: { message: 'longer than 33554432 characters' }, line: 1 },
      { class: 'read-only' },
    ]);
  });

  test('counts empty lines without output, and accepts empty input', () => {
    expect(run(['--jsonl'], '\n  \n\r\n')).toEqual({ status: 0, out: '', err: '' });
    expect(run(['--jsonl'], '')).toEqual({ status: 0, out: '', err: '' });
    expect(objects(run(['--jsonl'], '\n\r\nx').out)).toEqual([{ error: { message: expect.any(String) }, line: 3 }]);
  });

  test('accepts lines that end in a carriage return and a newline', () => {
    expect(objects(run(['--jsonl'], '{"command":"ls"}\r\n{"command":"rm a"}\r\n').out).map((o) => o.class)).toEqual([
      'read-only',
      'writes',
    ]);
  });

  test('only a newline ends a line', () => {
    const commands = ['echo \u2028', 'echo \u2029 x', 'echo \u0085'];
    const { status, out } = run(['--jsonl'], commands.map((command) => `${JSON.stringify({ command })}\n`).join(''));
    expect(status).toBe(0);
    expect(objects(out).map((o) => o.command)).toEqual(commands);
  });

  test('ten thousand lines come back complete and in order', () => {
    const count = 10_000;
    const { status, out } = run(
      ['--jsonl'],
      Array.from({ length: count }, (_, i) => `${JSON.stringify({ command: `cat ${i} | grep x && rm -f out/${i}` })}\n`).join(''),
    );
    expect(status).toBe(0);
    const answers = objects(out);
    expect(answers.length).toBe(count);
    expect(answers.every((o, i) => (o.writes as { path: string }[])[0]?.path === `/out/${i}`)).toBe(true);
  });
});

describe('in a project', () => {
  let program: string;
  beforeAll(async () => {
    program = path.join(await builtPlugin(), 'dist/modes.mjs');
  }, 120_000);
  const commands = [
    '- {match: "frob show *", class: read-only}',
    '- {match: "frob gen * *", class: writes, reads: [1], writes: [2]}',
    '- {match: "ls secret", class: unknown}',
  ];
  const makeDeclaring = (trusted: boolean): Project => {
    const project = makeProject({ trusted: false });
    project.put('.claude/modes.yaml', `${project.get('.claude/modes.yaml')}\ncommands:\n  ${commands.join('\n  ')}\n`);
    if (trusted) project.trust();
    return project;
  };
  const classOf = async (project: Project, args: string[], cwd = project.root): Promise<unknown> => {
    const { code, out, err } = await start(process.execPath, [program, 'bash', '--json', ...args], {
      cwd,
      env: { HOME: project.home, PATH: '/usr/bin:/bin' },
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return (JSON.parse(out) as { class: string }).class;
  };

  test('the declared commands apply once it is trusted; before that, only where they are stricter', async () => {
    const trusted = makeDeclaring(true);
    const untrusted = makeDeclaring(false);
    const rows: [string, string, string][] = [
      ['frob show x', 'read-only', 'unknown'],
      ['frob gen a b', 'writes', 'unknown'],
      ['ls secret', 'unknown', 'unknown'],
      ['ls other', 'read-only', 'read-only'],
    ];
    for (const [command, approved, not] of rows) {
      expect([command, await classOf(trusted, [command])]).toEqual([command, approved]);
      expect([command, await classOf(untrusted, [command])]).toEqual([command, not]);
    }
  });

  test('they apply from a subfolder, and from elsewhere by name; an option turns them off', async () => {
    const project = makeDeclaring(true);
    project.put('sub/a', '');
    expect(await classOf(project, ['frob show x'], path.join(project.root, 'sub'))).toBe('read-only');
    expect(await classOf(project, ['frob show x'], project.home)).toBe('unknown');
    expect(await classOf(project, ['--project', project.root, 'frob show x'], project.home)).toBe('read-only');
    expect(await classOf(project, ['--no-project', 'frob show x'])).toBe('unknown');
    expect(await classOf(project, ['--no-project', 'ls secret'])).toBe('read-only');
  });

  test('they apply to JSON lines as well', async () => {
    const project = makeDeclaring(true);
    const { out } = await start(process.execPath, [program, 'bash', '--jsonl'], {
      cwd: project.root,
      env: { HOME: project.home, PATH: '/usr/bin:/bin' },
      stdin: '{"command": "frob show x"}\n',
    });
    expect(objects(out)).toMatchObject([{ class: 'read-only' }]);
  });

  test('a file that a declared program would load is searched in the working folder', async () => {
    const project = makeProject({ example: null });
    expect(await classOf(project, ['cargo --version'])).toBe('read-only');
    project.put('rust-toolchain', 'x');
    expect(await classOf(project, ['cargo --version'])).toBe('runs');
    expect(await classOf(project, ['cargo --version'], project.home)).toBe('read-only');
  });

  test('the help describes this', async () => {
    const { out } = await start(process.execPath, [program, 'bash', '--help'], { cwd: '/', env: { PATH: '/usr/bin:/bin' } });
    expect(out).toMatch(/--project <folder> .*commands:/);
    expect(out).toMatch(/--no-project/);
  });
});
