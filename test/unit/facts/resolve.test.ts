// Every name a path goes by, on a made-up and on a real file system.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diskLinks, type LinkReader, resolveNames } from '../../../src/facts/paths/resolve.ts';
import { makeTree } from '../../support/tree.ts';

/** A file system that has only these links. */
const only = (links: Record<string, string>): LinkReader => ({
  readLink: (name) => (Object.hasOwn(links, name) ? (links[name] as string) : null),
});

const rows: { what: string; path: string; links?: Record<string, string>; real: string; names: string[] }[] = [
  { what: 'a plain path has one name', path: '/p/a', real: '/p/a', names: ['/p/a'] },
  { what: 'the root', path: '/', real: '/', names: ['/'] },
  { what: 'the project itself', path: '/p', real: '/p', names: ['/p'] },
  { what: 'doubled and trailing slashes, and dots, are settled', path: '//p///a/./b/', real: '/p/a/b', names: ['/p/a/b'] },
  { what: 'more parents than folders stop at the root', path: '/p/../../../x', real: '/x', names: ['/x'] },
  { what: 'a parent of a plain folder', path: '/p/src/../test/a', real: '/p/test/a', names: ['/p/test/a'] },
  { what: 'a link to a file', path: '/p/l', links: { '/p/l': 'a' }, real: '/p/a', names: ['/p/l', '/p/a'] },
  { what: 'an absolute link', path: '/p/l/x', links: { '/p/l': '/etc' }, real: '/etc/x', names: ['/p/l/x', '/etc/x'] },
  {
    what: 'a chain gives every name on the way',
    path: '/p/one',
    links: { '/p/one': 'two', '/p/two': 'sub/three', '/p/sub/three': '../four' },
    real: '/p/four',
    names: ['/p/one', '/p/two', '/p/sub/three', '/p/four'],
  },
  {
    what: 'a folder link in the middle',
    path: '/p/lib/a/b',
    links: { '/p/lib': 'src' },
    real: '/p/src/a/b',
    names: ['/p/lib/a/b', '/p/src/a/b'],
  },
  {
    what: 'a parent after a link is the parent of its target, and the name as written counts too',
    path: '/p/out/../x',
    links: { '/p/out': '/var/deep/folder' },
    real: '/var/deep/x',
    names: ['/p/x', '/var/deep/x'],
  },
  {
    what: 'a link with parents in it',
    path: '/p/a/l',
    links: { '/p/a/l': '../../q/r' },
    real: '/q/r',
    names: ['/p/a/l', '/q/r'],
  },
  {
    what: 'a link to the project itself',
    path: '/p/self/src',
    links: { '/p/self': '.' },
    real: '/p/src',
    names: ['/p/self/src', '/p/src'],
  },
  { what: 'a link with a trailing slash', path: '/p/l/', links: { '/p/l': 'src/' }, real: '/p/src', names: ['/p/l', '/p/src'] },
  {
    what: 'a link to nothing leads to what it would make',
    path: '/p/l',
    links: { '/p/l': 'gone/x' },
    real: '/p/gone/x',
    names: ['/p/l', '/p/gone/x'],
  },
  {
    what: 'a link above the project is followed too',
    path: '/up/l/x',
    links: { '/up/l': '/p' },
    real: '/p/x',
    names: ['/up/l/x', '/p/x'],
  },
];

describe('resolveNames', () => {
  test.each(rows)('$what', ({ path: written, links = {}, real, names }) => {
    const found = resolveNames(written, '/p', only(links));
    expect(found.real).toBe(real);
    expect(found.unresolved).toBe(false);
    expect(found.names[0]).toBe(names[0]);
    expect(found.names.at(-1)).toBe(real);
    for (const name of names) expect(found.names).toContain(name);
    expect(new Set(found.names).size).toBe(found.names.length);
  });

  test('links in a cycle have no known target', () => {
    const found = resolveNames('/p/a/x', '/p', only({ '/p/a': 'b', '/p/b': 'a' }));
    expect(found).toMatchObject({ unresolved: true });
    expect(found.names[0]).toBe('/p/a/x');
  });

  test('a link that grows at every step ends', () => {
    expect(resolveNames('/p/l/x', '/p', only({ '/p/l': 'l/l' })).unresolved).toBe(true);
  });

  test('an unreadable path is not resolved', () => {
    const closed: LinkReader = {
      readLink() {
        throw Object.assign(new Error('no'), { code: 'EACCES' });
      },
    };
    expect(resolveNames('/p/a', '/p', closed)).toMatchObject({ unresolved: true, names: ['/p/a'] });
  });

  test('a folder with the same name prefix as the project is not inside it', () => {
    expect(resolveNames('/project/a', '/p', only({ '/project': '/q' })).real).toBe('/q/a');
  });
});

describe('resolveNames on a disk', () => {
  test('a name with a NUL or longer than any file system takes is not resolved', () => {
    const { root } = makeTree();
    for (const name of ['a\0b', 'x'.repeat(300), `${'d/'.repeat(4000)}x`])
      expect(resolveNames(`${root}/${name}`, root).unresolved, name.slice(0, 9)).toBe(true);
  });

  test('nothing is searched below a missing path', () => {
    const { root } = makeTree();
    const asked: string[] = [];
    const counted: LinkReader = {
      readLink(name) {
        asked.push(name);
        return diskLinks.readLink(name);
      },
    };
    const deep = `${root}/not${'/there'.repeat(200)}`;
    expect(resolveNames(deep, root, counted)).toEqual({ names: [deep], real: deep, unresolved: false });
    expect(asked).toEqual([`${root}/not`, deep]);
    // A parent leads out of it again.
    fs.symlinkSync('/etc', `${root}/link`);
    expect(resolveNames(`${root}/not/../link/x`, root, counted).real).toBe(`${fs.realpathSync('/etc')}/x`);
  });

  test('a missing tail keeps its name', () => {
    const { root } = makeTree();
    expect(resolveNames(`${root}/not/yet/there`, root)).toEqual({
      names: [`${root}/not/yet/there`],
      real: `${root}/not/yet/there`,
      unresolved: false,
    });
  });

  test('a path below a file keeps its name, since nothing exists there', () => {
    const tree = makeTree();
    tree.file('a');
    tree.link('l', 'a');
    expect(resolveNames(`${tree.root}/a/b`, tree.root)).toMatchObject({ real: `${tree.root}/a/b`, unresolved: false });
    expect(resolveNames(`${tree.root}/l/b`, tree.root)).toMatchObject({ real: `${tree.root}/a/b`, unresolved: false });
  });

  test('the folder of a process link differs for each process', () => {
    const { root } = makeTree();
    for (const name of ['/proc/self/cwd/src/a', `/proc/${process.pid}/root/etc/passwd`, '/proc/thread-self/cwd/a', '/dev/fd/3']) {
      if (fs.existsSync('/proc/self')) expect(resolveNames(name, root).unresolved, name).toBe(true);
    }
  });

  test('the real name is the one of the system, for any links', () => {
    const parts = fc.constantFrom('a', 'b', 'c', '..', '.', '');
    const text = fc.array(parts, { minLength: 1, maxLength: 5 }).map((list) => list.join('/'));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'a/b', 'b/a', 'c/c'), fc.option(text, { nil: null })), { maxLength: 6 }),
        text,
        (nodes, asked) => {
          const tree = makeTree();
          try {
            for (const [name, target] of nodes) {
              const at = path.join(tree.root, name);
              try {
                // An earlier link may lead out of the tree. The test must not write there.
                const folder = path.dirname(at);
                if (fs.existsSync(folder) && !fs.realpathSync.native(folder).startsWith(fs.realpathSync.native(tree.root)))
                  continue;
                if (target === null) fs.mkdirSync(at, { recursive: true });
                else fs.symlinkSync(target === '' ? '.' : target, at);
              } catch (error) {
                expect((error as NodeJS.ErrnoException).code).toMatch(/EEXIST|ENOENT|ENOTDIR|ELOOP/);
              }
            }
            const written = `${tree.root}/${asked}`;
            let real: string;
            try {
              real = fs.realpathSync.native(written);
            } catch {
              // What the system cannot resolve has nothing to compare with.
              return;
            }
            expect(resolveNames(written, tree.root)).toMatchObject({ real, unresolved: false });
          } finally {
            fs.rmSync(tree.top, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
