// Whatever a verified program does to the files of a project, a guarded file with another content is a violation.

import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lowerRules } from '../../../../src/rules/lower.ts';
import { rulePathFilter } from '../../../../src/rules/path-filter.ts';
import { recordedContent } from '../../../../src/workflow/verification/recorded.ts';
import { type GuardedScope, Verification } from '../../../../src/workflow/verification/verification.ts';
import { makeFolder } from '../../../support/folder-project.ts';
import { rulesOf } from '../../../support/policy.ts';

const names = ['src/a', 'src/b', 'src/deep/c', 'docs/d', 'e'];
const isGuarded = (name: string) => name.startsWith('src/');

function makeScope(more: Partial<GuardedScope> = {}): GuardedScope {
  const top = makeFolder();
  const root = path.join(top, 'project');
  const rules = rulesOf({ deny: ['Write(src/**)'] });
  return {
    root,
    dataFolder: path.join(top, 'data'),
    scope: '',
    entry: 'first',
    mode: 'work',
    rules: 'one',
    filters: [rulePathFilter(lowerRules(rules, { defaults: [], trusted: true }))],
    guardOf: (name) => (isGuarded(name) ? 'Write(src/**)' : null),
    ...more,
  };
}
const run = (id: string) => ({ id, command: 'npm run build', at: '2026-01-01T00:00:00.000Z', background: false });

function put(root: string, name: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), text);
}

/** The regular files that are guarded, with their contents. A link counts with its text. */
function contentsOf(root: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of names) {
    const stat = fs.lstatSync(path.join(root, name), { throwIfNoEntry: false });
    if (stat === undefined || !isGuarded(name)) continue;
    const file = path.join(root, name);
    found.set(name, stat.isSymbolicLink() ? `link ${fs.readlinkSync(file)}` : fs.readFileSync(file, 'utf8'));
  }
  return found;
}

type Step = { name: string; what: 'write' | 'remove' | 'touch' | 'swap' | 'link' | 'run' | 'restart'; text: string };

const step: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...names),
  what: fc.constantFrom('write', 'remove', 'touch', 'swap', 'link', 'run', 'restart'),
  text: fc.constantFrom('one', 'two', 'one '),
});

test('of every sequence of changes, exactly the guarded files that differ in the end are violations', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const scope = makeScope();
      for (const name of [...names, 'target']) put(scope.root, name, 'one');
      let verification = new Verification();
      verification.begin(scope, run('first'));
      const before = contentsOf(scope.root);
      for (const [at, { name, what, text }] of steps.entries()) {
        const file = path.join(scope.root, name);
        if (what === 'run') verification.begin(scope, run(`run ${at}`));
        else if (what === 'restart') verification = new Verification();
        else if (what === 'write') put(scope.root, name, text);
        else if (what === 'remove') fs.rmSync(file, { force: true });
        else if (what === 'link') {
          fs.rmSync(file, { force: true });
          fs.symlinkSync(path.join(scope.root, 'target'), file);
        } else if (what === 'touch' && fs.existsSync(file)) fs.utimesSync(file, 1, 1);
        else if (what === 'swap' && fs.existsSync(file)) {
          // The same size and times as before.
          const { atime, mtime } = fs.statSync(file);
          if (!fs.lstatSync(file).isSymbolicLink()) fs.writeFileSync(file, 'two');
          fs.utimesSync(file, atime, mtime);
        }
      }
      const after = contentsOf(scope.root);
      const differing = names.filter((name) => before.get(name) !== after.get(name));
      expect(
        verification
          .check(scope)
          .map(({ file }) => file)
          .sort(),
      ).toEqual(differing.sort());
    }),
    { numRuns: 150 },
  );
}, 120_000);

describe('what was recorded', () => {
  test('is not replaced by a later run', () => {
    const scope = makeScope();
    put(scope.root, 'src/a', 'one');
    const verification = new Verification();
    verification.begin(scope, run('1'));
    put(scope.root, 'src/a', 'two');
    verification.begin(scope, run('2'));
    verification.begin(scope, run('3'));
    expect(verification.check(scope)).toMatchObject([{ file: 'src/a', change: 'changed', rule: 'Write(src/**)' }]);
  });

  test('of another visit does not count', () => {
    const scope = makeScope();
    put(scope.root, 'src/a', 'one');
    const verification = new Verification();
    verification.begin(scope, run('1'));
    put(scope.root, 'src/a', 'two');
    expect(verification.check({ ...scope, entry: 'second' })).toEqual([]);
  });

  test('under other rules, files that were not guarded before are no violations', () => {
    const scope = makeScope();
    put(scope.root, 'docs/d', 'one');
    put(scope.root, 'src/a', 'one');
    const verification = new Verification();
    verification.begin(scope, run('1'));
    const rules = rulesOf({ deny: ['Write(src/**)', 'Write(docs/**)'] });
    const wider = {
      ...scope,
      rules: 'two',
      filters: [rulePathFilter(lowerRules(rules, { defaults: [], trusted: true }))],
      guardOf: () => 'a rule',
    };
    expect(verification.check(wider)).toEqual([]);
    put(scope.root, 'docs/d', 'two');
    expect(verification.check(wider)).toMatchObject([{ file: 'docs/d' }]);
  });

  test('has the content of a file of up to 1 MB, and the change of a larger one', async () => {
    const scope = makeScope();
    const large = 'x'.repeat(1_100_000);
    put(scope.root, 'src/a', 'one');
    put(scope.root, 'src/b', large);
    const verification = new Verification();
    verification.begin(scope, run('1'));
    const contentOf = (name: string) =>
      recordedContent(scope.dataFolder, scope.root, name, verification.hashBefore(scope, name) as string);
    expect((await contentOf('src/a'))?.bytes.toString()).toBe('one');
    expect(await contentOf('src/b')).toBeNull();
    put(scope.root, 'src/b', `${large}y`);
    expect(verification.check(scope)).toMatchObject([{ file: 'src/b' }]);
  });

  test.each(['{', '{"version":2}', '[]'])('and cannot be read any more (%s) is a fault, not an absence', (text) => {
    const scope = makeScope();
    put(scope.root, 'src/a', 'one');
    new Verification().begin(scope, run('1'));
    const [file] = fs
      .readdirSync(scope.dataFolder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('verified.json'));
    fs.writeFileSync(path.join(scope.dataFolder, file as string), text);
    expect(() => new Verification().check(scope)).toThrow();
  });
});
