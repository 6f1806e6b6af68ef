// What exists below a folder or under a pattern.
import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expandGlob, listingOnce, walkBelow } from '../../../src/facts/paths/below.ts';
import { makeTree } from '../../support/tree.ts';

const walk = (folder: string, left?: number) => {
  const seen: string[] = [];
  const whole = walkBelow(
    folder,
    (at) => (name) => void seen.push(`${at}/${name}`.slice(folder.length + 1)),
    left === undefined ? undefined : { left },
  );
  return { whole, seen: seen.sort() };
};

describe('a listing of one call', () => {
  test('reads a folder once, also one that is absent', () => {
    const tree = makeTree();
    const list = listingOnce();
    expect(() => list(`${tree.root}/a`)).toThrow(/ENOENT/);
    tree.file('a/x');
    expect(() => list(`${tree.root}/a`)).toThrow(/ENOENT/);
    expect(listingOnce()(`${tree.root}/a`)).toHaveLength(1);
  });

  test('expands a pattern once for each limit', () => {
    const tree = makeTree();
    tree.file('a');
    const list = listingOnce();
    expect(expandGlob(`${tree.root}/*`, 9, list)).toEqual([`${tree.root}/a`]);
    tree.file('b');
    expect(expandGlob(`${tree.root}/*`, 9, list)).toEqual([`${tree.root}/a`]);
    expect(expandGlob(`${tree.root}/?`, 0, list)).toBeNull();
    expect(expandGlob(`${tree.root}/?`, 9, list)).toEqual([`${tree.root}/a`]);
  });
});

describe('walkBelow', () => {
  test('visits everything, dotfiles too, and follows no link', () => {
    const tree = makeTree();
    tree.file('a/b/c');
    tree.file('a/.hidden');
    tree.link('a/l', '/etc');
    expect(walk(tree.root)).toEqual({ whole: true, seen: ['a', 'a/.hidden', 'a/b', 'a/b/c', 'a/l'] });
  });

  test.each(['a file', 'nothing'])('%s has nothing below it', (what) => {
    const tree = makeTree();
    if (what === 'a file') tree.file('x');
    expect(walk(`${tree.root}/x`)).toEqual({ whole: true, seen: [] });
  });

  test('reports if there is more than the budget, and not if it is exactly used up', () => {
    const tree = makeTree();
    for (const name of ['a', 'b', 'c/d']) tree.file(name);
    expect(walk(tree.root, 3).whole).toBe(false);
    expect(walk(tree.root, 4).whole).toBe(true);
  });

  test('several walks share a budget', () => {
    const tree = makeTree();
    for (const name of ['a/1', 'a/2', 'b/1']) tree.file(name);
    const budget = { left: 2 };
    expect(walkBelow(`${tree.root}/a`, () => () => undefined, budget)).toBe(true);
    expect(walkBelow(`${tree.root}/b`, () => () => undefined, budget)).toBe(false);
  });

  test('does not enter entries that the visitor skips', () => {
    const tree = makeTree();
    tree.file('a/b/c');
    const seen: string[] = [];
    walkBelow(tree.root, () => (name) => {
      seen.push(name);
      return name === 'b' ? 'skip' : undefined;
    });
    expect(seen).toEqual(['a', 'b']);
  });
});

describe('expandGlob', () => {
  const names = ['a.ts', 'b.ts', '.env', 'a+b', '[x]y', 'sub/a.ts', 'sub/deep/a.ts', 'new\nline.ts', 'ü.ts', '𝒳.ts'];
  const rows: [string, string[]][] = [
    ['*.ts', ['a.ts', 'b.ts', 'new\nline.ts', 'ü.ts', '𝒳.ts']],
    ['?.ts', ['a.ts', 'b.ts', 'ü.ts', '𝒳.ts']],
    ['a+*', ['a+b']],
    ['[ab].ts', ['a.ts', 'b.ts']],
    ['[!b].ts', ['a.ts']],
    ['[]a].ts', ['a.ts']],
    ['[[:alpha:]].ts', ['a.ts']],
    ['[x]y', ['[x]y']],
    ['*/a.ts', ['sub/a.ts']],
    ['*/*/a.ts', ['sub/deep/a.ts']],
    ['**/a.ts', ['a.ts', 'sub/a.ts', 'sub/deep/a.ts']],
    ['su*/../a.ts', ['sub/../a.ts']],
    ['.*', ['.env']],
    ['nothing*', []],
  ];
  test.each(rows)('%s matches at least the names that shells expand it to', (pattern, expected) => {
    const tree = makeTree();
    for (const name of names) tree.file(name);
    const found = expandGlob(`${tree.root}/${pattern}`)?.filter((name) => fs.existsSync(name));
    expect(found).toEqual(expect.arrayContaining(expected.map((name) => `${tree.root}/${name}`)));
  });

  test('a star matches dotfiles too, since a shell option may enable that', () => {
    const tree = makeTree();
    tree.file('.env');
    expect(expandGlob(`${tree.root}/*`)).toEqual([`${tree.root}/.env`]);
  });

  test('a pattern matches no other names', () => {
    const tree = makeTree();
    for (const name of names) tree.file(name);
    expect(expandGlob(`${tree.root}/?.ts`)).toHaveLength(4);
    expect(expandGlob(`${tree.root}/a.t?`)).toEqual([`${tree.root}/a.ts`]);
  });

  test('gives up beyond its limit', () => {
    const tree = makeTree();
    for (const name of ['a', 'b', 'c']) tree.file(name);
    expect(expandGlob(`${tree.root}/*`, 3)).toHaveLength(3);
    expect(expandGlob(`${tree.root}/*`, 2)).toBeNull();
    expect(expandGlob(`${tree.root}/**`, 2)).toBeNull();
  });

  test('a hostile pattern is not slow', () => {
    const tree = makeTree();
    tree.file('a'.repeat(250));
    expect(expandGlob(`${tree.root}/${'*a'.repeat(60)}*b`)).toEqual([]);
  });

  test('stars and question marks match like a regular expression', () => {
    const tree = makeTree();
    const char = fc.constantFrom('a', 'b', '.', '-');
    fc.assert(
      fc.property(
        fc.array(char, { minLength: 1, maxLength: 6 }),
        fc.array(fc.oneof(char, fc.constantFrom('*', '?')), { minLength: 1, maxLength: 6 }),
        (nameParts, patternParts) => {
          const name = nameParts.join('');
          const pattern = patternParts.join('');
          if (/^\.+$/.test(name) || /^\.+$/.test(pattern) || pattern.includes('**') || !/[*?]/.test(pattern)) return;
          const file = tree.file(`x/${name}`);
          const regex = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`);
          expect(expandGlob(`${tree.root}/x/${pattern}`)).toEqual(regex.test(name) ? [file] : []);
          fs.rmSync(file);
        },
      ),
    );
  });
});

test('a deep name uses more of the budget', () => {
  const tree = makeTree();
  const far = `${'d'.repeat(200)}/`.repeat(5);
  for (const name of ['a', 'b']) tree.file(far + name);
  expect(walk(`${tree.root}/${far}`.slice(0, -1), 20).whole).toBe(false);
  expect(walk(`${tree.root}/${far}`.slice(0, -1), 1_000).whole).toBe(true);
});
