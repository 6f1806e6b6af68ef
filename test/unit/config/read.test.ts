// How the files of a configuration fit together, without a disk.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashConfiguration } from '../../../src/config/hash.ts';
import { readConfiguration } from '../../../src/config/read.ts';
import { describeProblem } from '../../../src/config/text.ts';
import { read, TWO_MODES } from './project.ts';

const codes = (files: Record<string, string>) => read(files).problems.map((problem) => `${problem.code} ${problem.file}`);

describe('files and modes', () => {
  it('must have a modes.yaml', () => {
    const { problems, topology } = read({});
    expect(topology).toBeNull();
    expect(problems).toMatchObject([
      { code: 'E_NO_MODES', severity: 'error', file: '.claude/modes.yaml', remedy: expect.stringContaining('modes init') },
    ]);
  });

  it('suggests the file that was probably meant to be modes.yaml', () => {
    const { problems } = readConfiguration({ root: '/p', files: [], strays: ['.claude/modes.yml'] });
    expect(problems.find((problem) => problem.code === 'E_NO_MODES')!.remedy).toBe(
      'Rename ".claude/modes.yml" to .claude/modes.yaml.',
    );
  });

  it('warns of a mode without a settings file if another has one, even with one for all', () => {
    const files = { 'modes.yaml': TWO_MODES, 'settings.any.json': '{}' };
    expect(codes(files)).toEqual([]);
    expect(read({ ...files, 'settings.idle.json': '{}' }).problems).toMatchObject([
      {
        code: 'W_NO_SETTINGS',
        line: 7,
        message: expect.stringContaining('Only settings.any.json applies'),
        remedy: expect.stringContaining('settings.work.json'),
      },
    ]);
    expect(codes({ ...files, 'settings.idle.json': '{}', 'settings.work.json': '{}' })).toEqual([]);
  });

  it('accepts a settings file for every reachable mode, or one for all', () => {
    const unreachable = `${TWO_MODES}  alone:\n`;
    expect(codes({ 'modes.yaml': unreachable })).toEqual([
      'W_NO_SETTINGS .claude/modes.yaml',
      'W_NO_SETTINGS .claude/modes.yaml',
      'W_UNREACHABLE_MODE .claude/modes.yaml',
    ]);
    expect(read({ 'modes.yaml': TWO_MODES, 'settings.idle.json': '{}' }).problems).toMatchObject([
      {
        code: 'W_NO_SETTINGS',
        severity: 'warning',
        line: 7,
        column: 3,
        length: 4,
        lineText: '  work:',
        remedy: expect.stringContaining('settings.work.json'),
      },
    ]);
    expect(codes({ 'modes.yaml': TWO_MODES, 'settings.idle.local.json': '{}', 'settings.work.json': '{}' })).toEqual([]);
    expect(codes({ 'modes.yaml': TWO_MODES, 'settings.any.json': '{}' })).toEqual([]);
  });

  it.each([
    ['settings.wrok.json', 'Did you mean the mode "work"?'],
    ['settings.wrok.local.json', 'Did you mean the mode "work"?'],
    ['CLAUDE.idel.md', 'Did you mean the mode "idle"?'],
    ['modes/idel/1.md', 'Did you mean the mode "idle"?'],
    ['settings.constructor.json', 'Rename it'],
    ['CLAUDE.any.md', 'Rename it'],
    ['CLAUDE.idle.local.md', 'Rename it'],
  ])('warns about %s, which is for no mode', (name, remedy) => {
    const { problems, settings } = read({ 'modes.yaml': TWO_MODES, 'settings.any.json': '{}', [name]: 'not even JSON' });
    expect(problems).toMatchObject([
      { code: 'W_UNKNOWN_MODE_FILE', severity: 'warning', file: `.claude/${name}`, remedy: expect.stringContaining(remedy) },
    ]);
    expect([...settings.keys()]).toEqual(['idle', 'work']);
  });

  it('ignores the files of the client', () => {
    const client = { 'settings.json': '{', 'settings.local.json': '{', 'CLAUDE.md': 'x', 'CLAUDE.local.md': 'x' };
    expect(codes({ 'modes.yaml': TWO_MODES, 'settings.any.json': '{}', ...client })).toEqual([]);
  });

  it('reads settings even if modes.yaml is broken or absent', () => {
    const deny = (rule: string) => `{"permissions": {"deny": ["${rule}"]}}`;
    const broken = read({ 'modes.yaml': 'name: [', 'settings.a.json': deny('Read(.env)'), 'settings.any.json': deny('Write') });
    expect(broken.topology).toBeNull();
    expect(broken.settings.get('a')!.rules.map((rule) => rule.text)).toEqual(['Write', 'Read(.env)']);
    expect(broken.settings.get('any')!.rules.map((rule) => rule.text)).toEqual(['Write']);
    expect(read({ 'settings.a.json': deny('Read(.env)') }).settings.get('a')!.rules).toHaveLength(1);
  });

  it('gives a mode with the name of an object property no settings', () => {
    const { settings } = read({ 'modes.yaml': TWO_MODES });
    for (const name of ['constructor', '__proto__', 'toString']) expect(settings.get(name)).toBeUndefined();
  });

  it('reports problems of all files in the order of files and lines', () => {
    const found = read({
      'settings.work.json': '{\n"x": 1,\n"y": 1}',
      'modes.yaml': `${TWO_MODES}b: 1\na: 1\n`,
      'settings.idle.json': '{',
    }).problems;
    expect(found.map((problem) => [problem.file, problem.line])).toEqual([
      ['.claude/modes.yaml', 10],
      ['.claude/modes.yaml', 11],
      ['.claude/settings.idle.json', 1],
      ['.claude/settings.work.json', 2],
      ['.claude/settings.work.json', 3],
    ]);
  });

  it('does not hide an error behind a thousand warnings, and stops at a hundred of each', () => {
    const warnings = Array.from({ length: 1000 }, () => '"Write"').join(',\n');
    const { problems } = read({
      'modes.yaml': TWO_MODES,
      'settings.idle.json': `{"permissions": {"deny": [${warnings}], "default": "no"}}`,
    });
    expect(problems.filter((problem) => problem.code === 'W_DUPLICATE_RULE')).toHaveLength(100);
    expect(problems.filter((problem) => problem.code === 'W_TOO_MANY_PROBLEMS')).toHaveLength(1);
    expect(problems.filter((problem) => problem.severity === 'error').map((problem) => problem.code)).toEqual([
      'E_UNKNOWN_VALUE',
    ]);
    const errors = Array.from({ length: 1000 }, (_, index) => `"k${index}": 1`).join(',\n');
    const many = read({ 'modes.yaml': TWO_MODES, 'settings.any.json': `{${errors}}` }).problems;
    expect(many).toHaveLength(101);
    expect(many[0]).toMatchObject({ code: 'E_TOO_MANY_PROBLEMS', severity: 'error', file: '.claude/settings.any.json' });
  });
});

describe('instructions', () => {
  it('are the CLAUDE file of the mode, then its folder in order', () => {
    const { instructions } = read({
      'modes.yaml': TWO_MODES,
      'modes/idle/20-second.md': 'second\n',
      'modes/idle/10-first.md': '\nfirst\n',
      'CLAUDE.idle.md': 'main\n',
      'modes/idle/30-blank.md': ' \n',
      'CLAUDE.work.md': ' \n\t\n',
      'CLAUDE.nobody.md': 'x',
    });
    expect([...instructions].map(([mode, files]) => [mode, files.map(({ text }) => text)])).toEqual([
      ['idle', ['main', 'first', 'second']],
    ]);
  });
});

describe('policies', () => {
  it('are all .rego files except tests, in order', () => {
    const { policies } = read({
      'modes.yaml': TWO_MODES,
      'policies/b.rego': 'b',
      'policies/a/c.rego': 'c',
      'policies/b_test.rego': 't',
      'policies/b.cases.yaml': 'y',
    });
    expect(policies.map((file) => file.name)).toEqual(['.claude/policies/a/c.rego', '.claude/policies/b.rego']);
  });
});

describe('the hash', () => {
  const base = { 'modes.yaml': TWO_MODES, 'settings.idle.json': '{}', 'policies/a.rego': 'package modes.policy.a' };
  const hash = (files: Record<string, string>) => read(files).hash;

  it('is a SHA-256 that does not depend on the order of files', () => {
    expect(hash(base)).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(hash(Object.fromEntries(Object.entries(base).reverse()))).toBe(hash(base));
  });

  it.each([
    ['modes.yaml', { ...base, 'modes.yaml': `${TWO_MODES}# more\n` }],
    ['a settings file', { ...base, 'settings.idle.json': '{ }' }],
    ['a policy', { ...base, 'policies/a.rego': '' }],
    [
      'the name of a policy',
      { 'modes.yaml': base['modes.yaml'], 'settings.idle.json': '{}', 'policies/b.rego': base['policies/a.rego'] },
    ],
    ['a new settings file', { ...base, 'settings.work.json': '{}' }],
    ['a new local file', { ...base, 'settings.idle.local.json': '{}' }],
    ['a missing file', { 'modes.yaml': base['modes.yaml'] }],
  ])('changes with %s [s:trust.covers]', (_, files) => {
    expect(hash(files)).not.toBe(hash(base));
  });

  it('does not change with prose or with files of the client [s:trust.prose]', () => {
    expect(hash({ ...base, 'CLAUDE.idle.md': 'x', 'modes/idle/a.md': 'y' })).toBe(hash(base));
  });

  it('changes when a file cannot be read', () => {
    const files = [{ name: '.claude/modes.yaml', text: TWO_MODES }];
    const fault = describeProblem('E_UNREADABLE', 'm', 'r', '.claude/settings.idle.json');
    expect(hashConfiguration(files, [fault])).not.toBe(hashConfiguration(files));
  });

  it.each<[string, [string, string][], [string, string][]]>([
    ['the border between name and text', [['a', 'bc']], [['ab', 'c']]],
    [
      'the border between two files',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      [['a', 'bfilecd']],
    ],
    ['an empty file', [['a', '']], [['', 'a']]],
    [
      'a length written into the text',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
      [['a', 'b4:file1:c1:d']],
    ],
    ['letters of two bytes', [['é', 'a']], [['e', '\u0301a']]],
  ])('distinguishes sets of files by %s', (_, left, right) => {
    const hashOf = (files: [string, string][]) => hashConfiguration(files.map(([name, text]) => ({ name, text })));
    expect(hashOf(left)).not.toBe(hashOf(right));
  });

  it('is unambiguous: two different sets of files never have the same hash', () => {
    const file = fc.record({
      name: fc.string({ unit: fc.constantFrom('a', ':', '1', '\n', 'é') }),
      text: fc.string({ unit: fc.constantFrom('a', ':', '1', '\n', 'é') }),
    });
    const set = fc.uniqueArray(file, { maxLength: 3, selector: ({ name }) => name });
    const canonical = (files: { name: string; text: string }[]) =>
      JSON.stringify(files.map(({ name, text }) => [name, text]).sort());
    fc.assert(
      fc.property(set, set, (left, right) => {
        expect(hashConfiguration(left) === hashConfiguration(right)).toBe(canonical(left) === canonical(right));
      }),
      { numRuns: 500 },
    );
  });

  it('is the same when a configuration is read again from its own files', () => {
    const first = read({ ...base, 'CLAUDE.idle.md': 'x' });
    expect(readConfiguration({ root: first.root, files: first.files })).toEqual(first);
  });
});
