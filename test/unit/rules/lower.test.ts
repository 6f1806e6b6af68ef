// How rules become look-ups: the cheapest exact one, whatever the number of rules.
import { describe, expect, test } from 'vitest';
import { commandKey, pathName } from '../../../src/facts/paths/keys.ts';
import { coreInput } from '../../../src/rules/core-input.ts';
import { rulePathFilter } from '../../../src/rules/path-filter.ts';
import { optionRuleKey } from '../../../src/shell/option-sets.ts';
import { access, bash, command, edit, read } from '../../support/facts.ts';
import { dataOf, type Settings } from '../../support/policy.ts';

describe('paths', () => {
  test.each<[string, object]>([
    ['Write(src/a.ts)', { keys: { '=src/a.ts': ['r0'], '<src/a.ts': ['r0'] } }],
    ['Write(/src/**)', { keys: { '<src': ['r0'] } }],
    ['Write(src/sub/**)', { keys: { '<src/sub': ['r0'] } }],
    ['Write(src/**)', { keys: { '>src': ['r0'] } }],
    ['Write(**)', { keys: { '<': ['r0'] } }],
    ['Write(secret)', { keys: { '/secret': ['r0'] } }],
    ['Write(**/secret)', { keys: { '/secret': ['r0'] } }],
    ['Write(*.test.ts)', { keys: { '.test.ts': ['r0'] } }],
    ['Write(**/*.ts)', { keys: { '.ts': ['r0'] } }],
    ['Write(src/x/**/*.ts)', { within: { '<src/x': { '.ts': ['r0'] } } }],
    ['Write(src/**/secret)', { within: { '<src': { '/secret': ['r0'] } } }],
    ['Write(//etc/hosts)', { keys: { '=/etc/hosts': ['r0'], '</etc/hosts': ['r0'] } }],
    ['Write(~/.ssh/**)', { keys: { '</home/ann/.ssh': ['r0'] } }],
    ['Write({a,b}.ts)', { keys: { '/a.ts': ['r0'], '/b.ts': ['r0'] } }],
  ])('%s', (rule, tables) => {
    expect(dataOf({ deny: [rule] }).writes).toMatchObject({ ...tables, sample: ['r0'] });
    expect(dataOf({ deny: [rule] }).writes).not.toHaveProperty('guarded');
  });

  test.each<[string, string, string]>([
    ['Write(src/*.ts)', '<src', '.ts'],
    ['Write(src/*/b/*.ts)', '<src', '.ts'],
    ['Write(*test*)', '<', 'test'],
    ['Write(//var/**/*.log)', '</var', '.log'],
    ['Write(a.ts/**/*.ts)', '<a.ts', '.ts'],
    ['Write(src/?.ts)', '<src', '.ts'],
  ])('%s needs an expression, guarded by %s and %s', (rule, folder, has) => {
    const { guarded, keys } = dataOf({ deny: [rule] }).writes;
    expect(keys).toBeUndefined();
    expect(guarded).toEqual({ [folder]: [{ id: 'r0', has, expression: expect.stringMatching(/^\(\?s\)\^.*\$$/) }] });
  });

  test('rules for every path', () => {
    expect(dataOf({ deny: ['Write'], ask: ['@read'] })).toMatchObject({
      writes: { every: ['r0'] },
      reads: { every: ['r1'] },
      tools: { exact: { Write: ['r0'] }, group: { read: ['r1'] } },
    });
  });

  test('a sample of deny and ask rules represents unchecked names, deny first and few', () => {
    const { writes } = dataOf({
      ask: ['Write(q)'],
      deny: Array.from({ length: 9 }, (_, at) => `Write(d${at})`),
      allow: ['Write(a)'],
    });
    expect(writes.sample).toEqual(['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7']);
    expect(dataOf({ ask: ['Write(q)'], deny: ['Write(d)'] }).writes.sample).toEqual(['r0', 'r1']);
  });
});

describe('commands', () => {
  const plain = { operands: [], isExact: false, isPlain: true };

  test('texts, word prefixes, classes and patterns', () => {
    const { commands } = dataOf({
      deny: ['Bash(ls)', 'Bash(git push:*)', 'Bash(@runs)', 'Bash(git * -f)', 'Bash(npm*)', 'Bash(a b c d e f g h i:*)'],
    });
    expect(commands.keys).toEqual({
      '=ls': ['r0'],
      '>git push': ['r1'],
      [commandKey.options(optionRuleKey({ ...plain, words: 'git push', options: [] }))]: ['r1'],
      '@runs': ['r2'],
      [commandKey.options(optionRuleKey({ ...plain, words: 'git', options: ['-f'] }))]: ['r3'],
    });
    expect(commands.guarded).toEqual({
      '>git': [{ id: 'r3', head: 'git ', expression: '(?s)^git .* -f$' }],
      '*': [{ id: 'r4', head: 'npm', expression: '' }],
      '>a': [{ id: 'r5', head: 'a b c d e f g h i', expression: '(?s)^a b c d e f g h i(?: .*)?$' }],
    });
  });

  test('an unknown word is looked up by the words before it', () => {
    expect(dataOf({ deny: ['Bash(git push --force)'] }).commands.open).toEqual({ '': ['r0'], git: ['r0'], 'git push': ['r0'] });
    expect(dataOf({ allow: ['Bash(git push)'] }).allowed).not.toHaveProperty('open');
    const many = dataOf({ ask: ['Bash(x0)'], deny: Array.from({ length: 40 }, (_, at) => `Bash(x${at})`) });
    expect(many.commands.open?.['']).toHaveLength(8);
  });

  test('allow has tables of its own', () => {
    expect(dataOf({ allow: ['Bash(npm test:*)', 'Bash'] })).toMatchObject({
      commands: {},
      allowed: { keys: { '>npm test': ['r0'], '*': ['r1'] } },
      tools: { exact: { Bash: ['r1'], Monitor: ['r1'] } },
    });
  });
});

describe('properties of rules', () => {
  test('strength by layer and trust [s:layers.order] [s:default.stronger-allow]', () => {
    const layers: Settings['layers'] = { local: { allow: ['Read'] }, user: { allow: ['Read'] }, managed: { allow: ['Read'] } };
    expect(Object.values(dataOf({ allow: ['Read'], layers }).strength)).toEqual([2, 2, 3, 4]);
    expect(Object.values(dataOf({ allow: ['Read'], layers, trusted: false }).strength)).toEqual([1, 1, 3, 4]);
  });

  test.each<[string, boolean]>([
    ['mcp__db__q', true],
    ['mcp__db', true],
    ['mcp__db__*', true],
    ['mcp__db__q*', true],
    ['PowerShell', true],
    ['Bash', false],
    ['Bash(*)', false],
    ['@command', false],
    ['Bash(npm test)', true],
    ['Bash(npm test:*)', true],
    ['Bash(npm *)', true],
    ['Bash(npm run * x)', true],
    ['Bash(npm*)', false],
    ['Bash(*test)', false],
    ['Bash(@runs)', true],
    ['Bash(@unknown)', true],
    ['Bash(@writes)', false],
    ['Skill(x)', true],
    ['Skill(x*)', false],
    ['Skill', false],
    ['Write(**)', false],
  ])('%s names what it allows: %s', (rule, expected) => {
    expect(Object.keys(dataOf({ allow: [rule] }).naming)).toEqual(expected ? ['r0'] : []);
  });

  test.each<[Settings, number | undefined]>([
    [{ deny: ['Write(a)'] }, 1],
    [{ ask: ['Edit'] }, 1],
    [{ deny: ['Bash(@writes)'] }, 1],
    [{ layers: { user: { deny: ['@edit'] } } }, 2],
    [{ deny: ['Write(a)'], layers: { managed: { ask: ['Write(b)'] } } }, 2],
    [{ deny: ['Read(a)', 'Bash(rm:*)', 'NotebookEdit', 'Web*', 'mcp__*'] }, undefined],
    [{ deny: ['*Edit'] }, 1],
    [{ allow: ['Write(a)'] }, undefined],
    [{ layers: { builtin: { deny: ['Write(a)'] } } }, undefined],
  ])('%j guards writes with %s', (settings, expected) => {
    expect(dataOf(settings).guards_writes).toBe(expected);
  });

  test('defaults: the most restrictive of each layer, and the strength that overrides it', () => {
    expect(dataOf({ defaults: { project: 'deny', user: 'ask', managed: 'pass' } })).toMatchObject({
      default: { project: 'deny', user: 'ask', managed: 'pass' },
      lifts: { deny: 1, ask: 3 },
    });
    expect(dataOf({ defaults: { local: 'ask' } }).lifts).toEqual({ ask: 1 });
    expect(dataOf({}).lifts).toEqual({});
  });

  test('names of JavaScript prototypes are plain keys', () => {
    const data = dataOf({ deny: ['Write(__proto__)', 'Bash(constructor:*)', 'mcp__x__toString', 'Agent(__proto__)'] });
    expect(JSON.parse(JSON.stringify(data)).agents.exact).toHaveProperty(['__proto__'], ['r3']);
    expect(Object.keys(data.commands.keys ?? {})).toEqual(['~-constructor\n\n', '>constructor']);
  });
});

describe('candidate names', () => {
  test('names below a folder by the literal places of deny and ask rules', () => {
    const { couldMatchWriteBelow: below } = rulePathFilter(
      dataOf({ deny: ['Write(/src/gen/**)', 'Write(docs/*.md)', 'Write(//etc/hosts)'], allow: ['Write(lib/**)'] }),
    );
    expect([below(''), below('src'), below('src/gen'), below('src/gen/x')]).toEqual([true, true, true, true]);
    expect([below('docs'), below('docs/sub'), below('lib'), below('src/other')]).toEqual([true, true, false, false]);
    expect([below('/'), below('/etc'), below('/etc/hosts/x'), below('/var')]).toEqual([true, true, true, false]);
  });

  test('a name at any depth is possible below every folder of a root', () => {
    const { couldMatchReadBelow: below } = rulePathFilter(dataOf({ ask: ['Read(.env)'] }));
    expect([below(''), below('a/b'), below('/etc')]).toEqual([true, true, false]);
  });

  test('rules for every path need none', () => {
    expect(rulePathFilter(dataOf({ deny: ['Write', '@read'] }))).toMatchObject({
      hasReadRestriction: false,
      hasWriteRestriction: false,
    });
    expect(rulePathFilter(dataOf({ deny: ['Write'] })).couldMatchWrite(pathName('a', false))).toBe(false);
  });
});

describe('the input of the core', () => {
  const rules: Settings = { deny: ['Write(src/**)', 'Bash(git push:*)'], allow: ['Read(**)', 'Bash(sed:*)'] };

  test('keeps only keys that some rule has, and nothing of a name without one', () => {
    const lean = coreInput(dataOf(rules))(edit('src/a.ts'));
    expect(lean).toMatchObject({ writes: [{ names: [{ path: 'src/a.ts', keys: ['>src'] }, {}], readings: [[0, 1]] }] });
    expect(lean).not.toHaveProperty('session');
    expect(coreInput(dataOf(rules))(read('src/a.ts'))).toMatchObject({
      reads: [{ names: [{ path: 'src/a.ts', keys: ['<'] }, {}], readings: [[0, 1]] }],
    });
  });

  test('is a fraction of the facts', () => {
    const facts = bash([command('sed -i s/a/b/ src/a.ts', { class: 'writes' })], {
      writes: [access('src/a.ts', { command: 0, via: 'sed -i' })],
      reads: [access('src/a.ts', { command: 0, via: 'sed' })],
    });
    expect(JSON.stringify(coreInput(dataOf(rules))(facts)).length * 2).toBeLessThan(JSON.stringify(facts).length);
  });

  test('does not grow with the number of rules', () => {
    const many = { deny: Array.from({ length: 2_000 }, (_, at) => `Write(/gen${at}/**)`) };
    expect(coreInput(dataOf(many))(read('gen7/a'))).toEqual(coreInput(dataOf({}))(read('gen7/a')));
  });
});
