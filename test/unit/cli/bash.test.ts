// `modes bash`: one command explained to a person, one as JSON, and lines of JSON in, lines of JSON out.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bash } from '../../../src/cli/bash.ts';
import type { Terminal } from '../../../src/cli/terminal.ts';

const modes = fileURLToPath(new URL('../../../dist/modes.mjs', import.meta.url));
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
  test('says part by part what the command does, and why, with the place in the text', () => {
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

  test('has no colour in a pipe', () => {
    expect(run(['rm a']).out).not.toContain(esc);
    expect(run(['rm a'], '', { NO_COLOR: '1' }).out).not.toContain(esc);
    expect(run(['rm a'], '', { TERM: 'dumb' }).out).not.toContain(esc);
  });

  test('has colour on a terminal, around the same words', async () => {
    const coloured = await printed('rm a | cat', {}, true);
    expect(coloured).toContain(`${esc}[1;33mwrites${esc}[0m`);
    expect(coloured.replace(/\u001b\[[\d;]*m/g, '')).toBe(await printed('rm a | cat', {}, false));
  });

  test.each(['ls \u001b[2J', 'ls \u202e', 'echo "\u009b31m"', 'ls \u0007'])('%j cannot move the cursor', async (command) => {
    const bare = [...command].filter((c) => c !== '\n' && /\p{C}/u.test(c));
    const text = await printed(command, {}, false);
    expect(bare.filter((c) => text.includes(c))).toEqual([]);
  });

  test('without a command, or with one beside --jsonl, is a wrong call', () => {
    expect(run([])).toMatchObject({ status: 64, out: '' });
    expect(run(['--jsonl', 'ls'])).toMatchObject({ status: 64, out: '' });
  });
});

describe('modes bash --json', () => {
  test('prints one object with all that is known', async () => {
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
  });

  test('of the built program is JSON with nothing around it', () => {
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
    'a line %j is an error with its number, and the rest goes on',
    (wrong) => {
      const { status, out, err } = run(['--jsonl'], `{"command":"ls"}\n\n${wrong}\n{"command":"rm a"}\n`);
      expect(status).toBe(1);
      expect(err).toBe('');
      expect(objects(out)).toMatchObject([{ class: 'read-only' }, { error: expect.any(String), line: 3 }, { class: 'writes' }]);
      expect(Object.keys(objects(out)[1]!)).toEqual(['error', 'line']);
    },
  );

  test('empty lines count and say nothing; no lines at all are fine', () => {
    expect(run(['--jsonl'], '\n  \n\r\n')).toEqual({ status: 0, out: '', err: '' });
    expect(run(['--jsonl'], '')).toEqual({ status: 0, out: '', err: '' });
    expect(objects(run(['--jsonl'], '\n\r\nx').out)).toEqual([{ error: expect.any(String), line: 3 }]);
  });

  test('lines that end in a carriage return and a newline are lines', () => {
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
