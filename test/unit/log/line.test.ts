// A line written from what was noted is the line of its event, whatever the call was given.
import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineOf, makeEvent, type Noted } from '../../../src/log/event.ts';
import { suspects, symbols, window } from '../../../src/log/hints.ts';
import { JsonBytes } from '../../../src/log/json-bytes.ts';
import { writeLine } from '../../../src/log/line.ts';
import { maxText } from '../../../src/log/mask.ts';
import { secretPatterns } from '../../../src/log/secrets.ts';
import { noted, source } from './ground.ts';

const bytes = new JsonBytes();

/** The line as it is written, and whether the mask was asked. */
function written(one: Noted): { line: string; isPlain: boolean } {
  bytes.clear();
  bytes.put('before\n');
  const { from, to } = writeLine(one, 'b', bytes);
  return { line: bytes.bytes.toString('utf8', from, to), isPlain: bytes.isPlain };
}

const rule = (matched: string) => ({ id: 'r1', effect: 'deny' as const, text: 'Bash(*)', matched, source });
const calls: [string, boolean, Noted][] = [
  ['a file', true, noted('Read', { file_path: 'src/a.ts' })],
  ['a command', true, noted('Bash', { command: "cd src && grep -rn 'a = 1' . | head -20 && sed -i s/1/2/ a.ts" })],
  [
    'quotes, ends of lines, other characters',
    true,
    noted('Bash', { command: 'printf "\\t" \'ä\' \u0001 \ud800 |\ncat > "ü\\n"' }),
  ],
  ['a word that only hints', true, noted('Bash', { command: 'ls keys tokens --user -u' })],
  ['words of the facts', true, noted('mcp__s__t', { keys: ['a'], labels: ['b'], none: null, no: false, many: 1.5e-7 })],
  ['no facts', true, noted('mcp__s__t', {}, { decided: { facts: null, mode: null, bundle: null } })],
  ['no input', true, noted('mcp__s__t', {}, { decided: { facts: null }, fields: { tool_input: undefined } })],
  [
    'all that a decision may have',
    true,
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
  ['a secret in the input', false, noted('Bash', { command: 'PASSWORD=hunter2hunter2 ./run' })],
  ['a secret in the reason alone', false, noted('Bash', { command: 'ls' }, { decided: { reason: `ghp_${'a'.repeat(36)}` } })],
  [
    'a secret where a rule met it',
    false,
    noted('Bash', { command: 'ls' }, { decided: { rules: [rule(`ghp_${'a'.repeat(36)}`)] } }),
  ],
  ['a secret behind an option', false, noted('mcp__s__t', { args: ['login', '--token', 'abcdefgh'] })],
  ['a secret by its name', false, noted('mcp__s__t', { nested: [{ apiKey: 'abcdefgh' }] })],
  ['a name of every object', false, noted('mcp__s__t', JSON.parse('{"a": {"__proto__": {"b": 1}}}'))],
  ['a long text', false, noted('Write', { file_path: 'a', content: 'x'.repeat(maxText + 1) })],
  ['a text that is just not too long', true, noted('Write', { file_path: 'a', content: 'x'.repeat(maxText) })],
  ['many fields', false, noted('mcp__s__t', Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, at])))],
  ['many items', false, noted('mcp__s__t', { list: Array.from({ length: 101 }, (_, at) => at) })],
  ['depth', false, noted('mcp__s__t', JSON.parse(`${'{"a":'.repeat(20)}1${'}'.repeat(20)}`))],
  ['many rules', false, noted('Bash', { command: 'ls' }, { decided: { rules: Array.from({ length: 51 }, () => rule('ls')) } })],
];

describe('a line is that of its event', () => {
  test.each(calls)('%s; without a mask: %s', (_, isPlain, one) => {
    expect(written(one)).toEqual({ line: `${lineOf(makeEvent(one, 'b'))}\n`, isPlain });
  });

  test('of a call that touches what is hidden', () => {
    const one = noted('Write', { file_path: '.env', content: 'nobody' }, { hides: ({ path }) => path.endsWith('.env') });
    const { line } = written(one);
    expect(line).toBe(`${lineOf(makeEvent(one, 'b'))}\n`);
    expect(line).not.toContain('nobody');
  });

  test('whatever a tool of others is given', () => {
    const like = noted('mcp__s__t', {});
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        const one = { ...like, event: { ...like.event, tool_input: input } };
        expect(written(one).line).toBe(`${lineOf(makeEvent(one, 'b'))}\n`);
      }),
      { numRuns: 300 },
    );
  });

  test('with every secret of the table', () => {
    const texts = fs
      .readFileSync(new URL('secrets.jsonl', import.meta.url), 'utf8')
      .trim()
      .split('\n');
    for (const text of texts) {
      const one = noted('mcp__s__t', { said: JSON.stringify(JSON.parse(text)), raw: text });
      expect(written(one).line).toBe(`${lineOf(makeEvent(one, 'b'))}\n`);
    }
  });
});

const hints = [...new Set(secretPatterns.flatMap((pattern) => pattern.hints))];
test.each(hints)('a text with %j is looked at', (hint) => {
  for (const text of [hint, hint.toUpperCase(), `a ${hint}`, `${hint}9`]) {
    let last = 0;
    let found = 0;
    for (const one of text) {
      last = ((last << 5) | (symbols[one.charCodeAt(0)] as number)) & window;
      found |= suspects[last] as number;
    }
    expect(found, text).toBe(1);
  }
});
