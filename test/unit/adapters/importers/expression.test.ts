// An expression of Roo's never meets more paths when the policy's RE2 runs it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJavaScript, toRe2 } from '../../../../src/adapters/importers/expression.ts';
import { pathName } from '../../../../src/facts/paths/keys.ts';
import type { OutsideRule } from '../../../../src/model/rule.ts';
import { readCore } from '../../../../src/policy/core.ts';
import { Evaluator } from '../../../../src/policy/evaluator.ts';
import { lowerRules } from '../../../../src/rules/lower.ts';
import { repository } from '../../../support/plugin.ts';

const core = readCore(repository);
if (!core.ok) throw new Error('the core cannot be read');
const evaluator = new Evaluator(core.core.bytes);
const tool = { name: 'Write', group: 'edit', keys: ['Write'], params: {}, extra: [] };

/** Which paths RE2 finds the expression in; null: it cannot be read. */
function found(expression: string, paths: readonly string[]): boolean[] | null {
  const source = { file: '', line: 1, column: 1 };
  const head = { id: 'r0', text: expression, effect: 'deny' as const, layer: 'project' as const, source };
  const ask = (text: string): ((path: string) => boolean) => {
    const rule: OutsideRule = { ...head, kind: 'outside', paths: [], expressions: [text] };
    evaluator.setData({ rules: lowerRules([rule], { defaults: [], trusted: true }) });
    return (path) => {
      const write = { path, root: 'project', names: [pathName(path, false)], readings: [[0]], below: [], via: '', command: null };
      return evaluator.evaluateVerdict({ tool, writes: [write] }).verdict === 'pass';
    };
  };
  // With an empty alternative it is found in everything, unless it cannot be read.
  return ask(`|${expression}`)('x') ? paths.map(ask(expression)) : null;
}

const PATHS = [
  'a.md',
  'docs/a.md',
  'src/a.ts',
  'src/a b.ts',
  'test/foo.test.ts',
  '__tests__/x.js',
  'a{1}.md',
  'x-y_z.w',
  'a]b',
  'é.md',
  'a\u00a0b.md',
  'Az0.txt',
];

test.each([
  ['\\.md$', '\\.md$'],
  ['(__tests__/.*|\\.test\\.(ts|tsx|js|jsx)$|/test/.*|vitest\\.config\\.(js|ts)$)', null],
  ['(\\.roomodes$|\\.roo/.*\\.xml$|\\.yaml$)', null],
  ['^src/[^/]+\\.ts$', null],
  ['(?<name>a)b', '(a)b'],
  ['\\u00e9\\.md', '\\x{e9}\\.md'],
  ['\\Aa', 'Aa'],
  ['\\Q.\\E', 'Q.E'],
  ['a{,2}', 'a\\{,2\\}'],
  ['a]', 'a\\]'],
  ['[[:alpha:]]', '[\\[:alpha:]\\]'],
  ['[\\w-.]', '[\\w\\-.]'],
  ['\\/', '\\/'],
])('%s', (text, written) => {
  expect(toRe2(text)).toEqual({ text: written ?? text });
});

test.each([
  '(?=a)b',
  '(?<!a)b',
  '(a)\\1',
  '\\p{L}',
  '[]',
  '[^]',
  'a{1001}',
  '[\\S]',
  '[🧪]',
  '🧪+',
  '(',
  '(?i:a)',
  '\\k<a>',
  '\\cA',
])('%s is reported as impossible', (text) => expect(toRe2(text)).toHaveProperty('wrong'));

// Where the two languages differ: what JavaScript says of the path.
test.each<[text: string, path: string, met: boolean]>([
  ['^a[^\\s/]b', 'a\u00a0b', false],
  ['^a\\Sb', 'a\u00a0b', false],
  ['^a\\Sb', 'a-b', true],
  ['^a\\sb', 'a b', true],
  ['^\\Ax$', 'Ax', true],
  ['^x\\z', 'x', false],
  ['^\\Qa.b\\E$', 'Qa.bE', true],
  ['^[[:alpha:]]$', 'x', false],
  ['^[[:alpha:]]$', 'a]', true],
  ['^a{,2}$', 'aa', false],
  ['^[\\w-.]+$', 'a-.', true],
  ['^[\\w-.]$', ',', false],
  ['^\\u00e9$', 'é', true],
  ['^[\\b]', 'b', false],
  ['a$', 'a\nb', false],
])('%s in %j: %s', (text, path, met) => {
  const written = toRe2(text);
  expect([new RegExp(text).test(path), found('text' in written ? written.text : '', [path])]).toEqual([met, [met]]);
});

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    '/',
    '-',
    '_',
    '.',
    '\\.',
    '\\d',
    '\\w',
    '\\W',
    '\\D',
    '\\s',
    '\\S',
    '\\b',
    '\\B',
    '^',
    '$',
    ']',
    '{',
    '}',
    '{1',
    '\\u00e9',
    '\\xe9',
  ],
  ...[
    '[a-z]',
    '[^/]',
    '[^\\s/]',
    '[\\w-]',
    '[\\w-.]',
    '[-a]',
    '[a\\]]',
    '[\\-.]',
    '[[:a]',
    '[^\\d]',
    '\\A',
    '\\z',
    '\\-',
    '\\/',
    'é',
    'md',
    'src',
  ],
);
const repeat = fc.constantFrom('', '', '', '*', '+', '?', '{1,2}', '*?', '{2}', '{1,}');
const expression: fc.Arbitrary<string> = fc.letrec<{ one: string; many: string }>((tie) => ({
  one: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(atom, repeat).map(([one, more]) => one + more),
    fc.tuple(fc.constantFrom('(', '(?:', '(?<n>'), tie('many'), repeat).map(([open, inner, more]) => `${open}${inner})${more}`),
  ),
  many: fc.oneof(
    fc.array(tie('one'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('one'), tie('one')).map((parts) => parts.join('|')),
  ),
})).many;

test('RE2 matches no path that JavaScript does not match, and the reverse translation gives the same expression', () => {
  let written = 0;
  fc.assert(
    fc.property(expression, (text) => {
      const re2 = toRe2(text);
      if ('wrong' in re2) return;
      const own = new RegExp(text);
      const met = found(re2.text, PATHS);
      expect([text, re2.text, met]).not.toEqual([text, re2.text, null]);
      for (const [at, path] of PATHS.entries())
        if (met?.[at]) expect([text, re2.text, path, own.test(path)]).toEqual([text, re2.text, path, true]);
      const back = toJavaScript(re2.text);
      if ('wrong' in back) return;
      written++;
      for (const path of PATHS)
        expect([text, back.text, path, new RegExp(back.text).test(path)]).toEqual([text, back.text, path, own.test(path)]);
    }),
    { numRuns: 80 },
  );
  expect(written).toBeGreaterThan(15);
});
