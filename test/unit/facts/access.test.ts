// Names, extents and witnesses of one path.
import { describe, expect, test } from 'vitest';
import { pathAccess } from '../../../src/facts/paths/access.ts';
import type { Place } from '../../../src/facts/paths/place.ts';
import type { AccessRequest, PathFilter } from '../../../src/facts/paths/request.ts';
import type { PathAccess, PathName } from '../../../src/model/facts.ts';
import { noInterest } from '../../support/call.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const matching = (match: (name: PathName) => boolean, deny: (name: PathName) => boolean = match): PathFilter => ({
  hasReadRestriction: true,
  hasWriteRestriction: true,
  readPlaces: [],
  writePlaces: [],
  couldMatchRead: match,
  couldMatchWrite: match,
  readsIn: () => () => true,
  writesIn: () => () => true,
  couldMatchReadBelow: (_, anchored) => anchored !== true,
  couldMatchWriteBelow: (_, anchored) => anchored !== true,
  couldMatchReadOutline: () => false,
  couldMatchWriteOutline: () => false,
  couldDenyRead: deny,
  couldDenyWrite: deny,
});
const everything = matching(() => true);

function reach(
  tree: Tree,
  path: string,
  changes: Partial<AccessRequest & { place: Place; pathFilter: PathFilter; own: { read: string[]; write: string[] } }> = {},
): PathAccess {
  const { place = tree.place(), pathFilter = noInterest, own = { read: [], write: [] }, ...rest } = changes;
  return pathAccess(
    {
      kind: 'write',
      path: path.startsWith('/') ? path : `${tree.root}/${path}`,
      extent: 'one',
      via: 'Write',
      command: null,
      ...rest,
    } as AccessRequest,
    { place, pathFilter: pathFilter, own },
  );
}
const below = (access: PathAccess) => access.below.map(({ path }) => path);
const namesOf = (access: PathAccess, reading: number) => access.readings[reading]?.map((at) => access.names[at]?.path);

describe('one path', () => {
  test('inside the project it has a relative and an absolute name', () => {
    const tree = makeTree();
    const access = reach(tree, 'src/a.ts');
    expect(access).toMatchObject({ path: 'src/a.ts', real: 'src/a.ts', root: 'project', deep: false, below: [] });
    expect(access.readings).toHaveLength(1);
    expect(namesOf(access, 0)).toEqual(['src/a.ts', `${tree.root}/src/a.ts`]);
  });

  test('the project itself is shown as a dot and has the empty relative name', () => {
    const tree = makeTree();
    const access = reach(tree, tree.root);
    expect(access.path).toBe('.');
    expect(namesOf(access, 0)).toEqual(['', tree.root]);
  });

  test.each<[string, PathAccess['root']]>([
    ['src/a', 'project'],
    ['../tmp/a', 'outside'],
    ['../../tmp/a', 'temp'],
    ['/etc/passwd', 'outside'],
  ])('%s is in: %s', (path, root) => {
    expect(reach(makeTree(), path).root).toBe(root);
  });

  test('outside it has its absolute name only', () => {
    const access = reach(makeTree(), '/etc/passwd');
    expect(access.path).toBe('/etc/passwd');
    expect(namesOf(access, 0)).toEqual(['/etc/passwd']);
  });

  test('a link has one reading for its name and one for its target', () => {
    const tree = makeTree();
    tree.link('l', 'src/a.ts');
    const access = reach(tree, 'l');
    expect(access).toMatchObject({ path: 'l', real: 'src/a.ts' });
    expect([namesOf(access, 0)?.[0], namesOf(access, 1)?.[0]]).toEqual(['l', 'src/a.ts']);
    expect(access.readings).toHaveLength(2);
  });

  test('a path of unknown meaning counts as outside', () => {
    const tree = makeTree();
    tree.link('a', 'a');
    expect(reach(tree, 'a', { kind: 'read' })).toMatchObject({ root: 'outside', protection: null });
    expect(reach(tree, 'a').protection?.effect).toBe('deny');
  });

  test('another spelling of the project is the project', () => {
    const tree = makeTree();
    const alias = tree.link('../alias', 'work');
    const access = reach(tree, `${alias}/src/a.ts`, { place: tree.place({ rootAliases: [alias] }) });
    expect(access).toMatchObject({ path: 'src/a.ts', root: 'project' });
    expect(access.readings).toHaveLength(1);
  });

  test('a folder with the same name prefix as the project is outside', () => {
    const tree = makeTree();
    expect(reach(tree, `${tree.root}-other/a`).root).toBe('outside');
  });

  test('reads match no protection of writes', () => {
    expect(reach(makeTree(), '.claude/modes.yaml', { kind: 'read' }).protection).toBeNull();
  });
});

describe('a folder with everything below it', () => {
  test('lists the existing names that a rule could match, relative and absolute', () => {
    const tree = makeTree();
    for (const name of ['p/a.ts', 'p/b.md', 'p/sub/c.ts']) tree.file(name);
    const access = reach(tree, 'p', { extent: 'deep', pathFilter: matching((name) => name.path.endsWith('.ts')) });
    expect(access.deep).toBe(true);
    const names = [`${tree.root}/p/a.ts`, `${tree.root}/p/sub/c.ts`, 'p/a.ts', 'p/sub/c.ts'];
    // The temporary folder may have capitals, and then its names are there without them as well.
    expect(below(access).sort()).toEqual([...new Set([...names, ...names.map((name) => name.toLowerCase())])].sort());
  });

  test.each<['read' | 'write', Partial<PathFilter>]>([
    ['read', { hasReadRestriction: false }],
    ['write', { hasWriteRestriction: false }],
  ])('is not searched for a %s that no rule matches', (kind, changes) => {
    const tree = makeTree();
    tree.file('p/a');
    expect(reach(tree, 'p', { kind, extent: 'deep', pathFilter: { ...everything, ...changes } }).below).toEqual([]);
  });

  test('has, below a link, names by the link and by the real path', () => {
    const tree = makeTree();
    tree.file('real/x/a');
    tree.link('l', 'real');
    const found = below(reach(tree, 'l', { extent: 'deep', pathFilter: everything }));
    expect(found).toEqual(expect.arrayContaining(['l/x/a', 'real/x/a']));
  });

  test('a denied name does not get lost among many that only ask', () => {
    const tree = makeTree();
    for (let i = 0; i < 300; i++) tree.file(`p/${i}`);
    tree.file('p/zz/secret');
    const access = reach(tree, 'p', {
      extent: 'deep',
      pathFilter: matching(
        () => true,
        ({ path }) => path.endsWith('/secret'),
      ),
    });
    expect(below(access)).toContain('p/zz/secret');
    expect(access.below.length).toBeLessThan(300);
  });

  test('has nothing below if it does not exist', () => {
    expect(reach(makeTree(), 'gone', { extent: 'deep', pathFilter: everything })).toMatchObject({ below: [], protection: null });
  });
});

describe('a dependency folder', () => {
  test.each<[string, string, boolean]>([
    ['node_modules', 'rm -r', true],
    ['packages/a/node_modules', 'rm -r', true],
    ['.venv', 'rm -r', true],
    ['node_modules', 'find -delete', true],
    ['node_modules', 'cp', false],
    ['node_modules', 'mv', false],
    ['node_modules/x', 'rm -r', false],
    ['my_node_modules', 'rm -r', false],
    ['src', 'rm -r', false],
  ])('%s by %s is removed whole: %s', (name, via, dependency) => {
    const tree = makeTree();
    tree.file(`${name}/x/a.ts`);
    const access = reach(tree, name, { extent: 'deep', via, pathFilter: everything });
    expect(access.dependency).toBe(dependency);
    expect(access.below.length === 0).toBe(dependency);
  });

  test('outside the project it is a folder like any other', () => {
    const tree = makeTree();
    tree.file('../other/node_modules/a');
    expect(reach(tree, '../other/node_modules', { extent: 'deep', via: 'rm -r', pathFilter: everything }).dependency).toBe(false);
  });

  test('a link with such a name is its target', () => {
    const tree = makeTree();
    tree.file('src/a.ts');
    tree.link('node_modules', 'src');
    const access = reach(tree, 'node_modules', { extent: 'deep', via: 'rm -r', pathFilter: everything });
    expect(access.dependency).toBe(false);
    expect(below(access)).toContain('src/a.ts');
  });
});

describe('a pattern', () => {
  test('is the folder before its first wildcard with everything below, and lists its matches', () => {
    const tree = makeTree();
    for (const name of ['src/a.ts', 'src/b.md', 'src/sub.ts/c']) tree.file(name);
    const access = reach(tree, 'src/*.ts', { extent: 'glob', pathFilter: everything });
    expect(access).toMatchObject({ path: 'src/*.ts', real: 'src', deep: true });
    expect(namesOf(access, 0)).toEqual(['src', `${tree.root}/src`]);
    expect(
      below(access)
        .filter((name) => !name.startsWith('/'))
        .sort(),
    ).toEqual(['src/a.ts', 'src/sub.ts', 'src/sub.ts/c']);
    expect(access.names.map(({ path }) => path)).toContain('src/*.ts');
  });

  test('a link that it matches must be allowed as well', () => {
    const tree = makeTree();
    tree.file('src/a.ts');
    tree.file('test/b.ts');
    tree.link('src/l.ts', '../test/b.ts');
    const access = reach(tree, 'src/*.ts', { extent: 'glob' });
    expect(access.readings.map((_, at) => namesOf(access, at)?.[0])).toEqual(['src', 'test/b.ts']);
  });

  test('with a link before it is read by both names', () => {
    const tree = makeTree();
    tree.file('real/a.ts');
    tree.link('l', 'real');
    const access = reach(tree, 'l/*.ts', { extent: 'glob', pathFilter: everything });
    expect(access.names.map(({ path }) => path)).toEqual(expect.arrayContaining(['l', 'real', 'l/*.ts', 'real/*.ts']));
    expect(below(access)).toEqual(expect.arrayContaining(['real/a.ts']));
  });

  test('a pattern with too many matches counts as if a rule matched', () => {
    const tree = makeTree();
    for (let i = 0; i < 5_001; i++) tree.link(`p/${i}`, 'x');
    expect(reach(tree, 'p/*', { extent: 'glob', pathFilter: everything })).toMatchObject({
      unseen: true,
      protection: { effect: 'deny' },
    });
  });
});

describe("the session's own files", () => {
  const own = (tree: Tree) => ({
    read: [`${tree.home}/.claude/plans`, `${tree.home}/.claude/out`],
    write: [`${tree.home}/.claude/plans`],
  });

  test('are open and unprotected', () => {
    const tree = makeTree();
    expect(reach(tree, `${tree.home}/.claude/plans/a.md`, { own: own(tree) })).toMatchObject({
      own: `${tree.home}/.claude/plans`,
      protection: null,
    });
  });

  test.each(['plans', 'plans/../settings.json', 'out/a', 'plans-other/a'])('%s is none to write', (name) => {
    const tree = makeTree();
    expect(reach(tree, `${tree.home}/.claude/${name}`, { own: own(tree) })).toMatchObject({
      own: null,
      protection: { effect: 'deny' },
    });
  });

  test('a link there that leads elsewhere does not count', () => {
    const tree = makeTree();
    tree.link(`${tree.home}/.claude/plans/l`, '../settings.json');
    expect(reach(tree, `${tree.home}/.claude/plans/l`, { own: own(tree) })).toMatchObject({
      own: null,
      protection: { effect: 'deny' },
    });
  });

  test('a pattern there does not count', () => {
    const tree = makeTree();
    tree.file(`${tree.home}/.claude/plans/a`);
    expect(reach(tree, `${tree.home}/.claude/plans/*`, { extent: 'glob', own: own(tree) }).own).toBeNull();
  });
});
