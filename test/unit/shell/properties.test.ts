// Whatever shell is written around a command that changes something, the whole is never read-only.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { analyse, CRASHED } from '../../../src/shell/analyse.ts';
import { table } from '../../../src/shell/options.ts';
import { allEntries } from '../../../src/shell/registry.ts';
import { context } from './corpora.ts';

const MUTATING = [
  'touch pwned',
  'rm -rf src',
  'echo x > pwned',
  'sed -i s/a/b/ a.txt',
  'sort -o pwned a.txt',
  'git checkout -- a.txt',
  'find . -delete',
  'awk \'BEGIN{system("touch pwned")}\'',
  './script.sh',
  'python3 -c x',
  'tee pwned',
  'git branch new',
  'tar xf x.tar',
  'curl -o pwned https://a.invalid/',
  'unknowncommand --help',
];

const READING = ['ls -la', 'cat a.txt', 'grep -rn seed .', 'git status --short', 'echo hi', 'true', 'wc -l a.txt'];

/** Spellings of a text that Bash reads as the same word. */
const spelt = (word: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    word,
    `'${word}'`,
    `"${word}"`,
    `\\${word}`,
    `${word.slice(0, 1)}''${word.slice(1)}`,
    `${word.slice(0, 1)}"${word.slice(1)}"`,
    `$'${[...word].map((c) => `\\x${c.charCodeAt(0).toString(16)}`).join('')}'`,
    `${word.slice(0, 1)}\\\n${word.slice(1)}`,
  );

const disguised: fc.Arbitrary<string> = fc
  .constantFrom(['touch', ' pwned'], ['rm', ' -rf src'], ['tee', ' pwned'], ['mkdir', ' d'], ['unlink', ' a'])
  .chain(([name, rest]) => spelt(name!).map((s) => s + rest));

const quoteFor = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const AROUND: ((c: string, r: string) => string)[] = [
  (c, r) => `${r}; ${c}`,
  (c, r) => `${r}\n${c}`,
  (c, r) => `${r} && ${c}`,
  (c, r) => `${r} || ${c}`,
  (c, r) => `${r} | ${c}`,
  (c, r) => `${c} | ${r}`,
  (c, r) => `${r} & ${c}`,
  (c) => `! ${c}`,
  (c) => `time ${c}`,
  (c) => `{ ${c}; }`,
  (c) => `( ${c} )`,
  (c, r) => `if ${c}; then ${r}; fi`,
  (c, r) => `if ${r}; then ${c}; fi`,
  (c, r) => `if ${r}; then :; else ${c}; fi`,
  (c, r) => `if ${r}; then :; elif ${c}; then :; fi`,
  (c, r) => `while ${c}; do ${r}; break; done`,
  (c, r) => `until ${r}; do ${c}; done`,
  (c) => `for i in 1 2; do ${c}; done`,
  (c) => `for ((i=0; i<1; i++)); do ${c}; done`,
  (c) => `case x in a) ls ;; *) ${c} ;; esac`,
  (c) => `case $(${c}) in *) ;; esac`,
  (c) => `f() { ${c}; }; f`,
  (c) => `f() { ${c}; }\ng() { f; }\ng`,
  (c) => `echo "$(${c})"`,
  (c) => `echo $( { ${c}; } )`,
  (c) => `x=$(${c})`,
  (c) => `echo "\${x:-$(${c})}"`,
  (c) => `cat <(${c})`,
  (c, r) => `${r} > >(${c})`,
  (c) => `cat <<EOF\n$(${c})\nEOF`,
  (c) => `cat <<< "$(${c})"`,
  (c) => `[[ -n $(${c}) ]]`,
  (c) => `[ -n "$(${c})" ]`,
  (c) => `arr=(a "$(${c})")`,
  (c) => `export X="$(${c})"`,
  (c) => `for i in $(${c}); do :; done`,
  (c) => `bash -c ${quoteFor(c)}`,
  (c) => `sh -ec ${quoteFor(c)}`,
  (c) => `eval ${quoteFor(c)}`,
  (c) => `bash <<'EOF'\n${c}\nEOF`,
  (c) => `bash <<< ${quoteFor(c)}`,
  (c) => `find . -exec sh -c ${quoteFor(c)} \\;`,
  (c) => `echo x | xargs -I{} sh -c ${quoteFor(c)}`,
  (c) => `trap ${quoteFor(c)} EXIT`,
  (c) => `cd src && ${c}`,
  (c) => `coproc { ${c}; }`,
  (c, r) => `${r} # a comment\n${c}`,
  (c, r) => `set -euo pipefail\n${r}\n${c}`,
  (c) => `env bash -c ${quoteFor(c)}`,
  (c) => `timeout 5 bash -c ${quoteFor(c)}`,
];

const composed = fc
  .tuple(
    fc.oneof(fc.constantFrom(...MUTATING), disguised),
    fc.array(fc.tuple(fc.constantFrom(...AROUND), fc.constantFrom(...READING)), { minLength: 0, maxLength: 4 }),
  )
  .map(([core, layers]) => layers.reduce((text, [around, reading]) => around(text, reading), core));

describe('composition', () => {
  test('shell around a mutating command is never read-only', () => {
    fc.assert(
      fc.property(composed, (text) => {
        expect(analyse(text, context).class).not.toBe('read-only');
      }),
      { numRuns: 4000 },
    );
  });

  test.each(AROUND.map((around) => [around('touch pwned', 'ls')]))('%s', (text) => {
    expect(analyse(text, context).class).not.toBe('read-only');
  });

  test('a known write keeps its target through every shape that runs it in the same folder', () => {
    const same = AROUND.filter((a) => !/cd src|-exec|xargs|tee|trap/.test(a('C', 'R')));
    for (const around of same) {
      const facts = analyse(around('touch pwned', 'ls'), context);
      expect(
        facts.writes.map((w) => w.path),
        around('touch pwned', 'ls'),
      ).toContain('/p/pwned');
    }
  });

  test('an option without its value at the end of a text is not understood, and nothing more', () => {
    for (const { names, options = '' } of allEntries())
      for (const name of names.split(' '))
        for (const [letter, { arity }] of table(options).short) {
          const { class: given, why } = arity === 1 ? analyse(`${name} ''-${letter}`, context) : { class: 'unknown', why: [] };
          expect([name, letter, why.filter(({ text }) => text.startsWith(CRASHED))]).toEqual([name, letter, []]);
          if (!/^(?:\[|test|echo|printf|true|false|:|expr)$/.test(name))
            expect([name, letter, given]).not.toEqual([name, letter, 'read-only']);
        }
  });

  describe('no option of a wrapper hides its command', () => {
    const names = allEntries()
      .filter(
        ({ traits, handle, names }) =>
          handle && traits?.includes('wrapper') && !/^(?:command|builtin|nocorrect|noglob|watch|flock)/.test(names),
      )
      .map((entry) => [entry.names, entry] as const);

    test.each(names)('%s', (_, { names, options = '' }) => {
      for (const name of names.split(' ')) {
        const { short, long } = table(options);
        const given = [
          ...[...short].map(([letter, { arity, role }]) => [`-${letter}${arity === 1 ? ' 1' : ''}`, role] as const),
          ...[...long].map(([word, { arity, role }]) => [`--${word}${arity === 1 ? '=1' : ''}`, role] as const),
        ].filter(([flag, role]) => role !== '!' && !/help|version|split-string|^-S 1|^-V$|^-e$|edit/.test(flag));
        const skipped = /^(?:timeout|chrt|taskset)$/.test(name) ? ' 1' : '';
        for (const [flag] of given) {
          const { commands } = analyse(`env ${name} ${flag}${skipped} rm -rf src`, context);
          expect([flag, commands.some((one) => one.name === 'rm' || one.argv[0] === null)]).toEqual([flag, true]);
        }
        for (const unheard of ['-%', '--unheard', '--unheard-of 1']) {
          const { commands } = analyse(`env ${name} ${unheard}${skipped} rm -rf src`, context);
          expect([unheard, commands.some(({ argv }) => argv[0] === null)]).toEqual([unheard, true]);
        }
      }
    });
  });

  test('wrappers leave the command inside visible', () => {
    const wrappers = [
      'env',
      'env A=1',
      'timeout 5',
      'nice -n 5',
      'nohup',
      'command',
      'stdbuf -oL',
      'time -p',
      'setsid',
      'ionice -c2',
      'xargs',
      'sudo',
      'exec',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...wrappers), { minLength: 1, maxLength: 3 }), (list) => {
        const facts = analyse(`${list.join(' ')} rm -rf src`, context);
        expect(facts.class).not.toBe('read-only');
        expect(facts.commands.some((c) => c.name === 'rm')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('any text at all', () => {
  test('never throws, and always returns a class', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.array(fc.constantFrom(...'$(){}[]<>|&;\'"\\`!*?~#= \n\tab1-/'), { maxLength: 60 }).map((x) => x.join('')),
        ),
        (text) => {
          const facts = analyse(text, context);
          expect(['read-only', 'writes', 'runs', 'unknown']).toContain(facts.class);
          if (facts.class === 'read-only') expect(facts.writes).toEqual([]);
          if (facts.class === 'read-only' || facts.class === 'writes') expect(facts.uncertain).toEqual([]);
          else expect(facts.uncertain.length).toBeGreaterThan(0);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test.each(['<$=*', 'cat <$=*', 'cat < "$=x"'])('gives a reason for the class: %s', (text) => {
    const { class: cls, uncertain } = analyse(text, context);
    expect({ cls, isUncertain: uncertain.length > 0 }).toEqual({ cls: 'unknown', isUncertain: true });
  });

  test.each([
    ['a megabyte', 'a'.repeat(1 << 20)],
    ['20,000 nested substitutions', `${'$('.repeat(20_000)}${')'.repeat(20_000)}`],
    ['100,000 pipes', `${'ls|'.repeat(100_000)}ls`],
    ['nested substitutions within the limit', `${'$('.repeat(3_000)}${')'.repeat(3_000)}`],
    ['nested groups within the limit', `${'{ '.repeat(2_000)}ls${'; }'.repeat(2_000)}`],
    ['nested ifs', `${'if '.repeat(1_500)}ls${'; then :; fi'.repeat(400)}`],
    ['many pipes within the limit', `${'ls|'.repeat(3_000)}tee x`],
    [
      'functions that double',
      `${Array.from({ length: 60 }, (_, i) => `f${i + 1}(){ f${i}; f${i}; }`).join('\n')}\nf0(){ touch x; }\nf60`,
    ],
    ['loops in loops', `${'for i in 1 2; do '.repeat(60)}x=a$x; touch $x${'; done'.repeat(60)}`],
  ])('%s ends and is not read-only', (_name, text) => {
    const facts = analyse(text, context);
    expect(facts.class).not.toBe('read-only');
  });

  test.each(['ls\r', 'ls \u202e x', 'ls \u200b', 'ls \u0000', 'ls \u001b[0m', 'ls \ufeff', 'ls \u00a0x', 'ls \\', 'echo \ud800'])(
    '%j is unknown',
    (text) => {
      expect(analyse(text, context).class).toBe('unknown');
    },
  );

  test('letters of other scripts are only letters', () => {
    expect(analyse('echo "déjà vu 日本 ✅"', context).class).toBe('read-only');
  });
});
