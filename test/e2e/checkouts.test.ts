// One repository has one judgement in the real client: what a mode denies stays denied in every checkout, wherever the session started.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { session } from './client.ts';
import { type Block, bash, use } from './model.ts';
import { makePlace, type Place } from './place.ts';

const SECRET = 'TOP-7261';

let place: Place;
let tree: string;
const git = (cwd: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd, stdio: 'pipe' });

beforeEach(() => {
  place = makePlace({ name: 'main' });
  place.write('.gitignore', '.env\nprivate/\n');
  place.write('src/auth/a.ts', 'first\n');
  place.write('secret/key', SECRET);
  place.write('docs/a.md', 'open\n');
  place.write('.claude/modes.yaml', 'name: lab\ndefault: build\nmodes:\n  build: {}\n');
  place.write(
    '.claude/settings.build.json',
    JSON.stringify({
      permissions: { deny: ['Read(.env)', 'Read(/secret/**)', 'Read(/private/deep/**)', 'Write(/src/auth/**)'] },
    }),
  );
  git(place.project, 'init', '-q', '-b', 'main');
  git(place.project, 'add', '-A');
  git(place.project, 'commit', '-q', '-m', 'a');
  tree = path.join(place.root, 'tree');
  git(place.project, 'worktree', 'add', '-q', tree);
  for (const folder of [place.project, tree]) {
    fs.writeFileSync(path.join(folder, '.env'), SECRET);
    fs.mkdirSync(path.join(folder, 'private/deep'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'private/deep/key'), SECRET);
  }
  fs.mkdirSync(path.join(place.root, 'out'));
});
afterEach(() => place.remove());

/** What tries to read and write the same place in another checkout. */
const attempts = (there: string, here: string): Block[][] => {
  const near = path.relative(here, there);
  return [
    bash(`cat ${near}/.env`),
    use('Read', { file_path: `${there}/.env` }),
    use('Read', { file_path: `${there}/secret/key` }),
    use('Grep', { pattern: 'TOP', path: there, output_mode: 'content' }),
    bash(`cp ${near}/.env docs/copy`),
    bash(`cd ${there} && cat secret/key`),
    bash(`git -C ${near} show HEAD:secret/key`),
    bash(`git --git-dir=${near}/.git show HEAD:secret/key`),
    bash(`GIT_DIR=${near}/.git GIT_WORK_TREE=${near} git show HEAD:secret/key`),
    bash('cat ../*/secret/key'),
    use('Grep', { pattern: 'TOP', path: `${there}/private`, output_mode: 'content' }),
    bash('git -C ../main/.git show HEAD:secret/key'),
    bash('GIT_WORK_TREE=../out git checkout -qf && cat ../out/secret/key'),
    bash('git --work-tree=../out reset -q --hard; cat ../out/secret/key'),
    bash('cp -r ../main/.git ../copy.git; git --git-dir=../copy.git show HEAD:secret/key'),
    bash('rsync -a --link-dest=../../src src/ docs/src/ && echo taken > docs/src/auth/a.ts'),
    bash(`git worktree add -q ../new && cat ../new/secret/key`),
    bash(`echo taken > ${near}/src/auth/evil.ts`),
    bash(`mv ${near}/docs/a.md ${near}/src/auth/evil.ts`),
    use('Write', { file_path: `${there}/src/auth/evil.ts`, content: 'taken' }),
    bash(`sed -i s/first/taken/ ${there}/src/auth/a.ts`),
  ];
};

const rows: [name: string, from: () => string, to: () => string][] = [
  ['a worktree → the main checkout', () => tree, () => place.project],
  ['the main checkout → a worktree', () => place.project, () => tree],
];

test.each(rows)('%s [s:worktree.same]', async (_, from, to) => {
  const turns = attempts(to(), from());
  const { calls } = await session({ ...place, cwd: from(), permissionMode: 'bypassPermissions', turns });
  expect(calls.map(({ name, refused }, at) => [at, name, refused])).toEqual(
    turns.map((blocks, at) => [at, (blocks[0] as { name: string }).name, true]),
  );
  expect(JSON.stringify(calls.map(({ result }) => result))).not.toContain(SECRET);
  expect(fs.existsSync(path.join(to(), 'src/auth/evil.ts'))).toBe(false);
  expect(fs.readFileSync(path.join(to(), 'src/auth/a.ts'), 'utf8')).toBe('first\n');
  expect(fs.existsSync(path.join(place.root, 'new'))).toBe(false);
  expect(fs.readdirSync(path.join(place.root, 'out'))).toEqual([]);
});

test('files that no rule matches can be read in both, and a repository below the temporary folder is no scratch folder [s:protect.scratch]', async () => {
  // The client's temporary folder is beside its home.
  const scratch = path.join(path.dirname(place.home), 'tmp');
  fs.mkdirSync(scratch, { recursive: true });
  const other = path.join(scratch, 'other');
  git(place.root, 'init', '-q', other);
  const turns = [
    bash('cat ../main/docs/a.md'),
    use('Read', { file_path: `${place.project}/docs/a.md` }),
    bash(`echo x > ${scratch}/scratch.txt`),
    bash(`echo x > ${other}/taken.txt`),
  ];
  const { calls } = await session({ ...place, cwd: tree, permissionMode: 'bypassPermissions', turns });
  expect(calls.map(({ refused }) => refused)).toEqual([false, false, false, true]);
  expect(fs.existsSync(`${other}/taken.txt`)).toBe(false);
});
