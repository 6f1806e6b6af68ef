// The files of a project at one moment: what a link leads to, and what git tracks though it ignores it.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contents, differences, hashFiles, hashSharedFiles, markFiles, type TreeScope } from '../../../../src/git/file-tree.ts';
import { unignored } from '../../../../src/git/ignored.ts';
import { putFile, temporaryFolder } from '../../../support/files.ts';

let base: string;
let root: string;
const at = (name: string) => path.resolve(root, name);
const write = (name: string, text: string) => {
  putFile(at(name), text);
};
const link = (...links: [name: string, target: string][]) => {
  for (const [name, target] of links) {
    fs.rmSync(at(name), { force: true });
    fs.symlinkSync(target, at(name));
  }
};
const pipe = (name: string) => {
  execFileSync('mkfifo', [at(name)]);
  return name;
};
const all: TreeScope = { file: () => true, folder: () => true, meant: () => false };

beforeEach(() => {
  base = temporaryFolder('tree-');
  root = path.join(base, 'project');
  write('src/a.js', 'one');
  write('../outside/b.js', 'one');
  write('../outside/deep/c.js', 'one');
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

describe('a link', () => {
  test.each<[string, () => void, () => void, string[]]>([
    [
      'to a file [w:evidence.links]',
      () => fs.symlinkSync('../outside/b.js', at('l.js')),
      () => write('../outside/b.js', 'two'),
      ['l.js'],
    ],
    ['to a link to a file', () => link(['m', '../outside/b.js'], ['l', 'm']), () => write('../outside/b.js', 'two'), ['l', 'm']],
    [
      'to a folder [w:evidence.links]',
      () => fs.symlinkSync('../outside', at('l')),
      () => write('../outside/deep/c.js', 'two'),
      ['l/deep/c.js'],
    ],
    [
      'to a folder with a new file',
      () => fs.symlinkSync('../outside', at('l')),
      () => write('../outside/d.js', 'two'),
      ['l/d.js'],
    ],
    ['to nothing', () => fs.symlinkSync('../none', at('l')), () => write('../none', 'two'), ['l']],
    ['that leads elsewhere later', () => fs.symlinkSync('../outside/b.js', at('l')), () => link(['l', 'src/a.js']), ['l']],
    ['to itself', () => fs.symlinkSync('l', at('l')), () => write('src/a.js', 'two'), ['src/a.js']],
    ['to the project', () => fs.symlinkSync('.', at('src/l')), () => write('src/a.js', 'two'), ['src/a.js']],
    ['to a folder above', () => fs.symlinkSync('../..', at('src/l')), () => write('src/a.js', 'two'), ['src/a.js']],
    ['to a pipe', () => link(['l', pipe('pipe')]), () => write('src/a.js', 'two'), ['src/a.js']],
  ])('%s', (_, make, change, names) => {
    make();
    const [marks, hashes] = [markFiles(root, all), contents(hashFiles(root, all))];
    change();
    expect(differences(marks, markFiles(root, all))).toEqual(names);
    expect(differences(hashes, contents(hashFiles(root, all)))).toEqual(names);
  });

  test('to a file that is touched and equal has the same content', () => {
    fs.symlinkSync('../outside/b.js', at('l'));
    const before = hashFiles(root, all);
    write('../outside/b.js', 'one');
    expect(differences(contents(before), contents(hashFiles(root, all, before)))).toEqual([]);
  });

  test('two folders that lead to each other come to an end', () => {
    fs.symlinkSync('../project', at('../outside/back'));
    fs.symlinkSync('../outside', at('l'));
    expect([...markFiles(root, all).keys()].sort()).toEqual(['l', 'l/b.js', 'l/back', 'l/deep/c.js', 'src/a.js']);
  });
});

describe('a file', () => {
  // The record is what is read from the disk in one piece, in a piece and a rest, and in several pieces.
  const piece = 1_048_576;
  test.each([0, 1, piece - 8, piece - 7, piece - 6, piece, piece + 1, 3 * piece])(
    'of %d bytes is hashed to its last byte',
    (size) => {
      const file = path.join(root, 'file');
      const of = (bytes: Buffer) => {
        fs.writeFileSync(file, bytes);
        return contents(hashFiles(root, all)).get('file');
      };
      const bytes = Buffer.alloc(size, 'a');
      const before = of(bytes);
      expect(before).toBe(createHash('sha256').update(`${fs.constants.S_IFREG} 0\0`).update(bytes).digest('base64'));
      expect(of(Buffer.concat([bytes, Buffer.from('a')]))).not.toBe(before);
      if (size > 0) {
        bytes[size - 1] = 'b'.charCodeAt(0);
        expect(of(bytes)).not.toBe(before);
      }
    },
  );
});

describe('a file that git ignores', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root, stdio: 'pipe' });
  const watched = () => [...markFiles(root, unignored(root)).keys()].filter((name) => name !== '.gitignore').sort();

  beforeEach(() => {
    write('.gitignore', 'build/\n*.gen.js\n');
    write('build/deep/kept.js', 'one');
    write('build/deep/made.js', 'one');
    write('src/kept.gen.js', 'one');
    write('src/made.gen.js', 'one');
    write('src/ä.gen.js', 'one');
  });

  test('is not watched, and outside of a repository neither', () => {
    expect(watched()).toEqual(['src/a.js']);
    git('init', '-q');
    expect(watched()).toEqual(['src/a.js']);
  });

  test.each<[string, string[][]]>([
    ['version 2', [['update-index', '--index-version', '2']]],
    [
      'version 3',
      [
        ['update-index', '--index-version', '3'],
        ['add', '-N', 'src/a.js'],
      ],
    ],
    ['version 4', [['update-index', '--index-version', '4']]],
    [
      'split in two',
      [
        ['update-index', '--split-index'],
        ['add', '-f', 'src/ä.gen.js'],
      ],
    ],
  ])('and tracks is watched; an index of %s [w:evidence.watch]', (_, more) => {
    git('init', '-q');
    git('add', '-f', 'build/deep/kept.js', 'src/kept.gen.js', 'src/ä.gen.js');
    for (const args of more) git(...args);
    expect(watched()).toEqual(['build/deep/kept.js', 'src/a.js', 'src/kept.gen.js', 'src/ä.gen.js']);
  });

  test('in a repository of the other object format too', () => {
    git('init', '-q', '--object-format=sha256');
    git('add', '-f', 'src/kept.gen.js');
    expect(watched()).toEqual(['src/a.js', 'src/kept.gen.js']);
  });

  test('in a folder below the top of the repository, and in a worktree', () => {
    execFileSync('git', ['init', '-q', base]);
    git('add', '-f', 'src/kept.gen.js', 'src/a.js');
    expect(watched()).toEqual(['src/a.js', 'src/kept.gen.js']);
    git('commit', '-q', '-m', 'x');
    git('worktree', 'add', '-q', path.join(base, 'tree'));
    root = path.join(base, 'tree/project');
    write('.gitignore', '*.gen.js\n');
    write('src/other.gen.js', '');
    expect(watched()).toEqual(['src/a.js', 'src/kept.gen.js']);
  });

  test('by rules above the project, and by those of the repository alone [w:evidence.watch]', () => {
    write('.gitignore', '!kept.log\n');
    write('../.gitignore', '/project/out/\n*.log\n!src/wanted.log\n');
    for (const name of ['out/a.js', 'src/out/a.js', 'a.log', 'kept.log', 'src/wanted.log', 'tmp/a.js']) write(name, '');
    const asGit = (folder: string) =>
      execFileSync('git', ['ls-files', '-z', '--others', '--exclude-standard'], { cwd: folder, encoding: 'utf8' })
        .split('\0')
        .filter((name) => name !== '' && name !== '.gitignore')
        .sort();
    execFileSync('git', ['init', '-q', base]);
    fs.writeFileSync(path.join(base, '.git/info/exclude'), 'project/tmp\n');
    expect(watched()).toEqual(asGit(root));
    expect(watched()).not.toContain('out/a.js');
    git('add', '-f', 'src/a.js');
    git('commit', '-q', '-m', 'x');
    git('worktree', 'add', '-q', path.join(base, 'tree'));
    root = path.join(base, 'tree/project');
    for (const name of ['a.log', 'tmp/a.js', 'b.js']) write(name, '');
    expect(watched().filter((name) => name !== 'src/a.js')).toEqual(asGit(root));
    expect(watched()).not.toContain('tmp/a.js');
  });

  test('by a rule that ignores the whole project is still watched', () => {
    write('../.gitignore', 'project/\n');
    execFileSync('git', ['init', '-q', base]);
    expect(watched()).toContain('src/a.js');
  });

  test('as are the answers of a person and the view, wherever they stand', () => {
    for (const name of ['settings.json', 'settings.local.json', 'mode-state.json', 'modes.yaml']) write(`.claude/${name}`, '');
    expect(watched()).toEqual(['.claude/modes.yaml', '.claude/settings.json', 'src/a.js']);
    git('init', '-q');
    git('add', '-f', '.claude');
    expect(watched()).toEqual(['.claude/modes.yaml', '.claude/settings.json', 'src/a.js']);
  });

  test('is watched where the index cannot be understood', () => {
    git('init', '-q');
    fs.writeFileSync(at('.git/index'), 'no index');
    expect(watched()).toContain('build/deep/made.js');
  });
});

describe('installed packages that many links lead to', () => {
  const runner = 'node_modules/.pnpm/vitest@4.0.0/node_modules/vitest';
  const scope: TreeScope = {
    file: (name) => name.includes('node_modules/'),
    folder: () => true,
    meant: (name) => name.includes('node_modules'),
  };

  beforeEach(() => {
    for (let index = 0; index < 60; index++) write(`${runner}/dist/${index}.js`, '');
    for (let index = 0; index < 400; index++) {
      fs.mkdirSync(at(`packages/p${index}/node_modules`), { recursive: true });
      fs.symlinkSync(`../../../${runner}`, at(`packages/p${index}/node_modules/vitest`));
    }
  });

  test('count once, by their real path [w:tests.guarded]', () => {
    expect(() => hashFiles(root, scope)).toThrow('more than 20000 files behind links');
    const before = contents(hashSharedFiles(root, scope));
    expect(before.size).toBe(60 + 400);
    write(`${runner}/dist/7.js`, 'other');
    expect(differences(before, contents(hashSharedFiles(root, scope)))).toEqual([`${runner}/dist/7.js`]);
  });

  test('include each link, and packages outside of the project [w:tests.guarded]', () => {
    write('../outside/vitest/index.js', '');
    fs.mkdirSync(at('packages/more/node_modules'), { recursive: true });
    fs.symlinkSync(at('../outside/vitest'), at('packages/more/node_modules/vitest'));
    const before = contents(hashSharedFiles(root, scope));
    write('../outside/vitest/index.js', 'other');
    link(['packages/p3/node_modules/vitest', at('../outside/vitest')]);
    expect(differences(before, contents(hashSharedFiles(root, scope)))).toEqual([
      path.join(base, 'outside/vitest/index.js'),
      'packages/p3/node_modules/vitest',
    ]);
  });
});
