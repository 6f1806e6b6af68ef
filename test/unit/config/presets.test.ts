// Every preset is whole: what a person copies has no problem, tells and guards each of its modes, and has cases for each.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'jsonc-parser';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { loadConfiguration } from '../../../src/config/load.ts';
import { SCHEMAS } from '../../../src/config/schema.ts';
import { targets } from '../../../src/config/targets.ts';

const presets = readdirSync('examples').filter((name) => existsSync(join('examples', name, '.claude/modes.yaml')));
const ajv = new Ajv({ strict: true, allowUnionTypes: true });

describe.each(presets)('%s', (preset) => {
  const root = join('examples', preset);
  const { topology, settings, instructions, problems, files } = loadConfiguration(root);
  const modes = [...(topology?.modes.keys() ?? [])];

  test('has no problem of any severity', () => expect(problems).toEqual([]));

  test('has the name of its folder', () => {
    expect((parseYaml(readFileSync(join(root, '.claude/modes.yaml'), 'utf8')) as { name: string }).name).toBe(preset);
  });

  test('fits the published schemas', () => {
    for (const { name, text } of files) {
      if (name.endsWith('.md')) continue;
      const [schema, value] = name.endsWith('modes.yaml')
        ? ['modes.schema.json', parseYaml(text)]
        : ['settings.schema.json', parse(text)];
      if (name.includes('/policies/')) continue;
      expect([name, ajv.validate(SCHEMAS.get(schema as string)!, value), ajv.errors]).toEqual([name, true, null]);
    }
  });

  test('has instructions and permissions for every mode', () => {
    expect([...instructions.keys()].sort()).toEqual([...modes].sort());
    for (const mode of modes) expect([mode, settings.get(mode)?.rules.length ?? 0]).not.toEqual([mode, 0]);
  });

  // In this preset, every mode denies all writes but those of migrations and tests, as its cases show.
  if (preset !== 'database-migration')
    test('asks in every mode before a change of the test configuration', () => {
      const asked = settings
        .get(modes[0] as string)!
        .rules.filter(({ effect }) => effect === 'ask')
        .map(({ text }) => text);
      expect(asked).toEqual(
        expect.arrayContaining([
          'Write(package.json)',
          'Write(.npmrc)',
          'Write(.github/**)',
          'Write(*.config{,.*}.{js,cjs,mjs,ts,cts,mts,json})',
        ]),
      );
    });

  test('has a transition out of every mode', () => {
    for (const start of modes) {
      const reached = new Set([start]);
      for (const mode of reached) for (const { to } of targets(topology!.modes.get(mode)!, topology!)) reached.add(to);
      expect([start, [...reached].sort()]).toEqual([start, [...modes].sort()]);
    }
  });

  test('has cases for every mode', () => {
    const cases = parseYaml(readFileSync(join(root, `.claude/policies/${preset}.cases.yaml`), 'utf8')) as { mode: string }[];
    expect(new Set(cases.map(({ mode }) => mode))).toEqual(new Set(modes));
  });

  test('has a page with a picture and all its modes', () => {
    const page = readFileSync(join(root, 'README.md'), 'utf8');
    expect(page).toMatch(/```[^`]*►/);
    for (const mode of modes) expect(page).toMatch(new RegExp(`(^| )${mode}( |$)`, 'm'));
  });
});
