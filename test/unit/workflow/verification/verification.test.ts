// Whatever a verified program does to the files of a project, a guarded file with another content is a violation.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { limitsAnyWrite } from '../../../../src/engine/policies.ts';
import type { Decision } from '../../../../src/model/decision.ts';
import type { ToolCall } from '../../../../src/model/facts.ts';
import { lowerRules } from '../../../../src/rules/lower.ts';
import { rulePathFilter } from '../../../../src/rules/path-filter.ts';
import { CallVerification } from '../../../../src/workflow/verification/calls.ts';
import { recordedContent } from '../../../../src/workflow/verification/recorded.ts';
import { type GuardedScope, Verification } from '../../../../src/workflow/verification/verification.ts';
import { makeFolder } from '../../../support/folder-project.ts';
import { dataOf, rulesOf, type Settings } from '../../../support/policy.ts';

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
    isOpenEnded: false,
    verifiesRuns: true,
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

test('a run that begins in another process while this one records the files is compared, too [w:verified.once]', () => {
  const scope = makeScope();
  put(scope.root, 'src/a', 'one');
  const [filter] = scope.filters;
  let hasBegun = false;
  const slow = {
    ...filter,
    couldMatchWrite(...given: Parameters<NonNullable<typeof filter>['couldMatchWrite']>) {
      if (!hasBegun) {
        hasBegun = true;
        new Verification().begin(scope, run('other'));
        put(scope.root, 'src/a', 'two');
      }
      return filter?.couldMatchWrite(...given) ?? false;
    },
  };
  new Verification().begin({ ...scope, filters: [slow as NonNullable<typeof filter>] }, run('this'));
  expect(new Verification().check(scope)).toMatchObject([{ file: 'src/a', change: 'changed' }]);
});

test('after every sequence of changes, exactly the guarded files that differ in the end are violations', () => {
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

describe('in a mode that lists the files that may be written [w:verified.listed]', () => {
  /** Only docs may be written, which no path pattern of a deny or ask says. */
  const listing = (more: Partial<GuardedScope> = {}): GuardedScope => {
    const scope = makeScope({
      filters: [],
      isOpenEnded: true,
      guardOf: (name) => (name.startsWith('docs/') ? null : 'a list'),
      ...more,
    });
    for (const name of [...names, 'out/x']) put(scope.root, name, 'one');
    put(scope.root, '.gitignore', 'out/\n');
    return scope;
  };
  const seen = (scope: GuardedScope, verification: Verification) => verification.check(scope).map(({ file }) => file);

  test.each<[what: string, change: (root: string) => void, files: string[]]>([
    ['a listed file changes', (root) => put(root, 'docs/d', 'two'), []],
    ['another file changes', (root) => put(root, 'src/a', 'two'), ['src/a']],
    ['another file is removed', (root) => fs.rmSync(path.join(root, 'e')), ['e']],
    ['a file is new', (root) => put(root, 'new/folder/f', 'x'), ['new/folder/f']],
    ['an ignored file changes', (root) => put(root, 'out/x', 'two'), []],
    ['an interpreter writes its cache', (root) => put(root, 'src/__pycache__/a.pyc', 'x'), []],
    [
      'a file is new, and ignored since',
      (root) => {
        put(root, '.gitignore', 'out/\nhidden\n');
        put(root, 'hidden', 'x');
      },
      ['.gitignore', 'hidden'],
    ],
    [
      'a folder is new, and ignores itself',
      (root) => {
        put(root, 'lib/.gitignore', '*\n');
        put(root, 'lib/x', 'x');
      },
      ['lib/.gitignore', 'lib/x'],
    ],
    [
      'git is told to ignore a file by its own list',
      (root) => {
        put(root, '.git/info/exclude', 'hidden\n');
        put(root, 'hidden', 'x');
      },
      ['hidden'],
    ],
  ])('%s', (_, change, files) => {
    for (const isRepository of [false, true]) {
      const scope = listing();
      if (isRepository) execFileSync('git', ['init', '-q', scope.root]);
      const verification = new Verification();
      verification.begin(scope, run('1'));
      change(scope.root);
      expect(seen(scope, verification)).toEqual(files);
      expect(seen(scope, new Verification())).toEqual(files);
    }
  });

  test('a tracked file counts although a rule ignores it', () => {
    const scope = listing();
    execFileSync('git', ['init', '-q', scope.root]);
    execFileSync('git', ['-C', scope.root, 'add', '-f', 'out/x']);
    const verification = new Verification();
    verification.begin(scope, run('1'));
    put(scope.root, 'out/x', 'two');
    expect(seen(scope, verification)).toEqual(['out/x']);
    execFileSync('git', ['-C', scope.root, 'rm', '-qf', '--cached', 'out/x']);
    expect(seen(scope, verification)).toEqual(['out/x']);
  });
});

test.each<[what: string, settings: Settings, limits: boolean]>([
  ['a path', { deny: ['Write(src/**)'] }, false],
  ['no write', { deny: ['Read(key)', 'Bash(rm:*)'], allow: ['Write'] }, false],
  ['every write', { deny: ['Write'] }, true],
  ['every write that asks', { ask: ['@edit'] }, true],
  ['a default', { defaults: { project: 'deny' } }, true],
  ['a list', { outside: [{ effect: 'deny', globs: ['docs/**'], expressions: [] }] }, true],
])('rules about %s: what no pattern names is compared or not', (_, settings, limits) => {
  expect(limitsAnyWrite(dataOf(settings))).toBe(limits);
});

describe('a record', () => {
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

  test.runIf(process.platform === 'linux')(
    'goes on while a process of its run is alive, whatever its text is [w:verified.background]',
    async () => {
      const scope = makeScope();
      put(scope.root, 'src/a', 'one');
      const verification = new Verification();
      const calls = new CallVerification(verification, () => scope);
      const call = { toolUseId: 'run', input: { command: 'npm run build' } } as unknown as ToolCall;
      calls.begin(call, { decision: 'ask', verifiable: 'allow', facts: {}, rules: [], also: [] } as unknown as Decision);
      const env = { ...process.env, CLAUDECODE: '1' };
      const pid = Number(execFileSync('sh', ['-c', 'setsid sleep 60 >/dev/null 2>&1 & echo $!'], { env, encoding: 'utf8' }));
      try {
        calls.end('run');
        expect(verification.hasBackground(scope)).toBe(true);
        expect(calls.violations()).toEqual([]);
        expect(verification.hasBackground(scope)).toBe(true);
      } finally {
        process.kill(pid);
      }
      await vi.waitFor(() => {
        calls.violations();
        expect(verification.hasBackground(scope)).toBe(false);
      });
    },
  );

  describe('of a run in the background', () => {
    const left = (): { scope: GuardedScope; entered: GuardedScope; verification: Verification } => {
      const scope = makeScope();
      for (const name of ['src/a', 'src/b', 'docs/d']) put(scope.root, name, 'one');
      const verification = new Verification();
      verification.begin(scope, run('1'));
      verification.note(scope, '1', true);
      expect(verification.check(scope)).toEqual([]);
      return { scope, entered: { ...scope, entry: 'second', mode: 'next' }, verification };
    };
    /** Between the comparison of the gate and the first look in the next mode. */
    const change = ({ root }: GuardedScope) => {
      put(root, 'src/a', 'two');
      put(root, 'src/new', 'two');
      fs.rmSync(path.join(root, 'src/b'));
      put(root, 'docs/d', 'two');
    };

    test('counts in the next mode, also if it changes a file while the mode changes [w:verified.background]', () => {
      const { scope, entered, verification } = left();
      change(scope);
      verification.carry(scope, entered);
      expect(verification.check(entered)).toMatchObject([
        { file: 'src/a', change: 'changed', command: 'npm run build' },
        { file: 'src/b', change: 'removed' },
        { file: 'src/new', change: 'created' },
      ]);
    });

    test('does not count if the next mode permits the write [w:verified.background]', () => {
      const { scope, entered, verification } = left();
      change(scope);
      const open = { ...entered, filters: [], guardOf: () => null };
      verification.carry(scope, open);
      expect(verification.check(open)).toEqual([]);
    });

    test('does not count if a person changed the mode [w:verified.background]', () => {
      const { scope, entered, verification } = left();
      change(scope);
      expect(verification.check(entered)).toEqual([]);
      put(scope.root, 'src/a', 'three');
      expect(verification.check(entered)).toMatchObject([{ file: 'src/a' }]);
    });
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

  test.each(['{', '{"version":2}', '[]'])('that cannot be read any more (%s) is a fault, not an absence', (text) => {
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
