// What a gate asks of git: the branch, and whether anything is left to commit. No program that the repository names is started.
import fs from 'node:fs';
import path from 'node:path';

const limitMs = 10_000;

/** What git says cannot be known here. */
export class GitError extends Error {}

/**
 * The branch that is checked out; null when HEAD is detached. Starts no process.
 * @throws {GitError} outside a repository
 */
export function currentBranch(root: string): string | null {
  const head = readHead(gitFolder(root));
  const found = /^ref: refs\/heads\/(.+)$/.exec(head.trim());
  return found?.[1] ?? null;
}

/**
 * What is changed or not tracked, as `git status --porcelain` names it.
 * @throws {GitError} when git cannot say
 */
export async function uncommitted(root: string): Promise<string[]> {
  const calm = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.untrackedCache=false'];
  const names = (await git(root, [...calm, 'config', '--includes', '--name-only', '-z', '--list'])).split('\0');
  const filters = new Set(names.flatMap((name) => /^filter\.(.+)\.(?:clean|smudge|process|required)$/s.exec(name)?.[1] ?? []));
  // A filter is a program of the repository's choice: without it a file that it would change counts as changed.
  const unfiltered = [...filters].flatMap((name) => [
    ...['clean', 'smudge', 'process'].flatMap((key) => ['-c', `filter.${name}.${key}=`]),
    '-c',
    `filter.${name}.required=false`,
  ]);
  return (await git(root, [...calm, ...unfiltered, 'status', '--porcelain=v1', '-z', '--ignore-submodules=dirty']))
    .split('\0')
    .filter((line) => line !== '');
}

async function git(root: string, args: string[]): Promise<string> {
  // Loaded where it is needed: a process for a single decision never is.
  const { execFileSync } = await import('node:child_process');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  try {
    return execFileSync('git', args, {
      cwd: root,
      env: { ...env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' },
      encoding: 'utf8',
      timeout: limitMs,
      maxBuffer: 16 * 1_048_576,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new GitError((stderr || message).trim().split('\n')[0] ?? 'git failed');
  }
}

function readHead(folder: string): string {
  try {
    return fs.readFileSync(path.join(folder, 'HEAD'), 'utf8');
  } catch (error) {
    throw new GitError(`HEAD cannot be read: ${(error as Error).message}`);
  }
}

/** The nearest `.git` upwards; a file there names the folder. */
function gitFolder(root: string): string {
  for (let folder = root; ; folder = path.dirname(folder)) {
    const git = path.join(folder, '.git');
    const stat = fs.statSync(git, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return git;
    if (stat?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(fs.readFileSync(git, 'utf8'))?.[1];
      if (named !== undefined) return path.resolve(folder, named.trim());
    }
    if (folder === path.dirname(folder)) throw new GitError('this is no git repository');
  }
}
