// Every code that a person can meet is provoked by some test: here those that no room's own tests look for by their code.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCore } from '../../../src/policy/core.ts';
import { toProblems } from '../../../src/rego/problems.ts';
import { parseRule } from '../../../src/rules/parse.ts';
import { noSession } from '../../../src/workflow/scope.ts';
import { wayOutOf } from '../../../src/workflow/view.ts';
import { afterTest } from '../cleanup.ts';

const CODE = /(?<![.\w])[EW]_[A-Z][A-Z_]+\b/g;
const root = path.resolve(import.meta.dirname, '../../..');

/** Every code of the files below a folder, comments aside. */
function codesIn(folder: string, isLeftOut: (name: string) => boolean = () => false): Set<string> {
  const names = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return new Set(
    names
      .filter((name) => name.endsWith('.ts') && !isLeftOut(name))
      .map((name) => fs.readFileSync(path.join(root, folder, name), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, ''))
      .flatMap((text) => text.match(CODE) ?? []),
  );
}

/** The test of the table names none on purpose. */
const isElsewhere = (name: string) => name.endsWith('config/codes.test.ts');

interface Met {
  code: string;
  message: string;
  remedy: string;
}

const inFolder = <T>(act: (folder: string) => T): T => {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-errors-'));
  afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
  return act(folder);
};

const rule = (text: string): Met[] => {
  const source = { file: 'settings.json', line: 1, column: 1, length: text.length };
  const read = parseRule({ text, effect: 'allow', layer: 'project', source }, 'r', { home: '/home/ann' });
  return 'problem' in read ? [read.problem] : read.warnings;
};

/** What is done, and what is met then. */
const ways: Record<string, [what: string, meets: () => Met[]]> = {
  E_CORE_DAMAGED: [
    'a core that is not what was recorded',
    () =>
      inFolder((folder) => {
        fs.mkdirSync(path.join(folder, 'dist'));
        fs.writeFileSync(path.join(folder, 'dist/core.json'), '{"wasm":"sha256:0"}');
        fs.writeFileSync(path.join(folder, 'dist/core.wasm'), 'x');
        const read = readCore(folder);
        return read.ok ? [] : read.problems;
      }),
  ],
  E_NO_SESSION: [
    'a call without a session where each has a mode of its own',
    () => (noSession.trouble === null ? [] : [{ ...noSession.trouble, remedy: wayOutOf(noSession.trouble) }]),
  ],
  E_REGO_FORMAT: ['a policy that cannot be laid out', () => toProblems([{ code: 'rego_format_error', message: 'no' }], {})],
  E_COMPILER_INTERNAL: [
    'an error of the compiler that nobody foresaw',
    () => toProblems([{ code: 'something_new', message: 'no' }], {}),
  ],
  W_RULE_PATH: ['a pattern that may be meant otherwise', () => rule('Read(app/[id]/page.tsx)')],
};

describe('every code', () => {
  test('of src is looked for by a test', () => {
    const named = codesIn('test', isElsewhere);
    expect([...codesIn('src')].filter((code) => !named.has(code))).toEqual([]);
  });

  test.each(Object.entries(ways))('%s', (code, [, meets]) => {
    const met = meets().filter((one) => one.code === code);
    expect(met).toHaveLength(1);
    expect(met[0]!.message.length).toBeGreaterThan(1);
    expect(met[0]!.remedy.length).toBeGreaterThan(5);
  });
});
