// Where the disk takes upper and lower case for the same: simulated, since most machines for tests have no such disk.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { FactsContext } from '../../../src/facts/collect.ts';
import { placeOf } from '../../../src/facts/paths/place.ts';
import { diskLinks } from '../../../src/facts/paths/resolve.ts';
import { diskSpelling, type FolderDisk, spellingOf } from '../../../src/facts/paths/spelling.ts';
import { afterTest } from '../../support/cleanup.ts';
import { judged } from '../../support/judge.ts';
import type { Settings } from '../../support/policy.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

/** The name that a file of the tree has, whatever case it is asked for in; null where there is none. */
function find(tree: Tree, absolute: string): string | null {
  let found = tree.top;
  for (const part of path.relative(tree.top.toLowerCase(), absolute.toLowerCase()).split('/').filter(Boolean)) {
    const name = isFolder(found) ? listed(found).find((one) => one.toLowerCase() === part) : undefined;
    if (name === undefined) return null;
    found = `${found}/${name}`;
  }
  return found;
}

const { lstatSync, readdirSync, opendirSync } = fs;
const isFolder = (name: string): boolean => lstatSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false;
const listed = (folder: string): string[] => readdirSync(folder);

/** The tree as a disk that ignores case would show it. What lies elsewhere is as it is. */
function folded(tree: Tree): FolderDisk {
  const at = (name: string): string =>
    name.toLowerCase().startsWith(`${tree.top.toLowerCase()}/`) ? (find(tree, name) ?? name) : name;
  return {
    lstatSync: (name, options) => lstatSync(at(name), options),
    readdirSync: (folder) => readdirSync(at(folder)),
    opendirSync: (folder) => opendirSync(at(folder)),
  };
}

function folding(tree: Tree): { context: Partial<FactsContext>; place: { ignoresCase: true } } {
  const links = { readLink: (absolute: string) => diskLinks.readLink(find(tree, absolute) ?? absolute) };
  return { context: { spelling: spellingOf(folded(tree)), links }, place: { ignoresCase: true } };
}

const said = (tree: Tree, settings: Settings, tool: string, input: Record<string, unknown>) =>
  judged(tree, settings, tool, input, folding(tree)).said;
const write = (file: string) => ({ file_path: file, content: '' });

describe('where case makes no difference [s:paths.settled]', () => {
  const rows: [string, Settings, string, string][] = [
    ['a deny meets another spelling of what exists', { deny: ['Write(/src/**)'] }, 'SRC/A.ts', 'deny rule'],
    ['and of what does not', { deny: ['Write(/new/file)'] }, 'New/FILE', 'deny rule'],
    ['and a rule in another spelling', { deny: ['Write(/Src/**)'] }, 'src/a.ts', 'deny rule'],
    ['a name at any depth', { deny: ['Write(Secret.txt)'] }, 'a/b/SECRET.TXT', 'deny rule'],
    ['a suffix', { deny: ['Write(*.PEM)'] }, 'a/key.pem', 'deny rule'],
    ['a pattern that only an expression says', { deny: ['Write(/s?c/[A-Z]*.ts)'] }, 'SRC/a.TS', 'deny rule'],
    ['a component below a folder', { deny: ['Write(/Src/**/Gen/**)'] }, 'src/x/gEN/y', 'deny rule'],
    ['an ask', { ask: ['Write(/src/**)'] }, 'SRC/a.ts', 'ask rule'],
    ['an absolute path', { deny: ['Write(//**/WORK/src/**)'] }, 'src/a.ts', 'deny rule'],
    ['an allow is held to the spelling of the disk', { allow: ['Write(/src/**)'] }, 'SRC/a.ts', 'allow rule'],
    ['and not to another one', { allow: ['Write(/SRC/**)'] }, 'SRC/a.ts', 'pass default'],
    ['protected names are met', {}, '.CLAUDE/modes.yaml', 'deny protection'],
    ['with those of Git', {}, '.Git/Hooks/pre-commit', 'deny protection'],
    ['a file of the same letters but others is not met', { deny: ['Write(/src/**)'] }, 'srcs/a.ts', 'pass default'],
  ];
  test.each(rows)('%s', (_, settings, file, expected) => {
    const tree = makeTree();
    tree.file('src/a.ts');
    expect(said(tree, settings, 'Write', write(file))).toBe(expected);
  });

  test('files below a folder match in any spelling', () => {
    const tree = makeTree();
    tree.file('packages/App/Secret');
    expect(said(tree, { deny: ['Write(/packages/app/secret)'] }, 'Bash', { command: 'rm -rf PACKAGES' })).toBe('deny rule');
  });

  test('files that an archive could contain match in any spelling', () => {
    expect(said(makeTree(), { deny: ['Write(/Out/x)'] }, 'Bash', { command: 'tar xf a -C out' })).toBe('ask open');
  });

  test('the project by another spelling is the project', () => {
    const tree = makeTree();
    tree.file('src/a.ts');
    const file = `${tree.home}/WORK/src/a.ts`;
    const { facts } = judged(tree, {}, 'Write', write(file), folding(tree));
    expect(facts.writes[0]).toMatchObject({ path: 'src/a.ts', root: 'project', protection: null });
  });

  test.each([
    ['Read', { deny: ['Read(.env)'] }, { file_path: '{HOME}/WORK/.ENV' }, 'deny rule'],
    ['Bash', { deny: ['Read(.env)'] }, { command: 'cat ../Work/.env' }, 'deny rule'],
    ['Bash', { deny: ['Read(.env)'] }, { command: 'cat ../Work/.e*' }, 'deny rule'],
    ['Write', { deny: ['Write(link)'] }, { file_path: '{HOME}/WORK/LINK' }, 'deny rule'],
    ['Write', { allow: ['Write(src/**)'] }, { file_path: '{HOME}/Work/SRC/a.ts' }, 'allow rule'],
  ] as const)('a rule of the project matches that spelling too: %s %j %j', (tool, settings, input, expected) => {
    const tree = makeTree();
    for (const name of ['.env', 'src/a.ts', 'target']) tree.file(name);
    tree.link('link', 'target');
    const call = JSON.parse(JSON.stringify(input).replace('{HOME}', tree.home));
    expect(said(tree, settings as unknown as Settings, tool, call)).toBe(expected);
  });

  test('a missing path has the spelling rule of its existing folder', () => {
    const tree = makeTree();
    tree.folder('Src/deep');
    const spelling = spellingOf(folded(tree));
    expect(spelling.toDiskSpelling(`${tree.home}/WORK/SRC/New/x`)).toBe(`${tree.root}/Src/New/x`);
    expect(spelling.toDiskSpelling(`${tree.root}/SRC/DEEP`, tree.root)).toBe(`${tree.root}/Src/deep`);
  });

  test('a folder whose own names differ in case, below one whose do not, is reached by two names', () => {
    const tree = makeTree();
    const spelling = spellingOf(folded(tree));
    expect([spelling.isRespelled(tree.root), spelling.isRespelled(`${tree.root}/new`)]).toEqual([true, true]);
    expect(spelling.isRespelled(tree.top)).toBe(fs.existsSync(tree.top.toUpperCase()));
  });

  test('a place is the same under any spelling', () => {
    const tree = makeTree();
    for (const name of ['../.claude/modes-data', '../Plugin']) tree.folder(name);
    const disk = folded(tree);
    vi.spyOn(fs, 'lstatSync').mockImplementation(disk.lstatSync as typeof fs.lstatSync);
    vi.spyOn(fs, 'readdirSync').mockImplementation(disk.readdirSync as unknown as typeof fs.readdirSync);
    vi.spyOn(fs, 'opendirSync').mockImplementation(disk.opendirSync as typeof fs.opendirSync);
    // As on Linux: the case that was asked for stays.
    vi.spyOn(fs.realpathSync, 'native').mockImplementation(((name: string) =>
      path.resolve(name)) as typeof fs.realpathSync.native);
    afterTest(() => vi.restoreAllMocks());
    const place = placeOf(`${tree.home}/WORK`, { HOME: `${tree.top}/HOME` }, `${tree.home}/PLUGIN`);
    expect(place).toMatchObject({
      root: tree.root,
      rootAliases: [`${tree.home}/WORK`],
      home: tree.home,
      pluginRoot: `${tree.home}/Plugin`,
      ignoresCase: true,
    });
    expect(place.linkTargets).toContain(`${tree.home}/.claude`);
  });

  test('the client’s own folders are protected in any spelling', () => {
    const tree = makeTree();
    tree.folder('../.claude');
    for (const name of ['.Claude/x', '.BASHRC', '.CLAUDE.json'])
      expect(said(tree, {}, 'Write', write(`${tree.home}/${name}`)), name).toBe('deny protection');
  });
});

describe('where case makes a difference', () => {
  const met = (settings: Settings, tool: string, input: Record<string, unknown>) => {
    const tree = makeTree();
    for (const name of ['src/a.ts', 'Lib/Key.PEM', 'packages/App/Secret', 'ÜNÏ/x']) tree.file(name);
    return judged(tree, settings, tool, input);
  };
  const rows: [string, Settings, string, string][] = [
    ['a deny meets a folder without its capitals', { deny: ['Write(SRC/**)'] }, 'src/a.ts', 'deny rule'],
    ['and with capitals of its own', { deny: ['Write(/src/**)'] }, 'SRC/a.ts', 'deny rule'],
    ['a name at any depth', { deny: ['Write(README.md)'] }, 'docs/readme.MD', 'deny rule'],
    ['a suffix', { deny: ['Write(*.pem)'] }, 'Lib/Key.PEM', 'deny rule'],
    ['a set of characters', { deny: ['Write(/[A-C]*.ts)'] }, 'b.TS', 'deny rule'],
    ['a set beyond ASCII', { deny: ['Write([À-Ý]x)'] }, 'éx', 'deny rule'],
    ['a set that leaves some out', { deny: ['Write(/[!A]x)'] }, 'BX', 'deny rule'],
    ['letters beyond ASCII', { deny: ['Write(ünï/**)'] }, 'ÜNÏ/x', 'deny rule'],
    ['a component below a folder', { deny: ['Write(/Src/**/Gen/**)'] }, 'src/x/gEN/y', 'deny rule'],
    ['an absolute path', { deny: ['Write(//**/WORK/src/**)'] }, 'src/a.ts', 'deny rule'],
    ['the home folder', { deny: ['Write(//**/Home/Work/**)'] }, 'src/a.ts', 'deny rule'],
    ['an ask', { ask: ['Write(SRC/**)'] }, 'src/a.ts', 'ask rule'],
    ['an allow is another file’s', { allow: ['Write(/src/**)'] }, 'SRC/a.ts', 'pass default'],
    ['whichever of the two has capitals', { allow: ['Write(/SRC/**)'] }, 'src/a.ts', 'pass default'],
    ['nor does it become one beside a deny', { allow: ['Write(/src/**)'], deny: ['Write(/x)'] }, 'SRC/a.ts', 'pass default'],
    ['other letters are other files', { deny: ['Write(/SRC/**)'] }, 'srcs/a.ts', 'pass default'],
  ];
  test.each(rows)('%s [s:pattern.case]', (_, settings, file, expected) => {
    expect(met(settings, 'Write', write(file)).said).toBe(expected);
  });

  test('reads, by a command as well, and what lies below a folder [s:pattern.case]', () => {
    expect(met({ deny: ['Read(lib/**)'] }, 'Read', { file_path: 'Lib/Key.PEM' }).said).toBe('deny rule');
    expect(met({ deny: ['Read(*.pem)'] }, 'Bash', { command: 'cat Lib/Key.PEM' }).said).toBe('deny rule');
    expect(met({ deny: ['Write(secret)'] }, 'Bash', { command: 'rm -rf packages' }).said).toBe('deny rule');
    expect(met({ deny: ['Read(/packages/app/**)'] }, 'Grep', { pattern: 'x', path: 'packages' }).said).toBe('deny rule');
  });

  test('a path has a lower-case name only if it has capitals and rules are about paths', () => {
    const names = (settings: Settings, file: string) =>
      met(settings, 'Write', write(file)).facts.writes[0]?.names.filter(({ path: name }) => !name.startsWith('/')).length;
    const rules: Settings = { deny: ['Write(/x)'] };
    expect([names(rules, 'src/a.ts'), names(rules, 'SRC/a.ts'), names({}, 'SRC/a.ts')]).toEqual([1, 2, 1]);
  });

  test('the disk of each folder is checked, and two hard links are two names', () => {
    const tree = makeTree();
    tree.file('a/name');
    fs.linkSync(`${tree.root}/a/name`, `${tree.root}/a/NAME`);
    const isOne = fs.existsSync(`${tree.root}/A`);
    expect(diskSpelling.ignoresCase(`${tree.root}/a`)).toBe(isOne);
    expect(diskSpelling.ignoresCase(`${tree.root}/not/there`)).toBe(isOne);
    expect(diskSpelling.toDiskSpelling(`${tree.root}/a/new/x`)).toBe(`${tree.root}/a/new/x`);
    tree.file('b/.claude/x');
    tree.file('b/0');
    expect(diskSpelling.ignoresCase(`${tree.root}/b`)).toBe(isOne);
    if (!isOne) tree.file('c/.claude/x');
    if (!isOne) fs.mkdirSync(`${tree.root}/c/.CLAUDE`);
    expect(diskSpelling.ignoresCase(`${tree.root}/c`)).toBe(isOne);
  });
});
