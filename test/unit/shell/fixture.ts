// A throw-away folder in which commands are really run, and a digest of all that is in it.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Fixture {
  root: string;
  /** Where commands run: a git checkout. */
  cwd: string;
  home: string;
  remove(): void;
}

const FILES: Record<string, string> = {
  'a.txt': 'seed alpha\nbeta 2\ngamma 3\n',
  'b.txt': 'beta 2\nseed b\n',
  'c.log': 'error one\nwarn two\n',
  'data.json': '{"k": 1, "list": [1, 2]}\n',
  'nums.txt': '3\n1\n2\n',
  // An empty database.
  'app.db': '',
  'src/app.js': 'function add(a, b) {\n  return a + b;\n}\n',
  'src/util.ts': 'export const x = 1;\n',
  'docs/guide.md': '# Guide\n\nseed\n',
  '--output=pwned': 'a file that looks like an option\n',
  '-delete': 'another\n',
  'script.sh': '#!/bin/sh\ntouch pwned\n',
};

/** Builds the folder. */
export function makeFixture(): Fixture {
  const root = mkdtempSync(join(tmpdir(), 'modes-bash-'));
  const cwd = join(root, 'work');
  const home = join(root, 'home');
  mkdirSync(join(cwd, 'src'), { recursive: true });
  mkdirSync(join(cwd, 'docs'));
  mkdirSync(temporary(home), { recursive: true });
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(cwd, name), text);
  chmodSync(join(cwd, 'script.sh'), 0o755);
  const env = { ...process.env, HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args: string[]) => execFileSync('git', args, { cwd, env, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'n');
  git('config', 'user.email', 'n@example.invalid');
  git('add', '-A');
  git('commit', '-qm', 'first');
  git('tag', 'v1.0');
  git('branch', 'feature');
  writeFileSync(join(cwd, 'b.txt'), 'beta 2\nchanged\n');
  // So that later looks do not refresh the index.
  git('status');
  return { root, cwd, home, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/** A digest of names, kinds, modes and contents of everything below a folder; caches and logs that programs keep in a home folder aside. */
export function digest(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string, name: string): void => {
    const stat = lstatSync(path);
    hash.update(`${name}\0${stat.mode}\0`);
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stat.isDirectory()) {
      for (const child of readdirSync(path).sort())
        if (!/^\.(?:config|cache|npm|local|rustup|cargo|gnupg|docker|kube|aws|terraform\.d|pyenv|gsutil|subversion)$/.test(child))
          visit(join(path, child), `${name}/${child}`);
    } else if (stat.isFile()) hash.update(readFileSync(path));
  };
  visit(folder, '');
  return hash.digest('hex');
}

/** Programs that are killed leave temporary files. The digest skips this folder. */
const temporary = (home: string): string => join(home, '.cache');

const isolated = spawnSync('unshare', ['-rn', 'true']).status === 0;

/** Runs a text under bash in the fixture, without a network where the system allows that; says whether it ended in time. */
export function runIn(fixture: Fixture, text: string, seconds = 3): boolean {
  const args = ['-k', '1', String(seconds), ...(isolated ? ['unshare', '-rn'] : []), 'bash', '-c', text];
  const done = spawnSync('timeout', args, {
    cwd: fixture.cwd,
    env: { PATH: process.env.PATH, HOME: fixture.home, LANG: 'C', GIT_CONFIG_NOSYSTEM: '1', TMPDIR: temporary(fixture.home) },
    // The pipe ends with the last process that has it: `>(…)` outlives its shell.
    stdio: ['ignore', 'ignore', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
    timeout: (seconds + 3) * 1000,
  });
  return done.status !== null && done.status !== 124;
}
