// What a text costs grows as the text does, by the bytes that are made, which no other load on the machine changes; and what is too
// much to be followed is not understood.
import { Session } from 'node:inspector';
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';
import { nested, nests, repeated, repeatedPieces } from '../../fuzz/repeat.ts';
import { context } from './corpora.ts';

const session = new Session();
session.connect();

function post<T>(method: string, params: object = {}): T {
  let given: unknown;
  session.post(method, params, (error, result) => {
    if (error) throw new Error(error.message);
    given = result;
  });
  return given as T;
}

interface Heap {
  profile: { head: HeapNode };
}
interface HeapNode {
  selfSize: number;
  children: HeapNode[];
}

const sizeOf = (node: HeapNode): number => node.children.reduce((sum, child) => sum + sizeOf(child), node.selfSize);

/** Bytes made for a text. */
function bytes(text: string): number {
  post('HeapProfiler.startSampling', {
    samplingInterval: 16_384,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  analyse(text, context);
  return sizeOf(post<Heap>('HeapProfiler.stopSampling').profile.head);
}

/** Bytes that a text of the greatest length may cost; what costs more must at least not grow faster than its text. */
const MAY = 44_000_000;
const MOST_TIMES = 3;
/**
 * Bytes that the analysis of a nest of the greatest length may allocate, whatever the nest contains. This counts objects that are
 * collected during the analysis too, so it limits work and not memory that stays in use.
 */
const NEST_MAY = 90_000_000;

test.each(repeatedPieces)('`%s` again and again', (piece) => {
  const [half, whole] = [repeated(piece, ' && ', 4_900), repeated(piece, ' && ', 9_800)];
  const cost = bytes(whole);
  if (cost > MAY) expect(cost).toBeLessThan(MOST_TIMES * bytes(half));
});

/** What lies in loops is looked at again and again, but only up to a bound. */
test.each(nests)('nests of `%s…%s`, as deep as a text can be', (...nest) => {
  for (const piece of ['', 'f#() { ls; }']) expect(bytes(nested(piece, nest, 9_800)), piece).toBeLessThan(NEST_MAY);
});

/** As many files as there is room for, into a folder of a long name. */
const into = (folder: number) =>
  Array.from({ length: (9_700 - folder) / 6 }, (_, n) => `a${1_000 + n}`).join(' ') +
  ` ${`${'d'.repeat(200)}/`.repeat(folder / 201)}`;

test.each(['ln -s', 'ln', 'mv', 'cp', 'install', 'git mv', 'rsync -a'])(
  '%s of many files into a folder of a long name',
  (command) => {
    for (const length of [1_000, 3_000, 5_000]) {
      expect(bytes(`${command} ${into(length)}`), `${length}`).toBeLessThan(MAY);
      expect(analyse(`${command} ${into(length)}`, context).class).toBe('unknown');
    }
  },
);

/** Beyond the bound a file is not followed, and the text says so; what many reasons say is said once. */
test.each(['rm', 'sed -i.old s/a/b/', 'mv', 'git mv', 'cp', 'gzip', 'cat', 'ln -s'])('%s of many files', (command) => {
  const of = (count: number) =>
    analyse(`${command} ${Array.from({ length: count }, (_, n) => n.toString(36)).join(' ')} d`, context);
  const [few, many] = [of(300), of(2_490)];
  expect(few.uncertain).toEqual([]);
  expect(few.writes.length + few.reads.length).toBeGreaterThanOrEqual(300);
  expect(many).toMatchObject({ class: 'unknown' });
  expect(many.writes.length + many.reads.length).toBeLessThanOrEqual(1_400);
  expect(new Set(many.uncertain.map((one) => JSON.stringify(one))).size).toBe(many.uncertain.length);
  expect(many.uncertain.map(({ why }) => why)).toContain('names more files than Modes follows');
});

const moved = Array.from({ length: 700 }, (_, n) => `mv a${100 + n} b${100 + n}`).join(' ');

test.each([
  ['function', `f() { ${moved}; }${'; f'.repeat(12)}`],
  ['loop', `for i in a b c d; do for j in 1 2 3; do while :; do ${moved}; done; done; done`],
])('a command of many paths in a %s', (_, text) => {
  expect(bytes(text)).toBeLessThan(NEST_MAY);
  expect(analyse(text, context).class).toBe('unknown');
});

test.each(['cd', 'pushd', 'cd -P'])('%s into one folder after the other', (command) => {
  const into = (count: number) => Array.from({ length: count }, (_, n) => `${command} a${100 + n}`).join(' && ');
  expect(analyse(into(100), context)).toMatchObject({ class: 'read-only', uncertain: [] });
  expect(analyse(into(640), context).uncertain.map(({ why }) => why)).toContain('more commands than Modes follows');
});

test.each(['for ((i=0;i<3;i++))', 'while :', 'for i in a b c', 'until ls'])(
  'functions that are compared after each of `%s`',
  (loop) => {
    const functions = Array.from({ length: 60 }, (_, n) => `f${n}() { ls; }; `).join('');
    const nest = `${`${loop}; do `.repeat(100)}ls; ${'done; '.repeat(100)}`;
    const whyOf = (text: string) => analyse(text, context).uncertain.map(({ why }) => why);
    expect(whyOf(functions + nest)).toContain('more commands than Modes follows');
    expect(whyOf(nest)).not.toContain('more commands than Modes follows');
  },
);

test.each(['ln -s a.txt b#', 'ln -s ../a# b#', 'mv a# b#', 'git mv a# b#', 'cp -s a# b#', 'tar xf a#'])(
  '%s in a folder of a long path',
  (piece) => {
    const text = (deep: number, wide: number) =>
      `${'cd abc && '.repeat(deep)}${Array.from({ length: wide }, (_, n) => piece.replaceAll('#', `${100 + n}`)).join(' && ')}`;
    const whyOf = (deep: number, wide: number) => analyse(text(deep, wide), context).uncertain.map(({ why }) => why);
    expect(whyOf(30, 40)).not.toContain('more commands than Modes follows');
    expect(whyOf(1, 200)).not.toContain('more commands than Modes follows');
    expect(whyOf(450, 200)).toContain('more commands than Modes follows');
  },
);

test.each(['##*', '%%*', '//*', '/'])('a pattern with many stars after %s', (operator) => {
  const pattern = `${'a*'.repeat(20)}b`;
  expect(bytes(`x=${'a'.repeat(250)}; y=\${x${operator}${pattern}}; ls`)).toBeLessThan(MAY);
});

test.each(['env', 'nice', 'command', 'sudo', 'exec', 'xargs', 'timeout 5', 'exec 3> a'])('%s in itself', (wrapper) => {
  const chain = (count: number) => `${`${wrapper} `.repeat(count)}rm -rf src`;
  const whyOf = (text: string) => analyse(text, context).uncertain.map(({ why }) => why);
  expect(whyOf(chain(30))).not.toContain('more commands than Modes follows');
  expect(whyOf(chain(900))).toContain('more commands than Modes follows');
});

test.each([
  ['variables that hold each other', (n: number) => `a=x; ${'a=$a$a; '.repeat(n)}ls`, 24],
  ['variables that hold each other in words', (n: number) => `a='x '; ${'a="$a$a"; '.repeat(n)}echo $a`, 14],
  ['words of a variable, again and again', (n: number) => `f='x x x x x x'; ls ${'$f '.repeat(n)}`, 3_000],
])('%s', (_, text, many) => {
  expect(analyse(text(4), context)).toMatchObject({ class: 'read-only', uncertain: [] });
  expect(bytes(text(many))).toBeLessThan(NEST_MAY);
  expect(analyse(text(many), context).uncertain.map(({ why }) => why)).toContain('more commands than Modes follows');
});

/** Each of both readings has all the words. */
test('many words beside one of two texts', () => {
  const text = (words: number) => `if a; then x=b; else x=c; fi; echo $x ${'d '.repeat(words)}`;
  expect(bytes(text(4_900))).toBeLessThan(MAY);
  expect(analyse(text(4_900), context).class).toBe('unknown');
  expect(analyse(text(20), context).uncertain.map(({ why }) => why)).not.toContain('more commands than Modes follows');
});

test.each(['a/', 'a/../'])('links that lead below themselves, by paths of many `%s`', (part) => {
  const text = (parts: number) => `x=${part.repeat(parts)}; ${'ln -s $x $x; cp -r $x $x; '.repeat(8)}cat a`;
  const whyOf = (parts: number) => analyse(text(parts), context).uncertain.map(({ why }) => why);
  const tooMuch = 'reaches more files through its own links than Modes follows';
  expect(bytes(text(800))).toBeLessThan(MAY);
  expect(whyOf(800)).toContain(tooMuch);
});

test('a link that leads below itself is followed as often as the system follows links', () => {
  const { writes, uncertain } = analyse('ln -s a l; echo > l/src/y; cp -r a/. .', context);
  expect(writes.length).toBeGreaterThan(40);
  expect(Math.max(...writes.map(({ path }) => path.length))).toBeLessThan(120);
  expect(uncertain.map(({ why }) => why)).toContain('reaches more files through its own links than Modes follows');
});

describe('excess input is never ignored', () => {
  const loops = (body: string) => `for i in a b c; do for j in a b; do for k in a b; do ${body}; done; done; done`;
  const busy = 'cd a; x=$x$i; y=$x';
  test.each([
    ['commands in loops', loops(`${busy}; ${'ls; '.repeat(300)} rm -rf src`)],
    ['long words in loops', loops(`${busy}; echo ${'a'.repeat(3_000)}; rm -rf src`)],
    ['functions called again and again', `f() { echo ${'a'.repeat(3_000)}; }; ${'f; '.repeat(100)} rm -rf src`],
    ['texts run again and again', `f() { eval ${'a '.repeat(1_000)}; }; ${'f; '.repeat(300)} rm -rf src`],
    ['readings of words', `if a; then x=ls; else x=cat; fi; ${'$x $x $x $x; '.repeat(600)} rm -rf src`],
    ['variables', `${Array.from({ length: 150 }, (_, n) => `a${n}=ls`).join('; ')}; IFS=x; HOME=/etc; echo a > ~/b`],
    [
      'functions',
      `${Array.from({ length: 150 }, (_, n) => `f${n}() { :; }`).join('; ')}; ls() { rm -rf src; }; cat() { rm -rf src; }; ls; cat`,
    ],
  ])('%s', (_, text) => {
    expect(analyse(text, context).class).toBe('unknown');
  });

  test('findings in loops before the limit are kept', () => {
    const { commands, why } = analyse(loops(`${busy}; rm -rf src; ${'ls; '.repeat(600)}`), context);
    expect(why.map((one) => one.text)).toContain('more commands than Modes follows');
    expect(commands.map((one) => one.name)).toContain('rm');
  });

  test('a link counts, however many files are written before', () => {
    const { writes } = analyse(`ln -s /etc/passwd x; ${'touch a; '.repeat(300)} echo > x`, context);
    expect(writes.map((target) => target.path)).toContain('/etc/passwd');
  });

  test('names with too many meanings are unknown', () => {
    const links = Array.from({ length: 300 }, (_, n) => `ln -s /etc/${n} x`).join('; ');
    expect(analyse(`${links}; cat x; cat x; cat x`, context).class).toBe('unknown');
  });
});

describe('a pattern does not try every split of a text', () => {
  test.each([
    ['options of tmux capture-pane', `tmux capture-pane -p ${'-t -p-p '.repeat(400)}!`, 'unknown'],
    ['options of tmux ls', `tmux ls ${'-t -a-a '.repeat(400)}!`, 'unknown'],
    ['a statement of mysql', `mysql -e 'show ${' '.repeat(9_000)}!'`, 'unknown'],
    ['a statement of mysql that shows', `mysql -e 'show tables ${' '.repeat(9_000)}'`, 'read-only'],
  ])('%s', (_, text, said) => {
    expect(analyse(text, context).class).toBe(said);
  });
});
