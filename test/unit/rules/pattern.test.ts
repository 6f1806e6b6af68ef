// Path patterns against the `ignore` package, which is the oracle for gitignore's meaning.
import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, test } from 'vitest';
import { fold } from '../../../src/facts/paths/keys.ts';
import type { PathPattern } from '../../../src/model/rule.ts';
import { expandBraces } from '../../../src/rules/braces.ts';
import { matchesPath } from '../../../src/rules/direct.ts';
import { inAnyCase } from '../../../src/rules/folded.ts';
import { parsePathPattern } from '../../../src/rules/pattern.ts';
import { pathExpression, toRegExp } from '../../../src/rules/regex.ts';

const home = '/home/ann';
const runs = 1_500;

function patternsOf(text: string, narrow = true): PathPattern[] {
  const parsed = parsePathPattern(text, { home, restricts: narrow });
  if ('problem' in parsed) throw new Error(`${text}: ${parsed.problem.message}`);
  return parsed.patterns;
}

function meets(text: string, path: string, narrow = true): boolean {
  const patterns = patternsOf(text, narrow);
  const direct = patterns.some((pattern) => matchesPath(pattern, path));
  const byExpression = patterns.some((pattern) => toRegExp(pathExpression(pattern)).test(path));
  if (direct !== byExpression) throw new Error(`${text} and ${path}: direct ${direct}, expression ${byExpression}`);
  return direct;
}

function oracle(text: string, path: string): boolean {
  return ignore({ ignorecase: false, allowRelativePaths: false }).add(text).ignores(path);
}

const names = [
  'src',
  'a',
  'b.ts',
  'a.test.ts',
  '.env',
  '.hidden',
  'x(1)',
  '(group)',
  '$id.tsx',
  '[id]',
  'ünï',
  'naïve.md',
  'a b',
  'é',
  'line\nend',
  'cafe\u0301',
  '-n',
  '#h',
  '!x',
  'a+b',
  'a|b',
  '^c$',
  'x.',
  '..x',
  '{y}',
  'back\\slash',
  "q'q",
  '日本',
];
const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...names) },
  fc.stringMatching(/^[ab.]{1,3}$/).filter((text) => !/^\.{1,2}$/.test(text)),
);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

const escaped = (text: string): string => text.replace(/[\\*?[\]{}!# ]/g, '\\$&').replace(/\n/g, '?');
const literalPart = name.map(escaped);
const wildPart = fc.oneof(
  fc.constantFrom(
    '*',
    '**',
    '*.ts',
    '*.test.ts',
    'a*',
    '*b*',
    '?',
    '??',
    '.*',
    '[ab]*',
    '[!a]*',
    '[a-c].ts',
    '[^.]*',
    '[]a]',
    '[[:alpha:]]*',
    '*[.]ts',
    '***',
    'a**b',
    '[a-]',
    '\\a',
    '*)',
    '$*',
    '*.*',
  ),
  fc.tuple(name, fc.nat(4)).map(([text, at]) => `${escaped(text.slice(0, at))}*`),
  fc.tuple(name, fc.nat(4)).map(([text, at]) => `*${escaped(text.slice(at))}`),
);
const part = fc.oneof(literalPart, wildPart);
const gitPattern = fc
  .tuple(
    fc.constantFrom('', '', '/', '**/'),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', '/', '/**', '/*'),
  )
  .map(([lead, parts, tail]) => lead + parts.join('/') + tail)
  // A run of stars that is a whole component is one globstar to us; the oracle reads some of them otherwise, and says so itself.
  .filter((text) => !/^!/.test(text) && !/^ /.test(text));

/** Forms that Claude Code does not read as gitignore does: deny and ask mean both readings, allow refuses them. */
const ownForms = /^#|\[[!^\]]|\[:|\[[^\]]*\\|\\\?|\\\*$|[{}]|[^/]\/\.(?:\/|$)/;
const samePattern = gitPattern.filter((text) => !ownForms.test(text));

/** In deny and ask the client takes `dir/**\/` for all that lies below the folder, and not for its folders alone. */
const allBelow = (text: string): string => {
  const [end, stars = '', ...names] = text.split('/').reverse();
  const isGlobstar = (name: string) => /^\*{2,}$/.test(name);
  return end === '' && isGlobstar(stars) && names.some((name) => name !== '' && !isGlobstar(name)) ? text.slice(0, -1) : text;
};

describe('gitignore meaning', () => {
  test('a pattern in allow matches like the ignore package [s:pattern.gitignore]', () => {
    fc.assert(
      fc.property(samePattern, path, (text, at) => {
        expect([text, at, meets(text, at, false)]).toEqual([text, at, oracle(text, at)]);
      }),
      { numRuns: runs },
    );
  });

  test('in deny and ask a single folder with ** floats, and everything else stays [s:pattern.gitignore] [s:pattern.dir-narrow]', () => {
    fc.assert(
      fc.property(samePattern, path, (text, at) => {
        const floats = /^[^/]+\/\*{2,}$/.test(text) && !/^\*{2,}\//.test(text);
        expect([text, at, meets(text, at)]).toEqual([text, at, oracle(floats ? `**/${text}` : allBelow(text), at)]);
      }),
      { numRuns: runs },
    );
  });

  test('in deny and ask every form matches what gitignore matches, and what Claude Code matches [s:pattern.client]', () => {
    fc.assert(
      fc.property(gitPattern, path, (text, at) => {
        if (oracle(text, at)) expect([text, at, meets(text, at)]).toEqual([text, at, true]);
      }),
      { numRuns: runs },
    );
  });

  test.each([
    ['a[!b]', 'ab'],
    ['a[!b]', 'ac'],
    ['a[^b]', 'ab'],
    ['{a,b}', '{a,b}'],
    ['{a,b}', 'a'],
    ['a\\*', 'ab'],
    ['a\\*', 'a*'],
    ['a[[:digit:]]', 'a1'],
  ])('in deny %s matches %s [s:pattern.client]', (text, at) => expect(meets(text, at)).toBe(true));

  test.each(['a[!b]', 'a[^b]', '#a', 'a[]b]', 'a[\\]]', 'a[[:digit:]]', 'a\\?', 'a/./b'])(
    'in allow %s is refused, since Claude Code matches something else with it [s:pattern.client]',
    (text) => expect(parsePathPattern(text, { home, restricts: false })).toHaveProperty('problem'),
  );

  test('braces are the same as one pattern for each alternative [s:pattern.braces]', () => {
    fc.assert(
      fc.property(
        fc.array(
          samePattern.filter((text) => !/[,{}]/.test(text)),
          { minLength: 2, maxLength: 4 },
        ),
        path,
        (texts, at) => {
          expect(meets(`{${texts.join(',')}}`, at, false)).toBe(texts.some((text) => oracle(text, at)));
        },
      ),
    );
  });

  test('// and ~/ have the same meaning at / and at home [s:pattern.absolute] [s:pattern.home]', () => {
    fc.assert(
      fc.property(samePattern, path, (text, at) => {
        const rest = text.replace(/^\/+/, '');
        expect([rest, at, meets(`//${rest}`, `/${at}`)]).toEqual([rest, at, oracle(allBelow(`/${rest}`), at)]);
        expect([rest, at, meets(`~/${rest}`, `${home}/${at}`)]).toEqual([rest, at, oracle(allBelow(`/${rest}`), at)]);
        expect(meets(`//${rest}`, at)).toBe(false);
        expect(meets(text, `/${at}`)).toBe(false);
      }),
      { numRuns: runs },
    );
  });
});

describe('case beyond ASCII', () => {
  const letters = [
    'σ',
    'ς',
    'Σ',
    'µ',
    'μ',
    'Μ',
    'ß',
    'ẞ',
    'é',
    'É',
    'e\u0301',
    'Ж',
    'ж',
    'ǆ',
    'ǅ',
    'θ',
    'ϑ',
    'ϴ',
    'a',
    'A',
    '𐐀',
    '𐐨',
  ];
  const cased = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 3 }).map((all) => all.join(''));
  const meetsInAnyCase = (text: string, at: string): boolean =>
    inAnyCase(patternsOf(text)).some((pattern) => [at, fold(at)].some((name) => matchesPath(pattern, name)));

  test('every match of the ignore package in any case is a match [s:pattern.case]', () => {
    const lead = fc.constantFrom('', '*', 'x/**/');
    fc.assert(
      fc.property(lead, cased, cased, (before, one, other) => {
        const at = before.startsWith('x') ? `x/${other}` : other;
        const isMet = ignore({ ignorecase: true })
          .add(before + one)
          .ignores(at);
        expect([before + one, at, isMet && !meetsInAnyCase(before + one, at)]).toEqual([before + one, at, false]);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ['ΟΔΟΣ', 'οδοσ'],
    ['*ΣΣ', 'xσς'],
    ['*.baſ', 'x.BAS'],
    ['café', 'CAFE\u0301'],
    ['src', 's\u200crc'],
  ])('%s matches %s, as on some disks [s:pattern.case] [s:paths.unseen]', (text, at) => {
    expect(meetsInAnyCase(text, at)).toBe(true);
  });
});

describe('cases without an oracle', () => {
  test.each([
    ['.', 'src/a.ts', true],
    ['./', 'src/a.ts', true],
    ['/', 'src/a.ts', true],
    ['**', 'src/a.ts', true],
    ['~', '/home/ann/x', true],
    ['~', '/home/anna/x', false],
    ['//', '/etc/passwd', true],
    ['//**', '/etc/passwd', true],
    ['./src/a.ts', 'src/a.ts', true],
    ['src//a.ts', 'src/a.ts', true],
    ['src/./a.ts', 'src/a.ts', true],
    ['src/ ', 'src/a.ts', true],
    ['src/**/', 'src/a.ts', true],
    ['src/**/', 'lib/src/a.ts', false],
    ['**/src/**/', 'lib/src/a.ts', true],
    ['**/', 'a.ts', false],
    ['{id}', '{id}', true],
    ['\\{a,b\\}', '{a,b}', true],
    ['{a,{b,c}d}.ts', 'bd.ts', true],
    ['#*#', '#a#', true],
    ['~x', '~x', true],
    ['app/\\[id\\]/page.tsx', 'app/[id]/page.tsx', true],
    ['app/(group)/**', 'app/(group)/x.tsx', true],
  ])('%s and %s: %s', (text, at, expected) => {
    expect(meets(text, at)).toBe(expected);
  });

  test('./name floats in deny and ask, and is anchored at the root in allow', () => {
    expect(meets('./secret.txt', 'deep/secret.txt', true)).toBe(true);
    expect(meets('./secret.txt', 'deep/secret.txt', false)).toBe(false);
    expect(meets('./secret.txt', 'secret.txt', false)).toBe(true);
  });

  test('a single folder with ** floats in deny and ask, and is anchored at the root in allow [s:pattern.dir-narrow] [s:pattern.dir-allow]', () => {
    for (const [text, at, narrow, expected] of [
      ['src/**', 'packages/x/src/a.ts', true, true],
      ['src/**', 'packages/x/src/a.ts', false, false],
      ['/src/**', 'packages/x/src/a.ts', true, false],
      ['src/sub/**', 'packages/src/sub/a.ts', true, false],
      ['src/**', 'src', true, false],
      ['{src,lib}/**', 'x/lib/a.ts', true, true],
    ] as const) {
      expect([text, at, meets(text, at, narrow)]).toEqual([text, at, expected]);
    }
  });
});

describe('patterns that are refused', () => {
  test.each([
    ['', 'empty', 0],
    ['   ', 'empty', 0],
    [' src/**', 'white space', 0],
    ['!src/**', 'negated', 0],
    ['src/{a,b', '{ without its }', 4],
    ['src/a}', '} without its {', 5],
    ['src/{,a', '{ without its }', 4],
    ['{,a}', 'alternative', 0],
    ['{1..3}.ts', 'ranges', 0],
    ['src/[ab', '[ without its ]', 0],
    ['src/[b-a]', 'reversed', 0],
    ['src/[[:nope:]]', 'not a class', 0],
    ['../sibling/**', '..', 0],
    ['src/../../x', '..', 0],
    ['//etc/../x', '..', 0],
    ['src\\', 'backslash', 0],
    ['a\0b', 'NUL', 1],
  ])('%j: %s', (text, message, at) => {
    const parsed = parsePathPattern(text, { home, restricts: true });
    expect(parsed).toHaveProperty('problem');
    if ('problem' in parsed) {
      expect(parsed.problem.message).toContain(message);
      expect(parsed.problem.at).toBe(at);
      expect(parsed.problem.remedy).not.toBe('');
    }
  });

  test.each([
    ['src/**)', 6],
    ['a)/(b', 1],
    ['app/(group)/**', null],
    ['a\\)', null],
  ])('an unmatched ) gets a warning: %s', (text, at) => {
    const parsed = parsePathPattern(text, { home, restricts: true });
    expect(parsed).toMatchObject({ warnings: at === null ? [] : [{ at, remedy: expect.stringContaining('Remove it') }] });
  });

  test('a name in brackets gets a warning, since it matches one character', () => {
    const parsed = parsePathPattern('app/[slug]/page.tsx', { home, restricts: true });
    expect(parsed).toMatchObject({ warnings: [{ at: 4, remedy: expect.stringContaining('\\[slug\\]') }] });
    expect(parsePathPattern('app/[a-z]/x', { home, restricts: true })).toMatchObject({ warnings: [] });
  });

  test.each<[string, number, string]>([
    ['$HOME/.ssh/**', 0, '$HOME is a name here'],
    ['.env,.key', 4, 'the comma is part of the name'],
    ['src/a.ts,/docs/b.md', 8, 'the comma is part of the name'],
    ['secret/**,open/**', 9, 'the comma is part of the name'],
    ['src/,test/', 4, 'the comma is part of the name'],
    ['src/**.ts', 4, '** matches no further folders here'],
    ['.env .key', 4, 'the space is part of the name'],
    ['src/.../x', 4, '... is a folder of that name'],
    ['@scrach', 0, '@scrach is a name here'],
    ['src/a.ts:12', 8, ':12 is part of the name'],
    ['.*\\.env', 0, '.* is part of the name'],
    ['filepath:src/a.ts', 0, 'filepath: is part of the name'],
    ['${HOME}/.aws/**', 0, '${HOME} is a name here'],
    ['//home/$USER/x', 7, '$USER is a name here'],
    ['%USERPROFILE%/x', 0, '%USERPROFILE% is a name here'],
    ['C:/Users/me/x', 0, 'C: is a folder'],
    ['//c:/x', 0, '//c: is a folder'],
    ['src\\lib', 3, '\\l is the character after'],
    ['secrets\\.env', 7, '\\. is the character after'],
    ['src\\**', 3, '\\** is the character after'],
    ['file:///etc/passwd', 0, 'not a URL'],
    ['.env, .env.local', 4, 'the space after the comma'],
    ['{src/**, test/**}', 7, 'the space after the comma'],
    ['.env|.npmrc', 4, '| is part of the name'],
    ['src/**;test/**', 6, '; is part of the name'],
    ['^secrets/.*', 0, 'not a regular expression'],
    ['/etc/passwd', 0, 'a single / begins at the root of the project'],
    [`${home}/.ssh/**`, 0, 'a single / begins at the root of the project'],
    ...[
      '/tmp/x/**',
      '/tmp',
      '/opt/**',
      '/srv/a',
      '/mnt/data/**',
      '/media/usb/**',
      '/Volumes/x/**',
      '/var/log/**',
      '/root/.ssh/**',
    ].map((text): [string, number, string] => [text, 0, 'a single / begins at the root of the project']),
    ...['/etc', '/usr/local/**', '/proc/**', '/sys/**', '/private/tmp/**', '/Library/**', '/run/secrets/**', '/tmp*'].map(
      (text): [string, number, string] => [text, 0, 'a single / begins at the root of the project'],
    ),
    ['"src/**"', 0, 'the quotes " are part'],
    ["'src/**'", 0, "the quotes ' are part"],
    ['~root/.ssh', 0, '~root is a name here'],
    ['src/.*\\.ts$', 6, 'not a regular expression'],
    ['src/.+/x', 4, 'not a regular expression'],
    ['regex:.*', 0, 'a rule takes only a pattern of paths'],
    ['glob:src/**', 0, 'a rule takes only a pattern of paths'],
    ['secret #keys', 6, 'a rule has no comment'],
    ['//~/x', 0, 'a folder of that name at the root of the system'],
    ['.', 0, '. is only that folder'],
    ['/', 0, '/ is only that folder'],
    ['~/', 0, '~/ is only that folder'],
    ['//', 0, '// is only that folder'],
  ])('the syntax of other tools gets a warning: %s', (text, at, message) => {
    for (const narrow of [true, false])
      expect(parsePathPattern(text, { home, restricts: narrow })).toMatchObject({
        warnings: [{ at, message: expect.stringContaining(message) }],
      });
  });

  test.each([
    'routes/$slug.tsx',
    'routes/$slug/x',
    '$',
    'a%20b',
    'src/\\*',
    '\\!important',
    'a\\ b',
    '{a,b}/**',
    '{a/**,b/**}',
    '**.ts',
    'src/**/*.ts',
    'a,b',
    '{a,.b}/**',
    'x.{c,h},v',
    '@types',
    'a..b/**',
    'My File.txt',
    'a#b',
    '#notes',
    're/x',
    '/src/**',
    '/bin/**',
    '/lib/**',
    '/dev/**',
    '/data/**',
    '/tmpl/**',
    '/variants/**',
    './tmp/**',
    '//tmp/**',
    'tmp/**',
    'src/$',
    './etc/passwd',
    '//etc/passwd',
    '~/.ssh/**',
    '.*',
    'a\\|b',
    'a\\, b',
  ])('%s gets no warning', (text) => {
    expect(parsePathPattern(text, { home, restricts: true })).toMatchObject({ warnings: [] });
  });

  test('braces are limited to the alternatives that an index can store', () => {
    expect(expandBraces('{a,b}'.repeat(12))).toHaveProperty('error');
    expect(expandBraces('{'.repeat(100_000))).toMatchObject({ error: expect.stringContaining('nested') });
    expect(expandBraces('{{a}}{{b}}'.repeat(20))).toHaveProperty('alternatives');
    expect(expandBraces('{a,b}{c,d}')).toEqual({ alternatives: ['ac', 'ad', 'bc', 'bd'] });
  });
});
