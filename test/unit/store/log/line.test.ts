// The line of a decision: it holds no secret, it names what was masked or left out, and everything else is kept as given.
import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LogEvent, lineOf, makeEvent, type Noted, readEvent } from '../../../../src/store/log/event.ts';
import { maxText } from '../../../../src/store/log/mask.ts';
import { noted, source } from './fixture.ts';

function written(one: Noted): { line: string; event: LogEvent } {
  const line = lineOf(makeEvent(one, 'b'));
  const event = readEvent(line);
  expect(event).not.toBeNull();
  return { line, event: event as LogEvent };
}

const rule = (matched: string) => ({ id: 'r1', effect: 'deny' as const, text: 'Bash(*)', matched, source });
const github = `ghp_${'a'.repeat(36)}`;
const input = '/input/tool/input';

describe('nothing is masked or left out', () => {
  const rows: [string, Noted][] = [
    ['a file', noted('Read', { file_path: 'src/a.ts' })],
    ['a command', noted('Bash', { command: "cd src && grep -rn 'a = 1' . | head -20 && sed -i s/1/2/ a.ts" })],
    ['quotes, line ends, other characters', noted('Bash', { command: 'printf "\\t" \'ä\' \u0001 \ud800 |\ncat > "ü\\n"' })],
    ['words that only look like the name of a secret', noted('Bash', { command: 'ls keys tokens --user -u' })],
    ['names that the facts use', noted('mcp__s__t', { keys: ['a'], labels: ['b'], none: null, no: false, many: 1.5e-7 })],
    ['no facts', noted('mcp__s__t', {}, { decided: { facts: null, mode: null, bundle: null } })],
    ['a text of the greatest length', noted('Write', { file_path: 'a', content: 'x'.repeat(maxText) })],
    [
      'every field of a decision',
      noted(
        'Bash',
        { command: 'ls' },
        {
          fields: { agent_id: 'a', permission_mode: 'plan', tool_use_id: 't' },
          decided: {
            decision: 'ask',
            also: [rule('ls'), rule('ls -l')],
            policies: [{ name: 'p', effect: 'deny', file: 'p.rego', line: 1, reason: 'no' }],
            protections: [{ name: 'q', on: 'ls' }],
            advice: 'better not',
            grants: [{ id: 'g', counted: true }],
          },
        },
      ),
    ],
  ];
  test.each(rows)('%s', (_, one) => {
    const { event } = written(one);
    const { facts, ...result } = one.decision;
    expect(event.result).toEqual(JSON.parse(JSON.stringify(result)));
    expect((event.input.tool as { input: unknown }).input).toEqual(JSON.parse(JSON.stringify(one.event.tool_input)));
    expect(event).not.toHaveProperty('masked');
    expect(event).not.toHaveProperty('erased');
    expect(event.input.mode).toBe(facts?.mode);
  });

  test('a call without any input', () => {
    const { event } = written(noted('mcp__s__t', {}, { decided: { facts: null }, fields: { tool_input: undefined } }));
    expect(event.input).toEqual({ event: 'PreToolUse', tool: { input: null } });
  });
});

describe('the line names by pointer', () => {
  const fields = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, at]));
  const rows: [string, 'masked' | 'erased', string, Noted][] = [
    ['a secret in the input', 'masked', `${input}/command`, noted('Bash', { command: 'PASSWORD=hunter2hunter2 ./run' })],
    [
      'a secret in the reason alone',
      'masked',
      '/result/reason',
      noted('Bash', { command: 'ls' }, { decided: { reason: github } }),
    ],
    [
      'a secret in what a rule matched',
      'masked',
      '/result/rules/0/matched',
      noted('Bash', { command: 'ls' }, { decided: { rules: [rule(github)] } }),
    ],
    ['a secret after an option', 'masked', `${input}/args/2`, noted('mcp__s__t', { args: ['login', '--token', 'abcdefgh'] })],
    ['a secret by its name', 'masked', `${input}/nested/0/apiKey`, noted('mcp__s__t', { nested: [{ apiKey: 'abcdefgh' }] })],
    [
      'a text that is too long',
      'masked',
      `${input}/content`,
      noted('Write', { file_path: 'a', content: 'x'.repeat(maxText + 1) }),
    ],
    ['too many fields', 'erased', input, noted('mcp__s__t', fields)],
    ['too many items', 'erased', `${input}/list/100`, noted('mcp__s__t', { list: Array.from({ length: 101 }, (_, at) => at) })],
    [
      'too much depth',
      'erased',
      `${input}${'/a'.repeat(17)}`,
      noted('mcp__s__t', JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`)),
    ],
  ];
  test.each(rows)('%s', (_, list, pointer, one) => {
    const { line, event } = written(one);
    expect(event[list]).toContain(pointer);
    for (const secret of ['hunter2hunter2', github, 'abcdefgh']) expect(line).not.toContain(secret);
  });
});

test('at most 50 rules are kept', () => {
  const rules = Array.from({ length: 51 }, () => rule('ls'));
  expect(written(noted('Bash', { command: 'ls' }, { decided: { rules } })).event.result.rules).toHaveLength(50);
});

test('a call that touches a hidden path keeps no contents', () => {
  const one = noted('Write', { file_path: '.env', content: 'nobody' }, { hides: ({ path }) => path.endsWith('.env') });
  expect(written(one).line).not.toContain('nobody');
});

test('any JSON that a tool is given becomes one line', () => {
  const like = noted('mcp__s__t', {});
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
      expect(written({ ...like, event: { ...like.event, tool_input: given } }).line).not.toContain('\n');
    }),
    { numRuns: 300 },
  );
});

describe('a secret of the table is in no part of the line', () => {
  const rows = fs
    .readFileSync(new URL('secrets.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as { name: string; text: string; secret: string | null })
    .filter(({ secret }) => secret !== null);
  test.each(rows)('$text', ({ text, secret }) => {
    const { line, event } = written(noted('mcp__s__t', { said: text }, { decided: { reason: text, remedy: text } }));
    expect(line).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(event.masked).toEqual(expect.arrayContaining([`${input}/said`, '/result/reason', '/result/remedy']));
  });
});
