// examples/tdd: what a person copies first must be right.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import Ajv from 'ajv';
import { parse } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { loadConfiguration } from '../../../src/config/load.ts';
import { MODE_KEYS } from '../../../src/config/mode-schema.ts';
import { SCHEMAS } from '../../../src/config/schema.ts';
import { read } from './project.ts';

const ROOT = 'examples/tdd';
const { topology, settings, instructions, problems, files } = loadConfiguration(ROOT);
const rulesOf = (mode: string, effect: string) =>
  settings
    .get(mode)!
    .rules.filter((rule) => rule.effect === effect)
    .map((rule) => rule.text);

describe('examples/tdd', () => {
  it('has no problem of any kind', () => {
    expect(problems).toEqual([]);
  });

  it('has the topology of the source document', () => {
    expect(parseYaml(readFileSync(`${ROOT}/.claude/modes.yaml`, 'utf8'))).toEqual({
      name: 'tdd',
      default: 'idle',
      modes: {
        idle: { transitions: [{ to: 'test-dev', constraint: 'User has described a bug or feature to work on' }] },
        'test-dev': {
          transitions: [
            {
              to: 'feature-dev',
              constraint: 'A test exists that targets the bug/feature.\nThe test has been executed and is currently failing.\n',
            },
          ],
        },
        'feature-dev': {
          transitions: [{ to: 'idle', constraint: 'All tests are passing.\nNo test files were modified in this mode.\n' }],
        },
      },
    });
  });

  it('fits the published schemas', () => {
    const ajv = new Ajv({ strict: true, allowUnionTypes: true });
    for (const file of files) {
      const [name, value] = file.name.endsWith('.yaml')
        ? ['modes.schema.json', parseYaml(file.text)]
        : ['settings.schema.json', parse(file.text)];
      if (file.name.endsWith('.md')) continue;
      expect([file.name, ajv.validate(SCHEMAS.get(name as string)!, value)]).toEqual([file.name, true]);
      if (file.name.endsWith('.json'))
        expect((value as { $schema: string }).$schema).toBe(SCHEMAS.get('settings.schema.json')!.$id);
    }
  });

  it('has instructions and permissions for every mode', () => {
    expect([...instructions.keys()].sort()).toEqual([...topology!.modes.keys()].sort());
    for (const mode of topology!.modes.keys()) expect(rulesOf(mode, 'deny').length).toBeGreaterThan(0);
  });

  it('allows tests and denies the code while a test is written, and the reverse afterwards', () => {
    expect(rulesOf('test-dev', 'allow')).toEqual(
      expect.arrayContaining(['Read(**)', 'Write({test/**,**/*.test.ts,**/*.spec.ts})', 'Bash(npm test*)']),
    );
    expect(rulesOf('test-dev', 'deny')).toEqual(['Write(src/**)', 'Edit(src/**)']);
    expect(rulesOf('feature-dev', 'allow')).toEqual(expect.arrayContaining(['Write(src/**)', 'Bash(npm test*)']));
    expect(rulesOf('feature-dev', 'deny')).toEqual(expect.arrayContaining(['Write(test/**)', 'Write(*.test.*)']));
  });

  it('permits no write in idle', () => {
    expect(rulesOf('idle', 'deny')).toEqual(['@edit']);
    expect(rulesOf('idle', 'allow')).toEqual(['Read(**)']);
    expect(rulesOf('idle', 'ask')).toEqual(expect.arrayContaining(['Bash(@runs)', 'Bash(@unknown)']));
  });

  it.each([
    'package.json',
    'package-lock.json',
    '*.config{,.*}.{js,cjs,mjs,ts,cts,mts,json}',
    '.npmrc',
    'node_modules/**',
    '.github/**',
  ])('asks in every mode before %s is changed', (path) => {
    for (const mode of topology!.modes.keys()) expect(rulesOf(mode, 'ask')).toContain(`Write(${path})`);
  });

  it('has tests that pass, and the bug that its README describes', async () => {
    const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(NODE_|VITEST)/.test(name)));
    const { stdout } = await promisify(execFile)(process.execPath, ['--test'], { cwd: ROOT, env: environment });
    expect(stdout).toMatch(/pass 2\b/);
    const { splitBill } = (await import('../../../examples/tdd/src/split.js' as string)) as {
      splitBill: (total: number, people: number) => number[];
    };
    expect(splitBill(1000, 3).reduce((sum, share) => sum + share, 0)).toBe(999);
  });
});

describe('examples/tdd-checked', () => {
  const checked = 'examples/tdd-checked';
  const { topology: ways, settings: guards, problems: found, files: parts } = loadConfiguration(checked);

  it('has no problem of any kind', () => {
    expect(found).toEqual([]);
  });

  it('has the transitions and instructions of the TDD example', () => {
    const texts = (list: typeof files) => list.filter(({ name }) => name.endsWith('.md')).map(({ name, text }) => [name, text]);
    expect(texts(parts)).toEqual(texts(files));
    const wordsOf = (root: string) =>
      [...loadConfiguration(root).topology!.modes].map(([mode, { transitions }]) => [
        mode,
        transitions.map(({ to, constraint }) => ({ to, constraint })),
      ]);
    expect(wordsOf(checked)).toEqual(wordsOf(ROOT));
  });

  it('checks its constraints, and watches every file that feature-dev denies', () => {
    const checks = (mode: string) =>
      ways!.modes.get(mode)!.transitions.flatMap(({ require }) => require.map(({ check }) => check));
    expect(['idle', 'test-dev', 'feature-dev'].map(checks)).toEqual([[], ['changed', 'tests'], ['tests', 'unchanged']]);
    const [, unchanged] = ways!.modes.get('feature-dev')!.transitions[0]!.require;
    const denied = guards
      .get('feature-dev')!
      .rules.filter(({ effect }) => effect === 'deny')
      .map(({ text }) => text.replace(/^Write\((.*)\)$/, '$1'));
    expect(unchanged).toMatchObject({ check: 'unchanged', globs: denied });
  });
});

describe('docs/modes.md', () => {
  const text = readFileSync('docs/modes.md', 'utf8');

  it('begins with a file that is accepted', () => {
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
    expect(read({ 'modes.yaml': yaml, 'settings.any.json': '{}' }).problems).toEqual([]);
  });

  it('describes every key of a mode', () => {
    for (const key of Object.keys(MODE_KEYS)) expect(text).toMatch(new RegExp(`^(## ${key}|\\| .*\`${key}\`)`, 'm'));
  });
});
