// What facts carry to be looked up by, and that rules written by people meet what the analyser makes of a command.
import { describe, expect, test } from 'vitest';
import {
  commandFacts,
  commandPrefixes,
  hasOwnKey,
  keysIn,
  openPrefixes,
  pathKey,
  pathName,
} from '../../../src/facts/paths/keys.ts';
import type { Effect } from '../../../src/model/configuration.ts';
import { under } from '../../../src/platform/path-text.ts';
import { matchesCommand } from '../../../src/rules/direct.ts';
import { analyse } from '../../../src/shell/analyse.ts';
import { command } from '../../support/facts.ts';
import { rulesOf } from '../../support/policy.ts';

describe('names of paths', () => {
  test('a relative path is found by itself, its ancestors, its components and their endings', () => {
    expect(pathName('src/a.test.ts', false)).toEqual({
      path: 'src/a.test.ts',
      keys: ['=src/a.test.ts', '<src', '<', '/src', '>src', '/a.test.ts', '.test.ts', '.ts'],
    });
    expect(pathName('.env', false).keys).toEqual(['=.env', '<', '/.env', '.env']);
    expect(pathName('a/b/c', false).keys.slice(0, 4)).toEqual(['=a/b/c', '<a/b', '<a', '<']);
  });

  test('an absolute path is found by itself and its ancestors alone', () => {
    expect(pathName('/etc/passwd', true)).toEqual({ path: '/etc/passwd', keys: ['=/etc/passwd', '</etc', '</'] });
  });

  test('the roots have no ancestors', () => {
    expect(pathName('', false).keys).toEqual(['=']);
    expect(pathName('/', true).keys).toEqual(['=/']);
  });

  test.each(['a', 'src/a.test.ts', 'a/b/c', '.env', 'x.y/.z.', '/etc', '/etc/a.b', '/a/b/c.d'])(
    '%s has what its folder gives it, and its own',
    (path) => {
      const isAbsolute = path.startsWith('/');
      const cut = path.lastIndexOf('/');
      const folder = pathName(cut === -1 ? '' : path.slice(0, cut) || '/', isAbsolute);
      const name = path.slice(cut + 1);
      const own: string[] = [];
      if (!isAbsolute) expect(hasOwnKey(name, (key) => own.push(key) < 0)).toBe(false);
      const all = [...keysIn(folder), pathKey.whole(under(folder.path, name)), ...own];
      expect(new Set(all)).toEqual(new Set(pathName(path, isAbsolute).keys));
    },
  );

  test('nothing is listed twice', () => {
    const { keys } = pathName('a.b/a.b/a.b', false);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('keys of commands', () => {
  test('prefixes end at a space, longest first, at most eight words', () => {
    expect(commandPrefixes('npm run test')).toEqual(['npm run test', 'npm run', 'npm']);
    expect(commandPrefixes('a b c d e f g h i j')[0]).toBe('a b c d e f g h');
    expect(commandPrefixes('')).toEqual([]);
  });

  test('the words before an unknown word, by name and basename', () => {
    expect(openPrefixes(['git', 'push'])).toEqual([]);
    expect(openPrefixes([null, 'x'])).toEqual(['']);
    expect(openPrefixes(['/bin/git', 'push', null, 'x'])).toEqual(['/bin/git push', 'git push']);
  });

  test('deny is looked up by every spelling, class and network; allow by the text alone', () => {
    const facts = command('/bin/rm -r a', { class: 'writes', network: true });
    expect(facts.keys.filter((key) => !key.startsWith('~'))).toEqual([
      '=/bin/rm -r a',
      '>/bin/rm -r a',
      '>/bin/rm -r',
      '>/bin/rm',
      '=rm -r a',
      '>rm -r a',
      '>rm -r',
      '>rm',
      '-rm\nrecursive\n',
      '-rm\nrecursive\na',
      '+rm\nrecursive\na',
      '@writes',
      '@network',
      '@network-send',
      '*',
    ]);
    // Options as written, with the program and with its first operand.
    expect(facts.keys.filter((key) => key.startsWith('~'))).toEqual([
      '~-rm\n\n',
      '~-rm a\n\n',
      '~-rm\n-r\n',
      '~-rm a\n-r\n',
      '~+rm a\n-r\n',
    ]);
    expect(facts.allow_keys).toEqual(['=/bin/rm -r a', '>/bin/rm -r a', '>/bin/rm -r', '>/bin/rm', '@network', '*']);
  });

  test('a command that is not at the top level, or has no known word, is allowed only by class', () => {
    expect(command('rm a', { class: 'runs', network: true, top: false }).allow_keys).toEqual(['@runs', '*']);
    expect(commandFacts({ ...command('$X a'), name: '', argv: [null, 'a'], spellings: [], why: [] }, '/').allow_keys).toEqual([
      '@read-only',
      '*',
    ]);
  });
});

describe('a rule matches the command that it is written for', () => {
  const met = (rule: string, effect: Effect, text: string): boolean => {
    const [found] = rulesOf({ [effect]: [`Bash(${rule})`] });
    if (found?.kind !== 'bash') throw new Error(rule);
    const { commands } = analyse(text, { cwd: '/home/ann/work', home: '/home/ann' });
    return commands
      .map((one) => commandFacts(one, '/'))
      .some((one) =>
        (effect === 'deny' ? one.spellings : [one.text]).some((spelling) =>
          found.commands.some((pattern) => matchesCommand(pattern, spelling)),
        ),
      );
  };

  test.each([
    ['npm test', 'npm   test'],
    ['git commit -m "fix it"', "git commit -m 'fix it'"],
    ['git commit -m "fix it"', 'git commit -m fix\\ it'],
    ["git commit -m 'fix'", 'git commit -m fix'],
    ['git commit -m "*"', 'git commit -m "any words"'],
    ['git commit:*', 'git commit -m "a && b"'],
    ['find . -name \\*.ts', "find . -name '*.ts'"],
    ['grep "a|b" x', "grep 'a|b' x"],
  ])('%s: %s', (rule, text) => {
    expect(met(rule, 'allow', text)).toBe(true);
    expect(met(rule, 'deny', text)).toBe(true);
  });

  test.each([
    ['rm:*', '"rm" -rf x'],
    ['rm:*', '\\rm -rf x'],
    ['rm:*', '/bin/rm -rf x'],
    ['rm:*', 'true; sudo rm -rf x'],
    ['rm:*', 'echo $(rm -rf x)'],
    ['rm:*', "sh -c 'rm -rf x'"],
    ['git push "origin"', "git push 'origin'"],
  ])('denied: %s, however it is written: %s', (rule, text) => {
    expect(met(rule, 'deny', text)).toBe(true);
  });

  test.each([
    ['npm test:*', 'npm testify'],
    ['npm test', 'npm test x'],
    ['rm:*', 'echo rm'],
  ])('%s does not match %s', (rule, text) => {
    expect(met(rule, 'deny', text)).toBe(false);
  });
});
