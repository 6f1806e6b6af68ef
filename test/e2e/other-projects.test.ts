// A governed project is governed from outside too: a session that starts in a folder without modes above it, or in another project.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { session } from './client.ts';
import { type Block, bash, use } from './model.ts';
import { makePlace, type Place } from './place.ts';
import { copyPlugin } from './plugin.ts';

const SECRET = 'TOP-5528';

let place: Place;
let plugins: Place;
let withoutServer: string;
beforeAll(() => {
  plugins = makePlace({ name: 'plugins' });
  withoutServer = copyPlugin(path.join(plugins.project, 'without-server'), (folder) =>
    fs.rmSync(path.join(folder, 'dist/server.mjs')),
  );
});
afterAll(() => plugins.remove());
beforeEach(() => {
  place = makePlace({ name: 'ws' });
  govern('my-repo');
});
afterEach(() => place.remove());

function govern(name: string): void {
  place.write(`${name}/.claude/modes.yaml`, 'name: lab\ndefault: build\nmodes:\n  build: {}\n');
  const deny = ['Read(/secret/**)', 'Write(/src/**)', 'Bash(git push:*)'];
  place.write(`${name}/.claude/settings.build.json`, JSON.stringify({ permissions: { deny } }));
  place.write(`${name}/src/a.ts`, 'first\n');
  place.write(`${name}/secret/key`, SECRET);
  place.write(`${name}/docs/a.md`, 'open\n');
}

const attempts = (): Block[][] => {
  const there = path.join(place.project, 'my-repo');
  return [
    bash('cat my-repo/secret/key'),
    use('Read', { file_path: `${there}/secret/key` }),
    use('Grep', { pattern: 'TOP', path: place.project, output_mode: 'content' }),
    bash('cd my-repo && cat secret/key'),
    bash('echo taken > my-repo/src/a.ts'),
    use('Write', { file_path: `${there}/src/new.ts`, content: 'taken' }),
    bash(`echo '{}' > my-repo/.claude/settings.build.json`),
    use('Write', { file_path: `${there}/.claude/modes.yaml`, content: 'taken' }),
    bash('rm -rf my-repo/.claude'),
    bash('cd my-repo && git push'),
    bash('rm -rf my-repo'),
  ];
};
const open = (): Block[][] => [bash('cat my-repo/docs/a.md'), bash('echo x > beside.txt'), bash('ls my-repo')];

async function expectClosed(options: { plugin?: string; cwd?: string }): Promise<string> {
  const turns = [...attempts(), ...open()];
  const { calls, requests } = await session({ ...place, ...options, permissionMode: 'bypassPermissions', turns });
  const closed = calls.map(({ name, refused }) => [name, refused]);
  expect(closed).toEqual(turns.map((blocks, at) => [(blocks[0] as { name: string }).name, at < attempts().length]));
  expect(JSON.stringify(calls.map(({ result }) => result))).not.toContain(SECRET);
  expect(place.read('my-repo/src/a.ts')).toBe('first\n');
  expect(place.read('my-repo/.claude/modes.yaml')).toMatch(/^name: lab/);
  expect(place.read('beside.txt')).toBe('x\n');
  return JSON.stringify(requests);
}

describe('a session in a folder without modes [s:others.outside]', () => {
  test('above a project gets a notice of it, and calls that touch it are denied [s:others.told] [s:others.protected]', async () => {
    expect(await expectClosed({})).toContain('governed projects: my-repo');
  });

  test('denies without a server, once the project is known', async () => {
    await session({ ...place, cwd: path.join(place.project, 'my-repo'), turns: [bash('true')] });
    expect(await expectClosed({ plugin: withoutServer })).toContain('governed projects: my-repo');
  });
});

test('everything that git prints of a project is closed, also by its bare repository and in a program text [s:others.judged]', async () => {
  const git = (folder: string, ...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], {
      cwd: path.join(place.project, folder),
      stdio: 'pipe',
    });
  git('my-repo', 'init', '-q');
  git('my-repo', 'add', '-A');
  git('my-repo', 'commit', '-q', '-m', 'a');
  git('.', 'clone', '-q', '--bare', 'my-repo', 'bare.git');
  git('bare.git', 'worktree', 'add', '-q', '../tree');
  const there = path.join(place.project, 'my-repo');
  const closed = [
    bash(`git clone -q file://${there} copy && cat copy/secret/key`),
    bash('git -C bare.git show HEAD:secret/key'),
    bash('git --git-dir bare.git archive HEAD | tar xO'),
    bash('git clone -q bare.git copy && cat copy/secret/key'),
    bash('echo taken > bare.git/hooks/pre-commit'),
    bash('git -C bare.git config core.hooksPath x'),
    bash(`node -e 'console.log(require("fs").readFileSync("my-repo/secret/key", "utf8"))'`),
  ];
  const turns = [...closed, bash('git -C my-repo status'), bash('ls bare.git')];
  const { calls } = await session({ ...place, permissionMode: 'bypassPermissions', turns });
  expect(calls.map(({ refused }) => refused)).toEqual(turns.map((_, at) => at < closed.length));
  expect(JSON.stringify(calls.map(({ result }) => result))).not.toContain(SECRET);
  expect(fs.existsSync(path.join(place.project, 'bare.git/hooks/pre-commit'))).toBe(false);
  expect(place.read('bare.git/config')).not.toContain('hooksPath');
});

test('both projects decide for a session above or below another project [s:others.judged]', async () => {
  place.write('.claude/modes.yaml', 'name: outer\ndefault: build\nmodes:\n  build: {}\n');
  await expectClosed({});
});
