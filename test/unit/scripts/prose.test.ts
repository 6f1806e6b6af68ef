// The check of words in changed lines.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { afterTest } from '../../support/cleanup.ts';
import { temporaryFolder } from '../../support/files.ts';

interface Prose {
  proseOf(name: string, text: string): string[] | null;
  findings(name: string, prose: string, line: string): { text: string; use: string }[];
  readDiff(diff: string): { added: Map<string, number[]>; removed: { name: string; line: string }[] };
  changedFindings(folder: string): { name: string; number: number; text: string }[] | null;
}
const script = path.join(import.meta.dirname, '../../../scripts/check-prose.mjs');
const { proseOf, findings, readDiff, changedFindings } = (await import(/* @vite-ignore */ pathToFileURL(script).href)) as Prose;

const found = (name: string, text: string) => {
  const lines = text.split('\n');
  return (proseOf(name, text) ?? []).flatMap((prose, index) => findings(name, prose, lines[index]!).map((one) => one.text));
};

describe('is found', () => {
  test.each([
    ['docs/a.md', 'A call that is none of ours.', 'is none'],
    ['docs/a.md', 'Mend it first.', 'mend'],
    ['docs/a.md', 'It is built anew.', 'anew'],
    ['docs/a.md', 'The agent is told of it.', 'is told of'],
    ['docs/a.md', 'The file stands in the folder.', 'stands in'],
    ['docs/a.md', 'The file lies below the root.', 'lies below'],
    ['docs/a.md', 'Whoever asks gets an answer.', 'whoever'],
    ['docs/a.md', 'The path is met by a rule.', 'is met by'],
    ['docs/a.md', 'A rule meets the path.', 'meets the path'],
    ['docs/a.md', "It needs a person’s word and a person's yes.", "a person's yes"],
    ['docs/a.md', 'A file has another content than before.', 'another content than'],
    ['docs/a.md', 'This ends. Of what is left, one counts.', 'of what'],
    ['docs/a.md', 'Its behaviour differs.', 'behaviour'],
    ['docs/a.md', 'An organisation signs it.', 'organisation'],
    ['docs/rules.yaml', '  text: Mend it first.', 'mend'],
    ['src/a.ts', 'const a = 1; // built anew', 'anew'],
    ['src/a.ts', ' * is none of ours', 'is none'],
    ['policies/a.rego', '# built anew', 'anew'],
    ['scripts/a.sh', 'make # built anew', 'anew'],
    ['src/a.ts', 'const lastErrand = 1;', 'lastErrand'],
    ['src/a.ts', 'function hallOf(): Seat {', 'hallOf'],
    ['src/a.mjs', 'const the_deed = 1;', 'the_deed'],
  ])('%s: %s', (name, text, phrase) => expect(found(name, text)).toContain(phrase));
});

describe('is fine', () => {
  test.each([
    ['docs/a.md', 'Where there is none, the default counts.'],
    ['docs/a.md', 'It stands for a mode, and stands in for a person.'],
    ['docs/a.md', 'Run `modes mend` first, as [this page](anew.md) says about "anew".'],
    ['docs/a.md', 'Recommended amendments are no more than hints.'],
    ['docs/a.md', '```\nmend it anew\n```'],
    ['docs/a.md', '````\n```\nmend it anew\n```\nanew\n````'],
    ['docs/a.md', 'The gate meets the requirement. Because of what it reads, it is slow.'],
    ['src/a.ts', "const mend = 'anew'; run('built anew');"],
    ['src/a.ts', "const shallow = marshall(deeds('a deed'));"],
    ['src/a.ts', "import { a } from './errand.ts';"],
    ['test/a.test.ts', 'const seat = 1;'],
    ['docs/glossary.md', 'mend: fix'],
    ['docs/cli.md', 'Generated anew.'],
    ['test/corpora/a.md', 'Mend it anew.'],
    ['dist/a.mjs', '// built anew'],
    ['assets/icon.svg', '<!-- anew -->'],
  ])('%s: %s', (name, text) => expect(found(name, text)).toEqual([]));
});

test('a diff gives the numbers of added lines and the text of removed ones', () => {
  const diff = [
    'diff --git a/docs/a b.md b/docs/a b.md',
    '--- a/docs/a b.md\t',
    '+++ b/docs/a b.md\t',
    '@@ -1,2 +1 @@',
    '--- a dash',
    '-two',
    '+++ a plus',
    '@@ -9,0 +9,2 @@ context',
    '+nine',
    '+ten',
    '--- a/gone.md',
    '+++ /dev/null',
    '@@ -1 +0,0 @@',
    '-last',
  ].join('\n');
  const { added, removed } = readDiff(diff);
  expect([...added]).toEqual([['docs/a b.md', [1, 9, 10]]]);
  expect(removed.map(({ line }) => line)).toEqual(['-- a dash', 'two', 'last']);
});

function project(): { folder: string; git: (...args: string[]) => void; write: (name: string, text: string) => void } {
  const folder = temporaryFolder('modes-prose-');
  afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  };
  git('init', '-q', '-b', 'main');
  return { folder, git, write: (name, text) => fs.writeFileSync(path.join(folder, name), text) };
}
const places = (folder: string) => changedFindings(folder)?.map(({ name, number, text }) => `${name}:${number} ${text}`);

describe('changed lines', () => {
  test('are those since origin/main, committed, in the work tree, or in new files', () => {
    const { folder, git, write } = project();
    write('a.md', 'Built anew.\n\nOne.\n');
    git('add', '.');
    git('commit', '-q', '-m', 'a');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    write('a.md', 'Built anew.\n\nMend it.\n');
    git('commit', '-q', '-a', '-m', 'b');
    git('commit', '-q', '--allow-empty', '-m', 'c');
    expect(places(folder)).toEqual(['a.md:3 mend']);
    write('ä.md', 'One.\nIt is none.\n');
    write('a.md', 'Built anew.\n\nFix it.\n');
    expect(places(folder)).toEqual(['ä.md:2 is none']);
  });

  test('are those of the newest commit on origin/main itself, and without a remote', () => {
    const { folder, git, write } = project();
    write('a.md', 'Built anew.\n');
    git('add', '.');
    git('commit', '-q', '-m', 'a');
    write('b.md', 'Mend it.\n');
    git('add', '.');
    git('commit', '-q', '-m', 'b');
    expect(places(folder)).toEqual(['b.md:1 mend']);
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    expect(places(folder)).toEqual(['b.md:1 mend']);
  });

  test('may keep the words that they had: a moved or reformatted line is no finding, a second use is one', () => {
    const { folder, git, write } = project();
    write('a.md', 'One.\n');
    git('add', '.');
    git('commit', '-q', '-m', 'a');
    write('a.md', 'Built anew.\nOne.\n');
    git('commit', '-q', '-a', '-m', 'b');
    git('update-ref', 'refs/remotes/origin/main', 'HEAD');
    git('commit', '-q', '--allow-empty', '-m', 'c');
    write('a.md', 'One.\n- Built anew.\n');
    expect(places(folder)).toEqual([]);
    write('a.md', 'One.\n- Built anew.\n- Anew.\n');
    expect(places(folder)).toEqual(['a.md:3 anew']);
  });

  test('cannot be determined without an earlier commit', () => {
    const { folder, git, write } = project();
    write('a.md', 'Built anew.\n');
    expect(changedFindings(folder)).toBeNull();
    git('add', '.');
    git('commit', '-q', '-m', 'a');
    expect(changedFindings(folder)).toBeNull();
    fs.mkdirSync(path.join(folder, 'scripts'));
    fs.copyFileSync(script, path.join(folder, 'scripts/check-prose.mjs'));
    expect(spawnSync('node', ['scripts/check-prose.mjs'], { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: 'no earlier commit to compare with, nothing checked\n',
    });
    git('add', '.');
    git('commit', '-q', '-m', 'b');
    write('b.md', 'Mend it.\n');
    expect(spawnSync('node', ['scripts/check-prose.mjs'], { cwd: folder, encoding: 'utf8' })).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('b.md:1 "mend": write fix\n'),
    });
  });
});
