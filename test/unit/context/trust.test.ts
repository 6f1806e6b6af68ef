// What a person reads before trusting: what it opens, or what it changes.
import { describe, expect, test } from 'vitest';
import { type Content, contentId } from '../../../src/config/contents.ts';
import { readConfiguration } from '../../../src/config/read.ts';
import { differences, type Told, trustText } from '../../../src/context/trust.ts';

const modes = (edge = '{to: two}', more = '') =>
  `name: t\ndefault: one\n${more}modes:\n  one:\n    transitions: [${edge}]\n  two:\n`;

function told(files: Record<string, string>): Told {
  const content = [
    {
      layer: 'project' as const,
      shown: '.claude/',
      vanished: false,
      signature: '',
      root: '/p',
      files: Object.entries({ 'modes.yaml': modes(), ...files }).map(([name, text]) => ({ name: `.claude/${name}`, text })),
      faults: [],
      strays: [],
    },
  ] satisfies Content;
  const { policies, ...configuration } = readConfiguration(content);
  return { content, known: { ...configuration, policies: policies.map(({ name }) => name) } };
}

const rules = (given: object) => JSON.stringify({ permissions: given });
const base = { 'settings.one.json': rules({ allow: ['Write(a)'], deny: ['Bash(rm:*)'] }) };

describe('differences', () => {
  type Row = [what: string, files: Record<string, string>, lines: string[]];
  test.each<Row>([
    ['of nothing', base, ['Only wording and comments differ.']],
    ['of a comment', { 'settings.one.json': `// x\n${base['settings.one.json']}` }, ['Only wording and comments differ.']],
    [
      'of rules',
      { 'settings.one.json': rules({ allow: ['Write(a)', 'Write(b)'] }) },
      ['- .claude/settings.one.json: deny Bash(rm:*)', '+ .claude/settings.one.json: allow Write(b)'],
    ],
    [
      'of a rule for every mode, once',
      { ...base, 'settings.any.json': rules({ allow: ['Read'], default: 'ask' }) },
      ['+ .claude/settings.any.json: allow Read', '+ .claude/settings.any.json: default ask'],
    ],
    [
      'of an edge',
      { ...base, 'modes.yaml': modes('{to: two, constraint: c, approve: human}') },
      ['- .claude/modes.yaml: one → two', '+ .claude/modes.yaml: one → two {"constraint":"c","approve":"human"}'],
    ],
    [
      'of a mode, the scope, a command',
      { ...base, 'modes.yaml': `${modes('{to: two}', 'scope: session\ncommands: [{match: x, class: read-only}]\n')}  three:\n` },
      [
        '- .claude/modes.yaml: scope "project"',
        '- .claude/modes.yaml: commands',
        '+ .claude/modes.yaml: scope "session"',
        '+ .claude/modes.yaml: commands [{"match":"x","class":"read-only"}]',
        '+ .claude/modes.yaml: mode three',
      ],
    ],
    [
      'of keys of a mode, groups by their rules',
      {
        ...base,
        'modes.yaml': `${modes()}    enforcement: advise\n    groups: [read, edit, command, web, mcp]\n    extends: one\n    context: {warn: [85]}\n`,
      },
      [
        '+ .claude/modes.yaml: deny @agent',
        '+ .claude/modes.yaml: two enforcement "advise"',
        '+ .claude/modes.yaml: two extends ["one"]',
      ],
    ],
    ['of a policy', { ...base, 'policies/p.rego': 'package modes.policy.p' }, ['+ .claude/policies/p.rego: policy HASH']],
  ])('%s', (_, files, lines) => {
    const found = differences(told(base), told(files)).map((line) => line.replace(/(policy )[0-9a-f]{12}$/, '$1HASH'));
    expect(new Set(found)).toEqual(new Set(lines));
  });

  test('are bounded, in lines and in their length', () => {
    const many = told({
      'settings.one.json': rules({ allow: Array.from({ length: 500 }, (_, at) => `Write(${'x'.repeat(at)}/y)`) }),
    });
    const lines = differences(told({}), many);
    expect(lines.length).toBe(81);
    expect(lines.at(-1)).toBe('… and 420 more lines');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(250);
  });

  test('of two contents that count differently are never told to be wording alone', () => {
    const changes: Record<string, string>[] = [
      { 'settings.one.json': rules({ allow: ['Write(a)'] }) },
      { 'settings.one.json': rules({ ask: ['Write(a)'], deny: ['Bash(rm:*)'] }) },
      { ...base, 'settings.two.json': rules({ default: 'deny' }) },
      { ...base, 'modes.yaml': modes('{to: "*"}') },
    ];
    for (const files of changes) {
      expect(contentId(told(files).content)).not.toBe(contentId(told(base).content));
      expect(differences(told(base), told(files))[0]).not.toMatch(/^Only wording/);
    }
  });
});

describe('trustText', () => {
  test('without anything before says what is opened', () => {
    const text = trustText(told({ ...base, 'policies/p.rego': 'package x' }), null);
    expect(text).toMatch(/^sha256:[0-9a-f]{64}\none allows Write\(a\)\npolicy \.claude\/policies\/p\.rego$/);
  });

  test('and what is weakened', () => {
    const text = trustText(told({ 'modes.yaml': `${modes()}    enforcement: ask\n` }), null);
    expect(text).toMatch(/^sha256:[0-9a-f]{64}\ntwo weakens its rules: enforcement ask$/);
  });

  test('else what changes', () => {
    expect(trustText(told({}), told(base)).split('\n').slice(1)).toEqual([
      '- .claude/settings.one.json: allow Write(a)',
      '- .claude/settings.one.json: deny Bash(rm:*)',
    ]);
  });
});
